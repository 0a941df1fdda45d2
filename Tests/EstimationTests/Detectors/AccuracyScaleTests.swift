import Estimation
import EstimatorFixtures
import Testing

@Suite("Scale of a receiver's figures")
struct AccuracyScaleTests {
    /// Innovations of three dimensions, `times` as large as the receiver says, of which `share` is in its figures.
    private func scale(times: Double, count: Int, seed: UInt64) -> AccuracyScale {
        var random = Seeded(seed)
        var scale = AccuracyScale()
        for _ in 0..<count {
            let innovation = random.vector(times / scale.value)
            scale.note(
                normalizedInnovationSquared: innovation.squaredNorm, degreesOfFreedom: 3, interval: 1, over: 60,
                maximum: 6)
        }
        return scale
    }

    @Test("stays near one for a consistent receiver, and at one for a cautious one", arguments: UInt64(1)...10)
    func consistent(seed: UInt64) {
        // The wander of a mean over a minute of squares: √(2/3/120) of the logarithm, 7 %.
        #expect(scale(times: 1, count: 600, seed: seed).value < 1.3)
        #expect(scale(times: 0.3, count: 600, seed: seed).value == 1)
    }

    @Test("finds the factor of an over-optimistic receiver, within limits", arguments: [1.5, 3, 5], UInt64(1)...3)
    func overOptimistic(times: Double, seed: UInt64) {
        let found = scale(times: times, count: 600, seed: seed).value
        #expect(abs(found / times - 1) < 0.25)
        #expect(scale(times: 100, count: 600, seed: seed).value <= 6 + 1e-9)
    }

    @Test("finds large factors to 10 % on average", arguments: [3.0, 5])
    func unbiased(times: Double) {
        let found = (UInt64(1)...20).map { scale(times: times, count: 600, seed: $0).value }
        #expect(abs(found.reduce(0, +) / Double(found.count) / times - 1) < 0.1)
    }

    @Test("hardly moves for a burst")
    func burst() {
        var scale = AccuracyScale()
        for _ in 0..<3 {
            scale.note(normalizedInnovationSquared: 1e9, degreesOfFreedom: 3, interval: 1, over: 60, maximum: 6)
        }
        #expect(scale.value < 1.2)
    }

    @Test("says only growth beyond all before")
    func growth() {
        var scale = AccuracyScale()
        var product = 1.0
        for square in [30.0, 0, 0, 30, 30, 0, 30] {
            product *= scale.note(
                normalizedInnovationSquared: square, degreesOfFreedom: 3, interval: 1, over: 60, maximum: 6)
        }
        #expect(product >= scale.value * (1 - 1e-12) && product < 1.25)
    }
}
