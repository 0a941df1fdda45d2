import Geometry

/// Pseudo-measurements that hold the body in place while neither position nor velocity is measured.
extension ErrorStateKalmanFilter {
    /// Applies a zero velocity, and the position of the anchor.
    ///
    /// Equations: docs/filter.md (38), (39).
    mutating func holdPlace(over span: Double) {
        let p = ErrorState.position
        unaided.hold(variance: (covariance.rows[p][p] + covariance.rows[p + 1][p + 1]) / 2)
        let noise = settings.unaided
        let mask = GainMask.all.subtracting([.yaw, .stepScale, .walkingDirection])
        // A barometer measures climbs: nothing is assumed of the height then.
        var spread = Matrix<3, 3>.identity
        if pressure.isAtWork(at: state.time) { spread[2, 2] = Self.climbingSpread }
        correct(
            innovation: column(-state.velocity), jacobian: Self.identityJacobian(ErrorState.velocity),
            noise: (noise.velocityNoise * noise.velocityNoise / span) * spread, mask: mask, gate: nil)
        correct(
            innovation: column(unaided.anchor - state.position),
            jacobian: Self.identityJacobian(ErrorState.position),
            noise: (noise.positionNoise * noise.positionNoise / span) * spread, mask: mask, gate: nil)
    }

    /// Factor of the variances of the vertical pseudo-measurements beside a barometer.
    private static let climbingSpread = 1e4
}
