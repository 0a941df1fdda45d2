import Geometry

/// Gravity and fields at the site of a handled board.
public struct HandlingSite: Hashable, Sendable {
    /// Gravity. Unit: m/s².
    public var gravity: Double
    /// Magnetic field of the earth. Frame: ENU. Unit: microtesla.
    public var fieldENU: Vector3
    /// Angular rate of the earth relative to inertial space. Frame: ENU. Unit: rad/s.
    public var earthRateENU: Vector3

    /// A site; gravity is standard and the earth does not rotate unless given.
    public init(gravity: Double = 9.80665, fieldENU: Vector3, earthRateENU: Vector3 = .zero) {
        self.gravity = gravity
        self.fieldENU = fieldENU
        self.earthRateENU = earthRateENU
    }

    /// Zurich: 48.4 µT, 63° below the horizon and 3.3° east of north; on an earth that does not rotate, so that the
    /// output of a gyroscope at rest is its bias.
    public static let zurich = HandlingSite(fieldENU: Vector3(1.26, 21.9, -43.1))
}
