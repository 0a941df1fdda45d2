import Geometry
import Glibc
import Model

/// Ground truth at one instant of a simulated walk.
public struct WalkTruth: Hashable, Sendable {
    package var time: BootTime
    package var position: GeodeticPosition
    /// Position. Frame: ENU at the walk's origin. Unit: metres.
    public var positionENU: Vector3
    /// Velocity. Frame: ENU at the walk's origin. Unit: m/s.
    public var velocityENU: Vector3
    /// Acceleration. Frame: ENU at the walk's origin. Unit: m/s².
    public var accelerationENU: Vector3
    /// Rotation to ENU (true north) at the walk's origin from body.
    public var rotationENUFromBody: Rotation3
    /// Angular velocity relative to the earth. Frame: body. Unit: rad/s.
    public var angularVelocityInBody: Vector3
    /// Angular rate relative to inertial space, as an error-free gyroscope reads it. Frame: body. Unit: rad/s.
    public var angularRateInBody: Vector3
    /// Specific force, as an error-free accelerometer reads it. Frame: body. Unit: m/s².
    public var specificForceInBody: Vector3
    /// Heading of the line of sight (body −z), clockwise from true north, in [0, 2π). Unit: radians.
    public var heading: Double
}

/// Errors that the sensors have at rest, without noise, and the gyroscope's scale error. Frame: body.
public struct SensorBiases: Hashable, Sendable {
    /// Bias of the gyroscope. Unit: rad/s.
    public var gyroscope: Vector3
    /// Bias of the accelerometer. Unit: m/s².
    public var accelerometer: Vector3
    /// Hard iron. Unit: microtesla.
    public var magnetometer: Vector3
    /// Relative scale error of the gyroscope; positive if the measured rate is too large.
    public var gyroscopeScale: Vector3
}

extension WalkTruth {
    /// Computes the readings of error-free sensors for a motion of the board.
    ///
    /// - Parameter heading: heading of the line of sight in [0, 2π), if it is known from the motion; nil if it is to be
    ///   derived from the attitude. Unit: radians.
    init(
        _ board: BoardMotion, heading: Double? = nil, time: BootTime, plane: LocalTangentPlane, forces: LocalForces
    ) {
        guard let position = plane.position(ofENU: board.position) else {
            preconditionFailure("the motion is finite")
        }
        let rotationBodyFromENU = board.rotationENUFromBody.inverse
        let forceENU =
            board.acceleration - forces.gravityENU(at: board.position)
            - forces.coriolisAccelerationENU(board.velocity)
        self.init(
            time: time, position: position, positionENU: board.position, velocityENU: board.velocity,
            accelerationENU: board.acceleration, rotationENUFromBody: board.rotationENUFromBody,
            angularVelocityInBody: board.rate,
            angularRateInBody: board.rate + rotationBodyFromENU * forces.earthRateENU,
            specificForceInBody: rotationBodyFromENU * forceENU,
            heading: heading ?? Self.heading(board.rotationENUFromBody))
    }

    private static func heading(_ rotationENUFromBody: Rotation3) -> Double {
        let sight = rotationENUFromBody * Vector3(0, 0, -1)
        let heading = atan2(sight.x, sight.y)
        return heading < 0 ? heading + 2 * .pi : heading
    }
}

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

    /// Gravity along the plumb line of a point, to first order in the ratio of its distance to the earth's radius.
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
