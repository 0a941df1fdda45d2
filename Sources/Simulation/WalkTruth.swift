import Geodesy
import Geometry
import Model

/// What is really so at one instant of a simulated walk.
public struct WalkTruth: Hashable, Sendable {
    public var time: BootTime
    public var position: GeodeticPosition
    /// Frame: ENU at the walk's origin. Unit: metres.
    public var positionENU: Vector3
    /// Frame: ENU at the walk's origin. Unit: m/s.
    public var velocityENU: Vector3
    /// Frame: ENU at the walk's origin. Unit: m/s².
    public var accelerationENU: Vector3
    /// Frame: ENU at the walk's origin, true north, from body.
    public var rotationENUFromBody: Rotation3
    /// Against the earth. Frame: body. Unit: rad/s.
    public var angularVelocityInBody: Vector3
    /// Against inertial space, the earth's rotation in it: what a perfect gyroscope reads. Frame: body. Unit: rad/s.
    public var angularRateInBody: Vector3
    /// What a perfect accelerometer reads. Frame: body. Unit: m/s².
    public var specificForceInBody: Vector3
    /// Direction of the line of sight (body −z), clockwise from true north, radians in [0, 2π).
    public var heading: Double
}

/// What resting sensors read besides the truth, the noise apart. Frame: body.
public struct SensorBiases: Hashable, Sendable {
    /// Unit: rad/s.
    public var gyroscope: Vector3
    /// Unit: m/s².
    public var accelerometer: Vector3
    /// Hard iron. Unit: microtesla.
    public var magnetometer: Vector3
}
