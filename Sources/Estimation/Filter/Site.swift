import Geodesy
import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Properties of a place on earth: gravity, rotation of the earth, magnetic field.
package struct Site: Hashable, Sendable {
    /// Normal gravity. Unit: m/s².
    package var gravity: Double
    /// Rotation of the earth. Frame: ENU. Unit: rad/s.
    package var earthRate: Vector3
    /// Magnetic field by the model; nil without a model.
    package var field: GeomagneticField?
    /// Whether the place is that of an earlier run, which no fix has confirmed.
    package var isAssumed = false

    /// Gravity while the position is unknown. Unit: m/s².
    package static let standardGravity = 9.80665

    package init(position: GeodeticPosition, field: GeomagneticField?) {
        let latitude = Angle.radians(degrees: position.latitudeDegrees)
        gravity = Ellipsoid.normalGravity(latitude: latitude, height: position.ellipsoidalHeight)
        earthRate = Vector3(0, cos(latitude), sin(latitude)) * Ellipsoid.rotationRate
        self.field = field
    }
}
