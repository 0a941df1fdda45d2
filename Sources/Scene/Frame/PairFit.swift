import Estimation
import Geometry

/// Weighted sums over pairs of offsets over ground, a by the track and b by satellites. Frame: east, north. Unit: metres.
struct PairSums {
    private(set) var pairs = 0
    private(set) var turn = PlanarAlignment()
    /// Of the squared residuals, in variances.
    private(set) var scatter = 0.0

    mutating func add(_ a: Vector2, _ b: Vector2, weight w: Double, square: Double) {
        pairs += 1
        turn.add(a, b, weight: w)
        scatter += square
    }
}

/// The turn and scale that bring one set of offsets onto another.
struct PairFit {
    let angle: Double
    let scale: Double
    let pairs: Int
    /// Of the angle, as if all pairs were independent. Unit: rad².
    let variance: Double
    /// Rotation and scale from the track to satellites.
    let similarity: PlanarSimilarity

    /// Nil where the two have no direction in common.
    init?(_ sums: PairSums) {
        guard sums.turn.likeness > 0.3 else { return nil }
        angle = sums.turn.angle
        scale = sums.turn.scale
        pairs = sums.pairs
        // (r₁ + r₂)² is 4·1.51²/2 of the variance of the difference of two alike.
        let noise = 1 / (2 * PoseAccuracy.radius68 * PoseAccuracy.radius68)
        let excess = max(1, sums.scatter / Double(max(1, sums.pairs)))
        variance = noise * excess / sums.turn.squareOfB
        similarity = PlanarSimilarity(angle: angle, scale: scale)
    }
}
