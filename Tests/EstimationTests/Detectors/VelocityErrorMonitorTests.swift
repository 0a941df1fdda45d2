import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Testing

@Suite("Velocities that wander")
struct VelocityErrorMonitorTests {
    /// A receiver that rests, with errors of a minute and white ones.
    private struct Receiver {
        var positionStandardDeviation = 2.6
        var velocityStandardDeviation = 0.04
        var velocitySeconds = 15.0
        var jump: (Int) -> Vector3 = { _ in .zero }
        var interval = 1.0
        var scale = 1.0

        /// The weight at the end, and the largest.
        func weight(seconds: Double, seed: UInt64) -> (last: Double, largest: Double, growth: Double) {
            var random = Seeded(seed)
            var monitor = VelocityErrorMonitor()
            var verdict = VelocityErrorMonitor.Verdict()
            var position = random.vector(positionStandardDeviation)
            var velocity = random.vector(velocityStandardDeviation)
            let (a, b) = (exp(-interval / 60), exp(-interval / velocitySeconds))
            var (largest, growth) = (0.0, 0.0)
            for k in 0..<Int(seconds / interval) {
                position = position * a + random.vector(positionStandardDeviation * (1 - a * a).squareRoot())
                velocity = velocity * b + random.vector(velocityStandardDeviation * (1 - b * b).squareRoot())
                let fix = LocalFix(
                    time: Fixture.time(Double(k) * interval), position: (position + random.vector(1)) * scale + jump(k),
                    hasHeight: true, positionStandardDeviation: Vector3(2.8, 2.8, 5),
                    velocity: velocity + random.vector(0.12),
                    hasVerticalVelocity: true, velocityStandardDeviation: 0.15, antennaInBody: .zero, site: Walk.site)
                verdict = monitor.note(fix, delay: 0, settings: EstimatorSettings.GNSS())
                growth += verdict.positionVariance
                largest = max(largest, verdict.weight)
            }
            return (verdict.weight, largest, growth)
        }
    }

    private static let seeds = UInt64(1)...20

    @Test("are distinguished from usual ones within five minutes, on average")
    func wandering() {
        let receiver = Receiver(velocityStandardDeviation: 0.13, velocitySeconds: 60)
        let found = Self.seeds.map { receiver.weight(seconds: 300, seed: $0) }
        #expect(found.map(\.last).reduce(0, +) > 0.6 * Double(found.count))
        #expect(found.allSatisfy { $0.growth >= 0 && $0.growth < 20 })
        #expect(found.contains { $0.growth > 0.5 })
    }

    @Test("are not seen where positions alone are wrong, were it by three times as much as reported")
    func usual() {
        for receiver in [Receiver(), Receiver(scale: 3)] {
            let found = Self.seeds.map { receiver.weight(seconds: 600, seed: $0).last }
            #expect(found.reduce(0, +) < 0.1 * Double(found.count))
        }
    }

    @Test("are not seen in jumps of the positions")
    func jumps() {
        let receiver = Receiver(jump: { $0 % 60 < 20 ? Vector3(25, -10, 0) : .zero })
        let found = Self.seeds.map { receiver.weight(seconds: 600, seed: $0).last }
        #expect(found.reduce(0, +) < 0.1 * Double(found.count))
    }

    @Test("cannot be seen where velocities are rare")
    func rare() {
        let receiver = Receiver(velocityStandardDeviation: 0.13, velocitySeconds: 60, interval: 5)
        #expect(Self.seeds.allSatisfy { receiver.weight(seconds: 600, seed: $0).largest == 0 })
    }
}
