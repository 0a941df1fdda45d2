/// Hypothesis of where the wearer is, and of how the true track differs from the published one.
struct Particle: Hashable, Sendable, Codable {
    /// Position. Frame: east and north of the grid's center. Unit: metres.
    var x: Float
    var y: Float
    /// Rotation from the published to the true track. Unit: radians, counter-clockwise.
    var turn: Float
    /// Ratio of the true to the published length.
    var scale: Float
    var weight: Float
    /// Number of the storey, as in `PlacedPlan`. The plan may have no level drawn for it.
    var storey: UInt8 = 0

    @inline(__always)
    var point: SIMD2<Float> { SIMD2(x, y) }

    /// Whether the values are possible. No walk exceeds these limits, and beyond them a `Float` is too coarse.
    var isPossible: Bool {
        max(x.magnitude, y.magnitude) <= 1e6 && turn.magnitude <= 1e3 && scale.magnitude <= 10
            && (0...1.001).contains(weight)
    }
}
