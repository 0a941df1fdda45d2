import Geometry

/// Finds the rotation between pairs of vectors, one in the gyro frame and one in ENU. The drift of the gyro frame
/// rotates all pairs by the same angle, so adding pairs does not reduce the error due to this drift.
///
/// Equations: docs/filter.md (48) to (50).
struct DriftingAlignment {
    private var alignment = RobustPlanarAlignment()
    /// Weighted sum of the drifts. Unit: radians times the weight.
    private var drifts = 0.0
    /// Sum of the weights.
    private(set) var weight = 0.0

    /// Rotation and scale that fit the pairs best.
    var fit: PlanarAlignment { alignment.fit }

    /// Variance of the angle due to the noise of the pairs, if the scale is 1. Unit: rad².
    var variance: Double { alignment.variance }

    /// Variance of the angle due to the drift, which all pairs share. Unit: rad².
    var driftVariance: Double {
        let mean = drifts / max(1e-300, weight)
        return mean * mean
    }

    /// Adds a pair.
    ///
    /// - Parameters:
    ///   - inertial: vector from the inertial sensors. Frame: gyro frame.
    ///   - received: vector from the receiver. Frame: ENU.
    ///   - noise: variance of the noise of both vectors, per axis.
    ///   - drift: standard deviation of the gyro frame's drift since the time of the pair. Unit: radians.
    ///   - answer: rotation and scale found in the previous round; nil in the first round.
    /// - Returns: weight of the pair in the angle.
    @discardableResult
    mutating func add(
        _ inertial: Vector2, _ received: Vector2, noise: Double, drift: Double, against answer: PlanarSimilarity?
    ) -> Double {
        let variance = noise + inertial.squaredNorm * drift * drift
        let own = alignment.add(inertial, received, variance: variance, against: answer)
        weight += own
        drifts += own * drift
        return own
    }
}
