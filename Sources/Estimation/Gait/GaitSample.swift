import Geometry

/// Inertial sample for the detection of steps.
package struct GaitSample: Sendable {
    /// Acceleration: specific force without gravity. Frame: ENU. Unit: m/s².
    package var acceleration: Vector3
    /// Angular rate. Frame: ENU. Unit: rad/s.
    package var rate: Vector3
    package var rotationENUFromBody: Matrix<3, 3>

    package init(acceleration: Vector3, rate: Vector3, rotationENUFromBody: Matrix<3, 3> = .identity) {
        self.acceleration = acceleration
        self.rate = rate
        self.rotationENUFromBody = rotationENUFromBody
    }
}
