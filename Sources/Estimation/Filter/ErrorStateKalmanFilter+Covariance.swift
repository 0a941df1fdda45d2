import Geometry

/// Prediction of the covariance, `P ← Φ·P·Φᵀ + Q`, by blocks: rows and columns of the motion at the rate of the
/// updates, random walks and Gauss–Markov states every `slowInterval`.
///
/// Equation: docs/filter.md (12).
extension ErrorStateKalmanFilter {
    /// Interval between two predictions of the covariance: 20 Hz, the rate of the pseudo-measurements, which need it.
    /// Rotation and velocity change over the interval are exact; the neglected terms are of third order in it. Unit:
    /// seconds.
    package static let covarianceInterval = 0.0495

    /// Predicts the covariance to the time of the state.
    package mutating func propagateCovariance() {
        guard pending.duration > 0 else { return }
        applyTransition()
        addMotionNoise()
        pending.endMotion()
        if pending.slowDuration >= Self.slowInterval { propagateSlowStates() }
        checkCovariance()
    }

    /// Number of states of the motion, the first nine: attitude, velocity, position.
    private static let motionCount = 9

    private mutating func applyTransition() {
        let transition = MotionTransition(
            rotation: pending.rotation, force: pending.force, span: pending.duration)
        // Φ·P: final everywhere but in the block of the motion itself.
        for j in 0..<ErrorState.count { carryColumn(j, by: transition) }
        for i in Self.motionCount..<ErrorState.count {
            for j in 0..<Self.motionCount { covariance.rows[i][j] = covariance.rows[j][i] }
        }
        // In that block (Φ·P)·Φᵀ is Φ·(Φ·P)ᵀ.
        for i in 0..<Self.motionCount {
            for j in 0..<i {
                let element = covariance.rows[i][j]
                covariance.rows[i][j] = covariance.rows[j][i]
                covariance.rows[j][i] = element
            }
        }
        for j in 0..<Self.motionCount { carryColumn(j, by: transition) }
        // Symmetric to the last bit.
        for i in 0..<Self.motionCount {
            for j in 0..<i { covariance.rows[i][j] = covariance.rows[j][i] }
        }
    }

    @inline(__always)
    private mutating func carryColumn(_ j: Int, by transition: MotionTransition) {
        @inline(__always)
        func part(_ offset: Int) -> Vector3 {
            Vector3(covariance.rows[offset][j], covariance.rows[offset + 1][j], covariance.rows[offset + 2][j])
        }
        let carried = transition.carry(
            MotionTransition.Errors(
                attitude: part(ErrorState.attitude), velocity: part(ErrorState.velocity),
                position: part(ErrorState.position), gyroBias: part(ErrorState.gyroBias),
                accelerometerBias: part(ErrorState.accelerometerBias)))
        @inline(__always)
        func put(_ vector: Vector3, at offset: Int) {
            covariance.rows[offset][j] = vector.x
            covariance.rows[offset + 1][j] = vector.y
            covariance.rows[offset + 2][j] = vector.z
        }
        put(carried.attitude, at: ErrorState.attitude)
        put(carried.velocity, at: ErrorState.velocity)
        put(carried.position, at: ErrorState.position)
    }

    /// Adds the integrated white noise of the inertial sensors.
    ///
    /// Equation: docs/filter.md (16).
    private mutating func addMotionNoise() {
        let span = pending.duration
        covariance.rows[ErrorState.yaw][ErrorState.yaw] += pending.yawVariance
        for i in 0..<3 {
            let velocity = pending.velocityVariance + (i < 2 ? pending.unobservedHeadingVariance : 0)
            let (p, v) = (ErrorState.position + i, ErrorState.velocity + i)
            covariance.rows[ErrorState.attitude + i][ErrorState.attitude + i] += pending.attitudeVariance
            covariance.rows[v][v] += velocity
            covariance.rows[p][p] += velocity * span * span / 3
            covariance.rows[p][v] += velocity * span / 2
            covariance.rows[v][p] += velocity * span / 2
        }
    }
}
