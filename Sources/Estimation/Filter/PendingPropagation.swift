import Geometry

/// Transition and process noise accumulated by the mechanisation between two predictions of the covariance.
package struct PendingPropagation: Sendable {
    /// Accumulated time. Unit: seconds.
    package var duration = 0.0
    /// `∫R dt`. Unit: seconds.
    package var rotation = Matrix<3, 3>()
    /// `∫R·f dt`. Frame: ENU. Unit: m/s.
    package var force = Vector3.zero
    /// Variance of the attitude by white noise, per axis. Unit: rad².
    package var attitudeVariance = 0.0
    /// Variance of the velocity by white noise, per axis. Unit: (m/s)².
    package var velocityVariance = 0.0
    /// Variance added to that of the yaw; negative where the noise assumed for levelling by gravity does not apply to
    /// the yaw. Unit: rad².
    package var yawVariance = 0.0
    /// Variance added to that of the horizontal velocity, per axis, while the heading is unobserved. Unit: (m/s)².
    package var unobservedHeadingVariance = 0.0
    /// Time since the slow states were last predicted. Unit: seconds.
    package var slowDuration = 0.0
    /// Horizontal distance since then. Unit: metres.
    package var way = 0.0

    package init() {}

    /// Resets what a prediction of the motion's covariance has consumed; the slow states keep theirs.
    mutating func endMotion() {
        let (slow, far) = (slowDuration + duration, way)
        self = PendingPropagation()
        slowDuration = slow
        way = far
    }
}
