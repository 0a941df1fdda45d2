import Geodesy
import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Gravity and earth rotation around an origin. Frame: ENU at the origin.
struct LocalForces {
    /// Angular rate of the earth relative to inertial space. Unit: rad/s.
    let earthRateENU: Vector3
    private let latitude: Double
    private let height: Double
    private let northRadius: Double
    private let eastRadius: Double

    init(origin: GeodeticPosition) {
        latitude = origin.latitudeDegrees * .pi / 180
        height = origin.ellipsoidalHeight
        northRadius = Ellipsoid.meridianRadius(latitude: latitude) + height
        eastRadius = Ellipsoid.primeVerticalRadius(latitude: latitude) + height
        earthRateENU = Ellipsoid.rotationRate * Vector3(0, cos(latitude), sin(latitude))
    }

    /// Gravity along the plumb line of a point, to first order in distance over the earth's radius.
    ///
    /// Units: metres, m/s².
    func gravityENU(at point: Vector3) -> Vector3 {
        let tilt = Vector3(point.x / eastRadius, point.y / northRadius, 1)
        let magnitude = Ellipsoid.normalGravity(latitude: latitude + tilt.y, height: height + point.z)
        return tilt * (-magnitude / tilt.norm)
    }

    /// Coriolis acceleration `−2·Ω × v`. Units: m/s, m/s².
    func coriolisAccelerationENU(_ velocityENU: Vector3) -> Vector3 {
        earthRateENU.cross(velocityENU) * -2
    }
}
