import Geodesy
import Geometry
import Measurements

/// Ground truth at one instant of a simulated walk.
public struct WalkTruth: Hashable, Sendable {
    /// Instant of the truth.
    public var time: BootTime
    /// Position of the board.
    public var position: GeodeticPosition
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

/// Errors of sensors at rest, without noise. Frame: body.
public struct SensorBiases: Hashable, Sendable {
    /// Bias of the gyroscope. Unit: rad/s.
    public var gyroscope: Vector3
    /// Bias of the accelerometer. Unit: m/s².
    public var accelerometer: Vector3
    /// Hard iron. Unit: microtesla.
    public var magnetometer: Vector3
}
