import Geometry

/// Terms that a prediction needs in addition to the newest pose, for programs that predict themselves.
///
/// Equations: docs/filter.md (58), (59).
public struct PredictionTerms: Hashable, Sendable {
    /// Recent mean squares of an acceleration and of its derivative, per axis. Frame: scene.
    public struct Variation: Hashable, Sendable {
        /// Mean squares of the acceleration.
        public var squares: Vector3
        /// Mean squares of the derivative of the acceleration.
        public var changes: Vector3
    }

    /// Angular velocity at the pose's time, from the line fitted to the last rates. Frame: body. Unit: rad/s.
    public var turningRate: Vector3
    /// Slope of the fitted line. Frame: body. Unit: rad/s².
    public var turningAcceleration: Vector3
    /// Mean acceleration over the last moments. Frame: scene. Unit: m/s².
    public var acceleration: Vector3
    /// Variation of the angular acceleration. Unit of the squares: (rad/s²)².
    public var turningVariation: Variation
    /// Variation of the acceleration. Unit of the squares: (m/s²)².
    public var movingVariation: Variation

    /// Whether every term is finite.
    public var isFinite: Bool {
        let sum =
            turningRate + turningAcceleration + acceleration + turningVariation.squares + turningVariation.changes
            + movingVariation.squares + movingVariation.changes
        return (sum.x + sum.y + sum.z).isFinite
    }
}

extension PosePredictor {
    /// Terms of a prediction from the newest pose; nil before the first.
    public var terms: PredictionTerms? {
        guard let newest else { return nil }
        let turning = motion.line(to: newest)
        return PredictionTerms(
            turningRate: turning.rate, turningAcceleration: turning.acceleration,
            acceleration: motion.meanAcceleration, turningVariation: motion.turning.variation,
            movingVariation: motion.moving.variation)
    }
}

extension Restlessness {
    var variation: PredictionTerms.Variation { PredictionTerms.Variation(squares: squares, changes: changes) }
}
