/// One guess of where the wearer is, and of how the published way differs from the true one.
struct Particle: Hashable, Sendable, Codable {
    /// Position. Frame: east and north of the grid's center. Unit: metres.
    var x: Float
    var y: Float
    /// Rotation of the true way from the published one. Unit: radians, counter-clockwise.
    var turn: Float
    /// Ratio of the true to the published length.
    var scale: Float
    /// Share in the whole.
    var weight: Float
    /// Storey, as its plan numbers them. There may be none drawn on it.
    var storey: UInt8 = 0

    @inline(__always)
    var point: SIMD2<Float> { SIMD2(x, y) }

    /// Whether it can be what a walk has led to: beyond this no walk leads, nor do the numbers resolve a step.
    var isPossible: Bool {
        max(x.magnitude, y.magnitude) <= 1e6 && turn.magnitude <= 1e3 && scale.magnitude <= 10
            && (0...1.001).contains(weight)
    }
}
