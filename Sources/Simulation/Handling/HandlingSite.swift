import Geometry

/// Where a simulated board is handled.
public struct HandlingSite: Hashable, Sendable {
    /// Unit: m/s².
    public var gravity: Double
    /// Frame: ENU. Unit: microtesla.
    public var fieldENU: Vector3
    /// Of the earth against inertial space; a gyroscope reads it everywhere. Frame: ENU. Unit: rad/s.
    public var earthRateENU: Vector3

    public init(gravity: Double = 9.80665, fieldENU: Vector3, earthRateENU: Vector3 = .zero) {
        self.gravity = gravity
        self.fieldENU = fieldENU
        self.earthRateENU = earthRateENU
    }

    /// 48.4 µT that dip 63° below the horizon, 3.3° east of north, as in Zurich; on an earth that does not turn, so
    /// that what a resting gyroscope reads is its bias.
    public static let zurich = HandlingSite(fieldENU: Vector3(1.26, 21.9, -43.1))
}
