import Geodesy
import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// What the place on earth decides: gravity, the earth's rotation, the magnetic field.
package struct Site: Hashable, Sendable {
    /// Unit: m/s².
    package var gravity: Double
    /// Of the earth. Frame: ENU. Unit: rad/s.
    package var earthRate: Vector3
    /// Nil where no model answers.
    package var field: GeomagneticField?
    /// Where the wearer was before the start; no fix has confirmed it.
    package var isAssumed = false

    /// Of a place whose position is not known.
    package static let standardGravity = 9.80665

    package init(position: GeodeticPosition, field: GeomagneticField?) {
        let latitude = Angle.radians(degrees: position.latitudeDegrees)
        gravity = Ellipsoid.normalGravity(latitude: latitude, height: position.ellipsoidalHeight)
        earthRate = Vector3(0, cos(latitude), sin(latitude)) * Ellipsoid.rotationRate
        self.field = field
    }
}
