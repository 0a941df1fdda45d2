import Geometry

/// What the strap-down integration leaves behind for the covariance, summed up between its propagations.
package struct PendingPropagation: Sendable {
    /// Unit: seconds.
    package var duration = 0.0
    /// `∫R dt`.
    package var rotation = Matrix<3, 3>()
    /// `∫R·f dt`. Frame: ENU. Unit: m/s.
    package var force = Vector3.zero
    /// Integrated variances of attitude and velocity. Units: rad², (m/s)².
    package var attitudeVariance = 0.0
    package var velocityVariance = 0.0
    /// Variance of the yaw on top of that; negative where gravity's noise is not the yaw's. Unit: rad².
    package var yawVariance = 0.0
    /// Of the horizontal velocity, on top of that. Unit: (m/s)².
    package var astrayVariance = 0.0
    /// Since the states that only walk or decay were last propagated. Unit: seconds.
    package var slowDuration = 0.0
    /// Horizontal way since then. Unit: metres.
    package var way = 0.0

    package init() {}

    /// The motion has been taken into the covariance.
    mutating func endMotion() {
        let (slow, far) = (slowDuration + duration, way)
        self = PendingPropagation()
        slowDuration = slow
        way = far
    }
}
