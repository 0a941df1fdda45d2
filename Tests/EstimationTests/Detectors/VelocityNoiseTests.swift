import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Testing

@Suite("White noise of the receiver's velocities")
struct VelocityNoiseTests {
    private static let usual = 0.6
    /// Of the state, before a fix. Unit: (m/s)².
    private static let predicted = 0.002
    /// Unit: m/s.
    private static let reported = 0.13

    /// - Parameter noise: true white noise of a component. Unit: m/s.
    private static func learned(
        noise: Double, predicted: Double = predicted, fixes: Int = 200, seed: UInt64 = 1
    ) -> VelocityNoise {
        var random = RandomSource(seed: seed, stream: 7)
        var learned = VelocityNoise()
        let standardDeviation = (noise * noise + predicted).squareRoot()
        for _ in 0..<fixes {
            let (east, north) = (standardDeviation * random.normal(), standardDeviation * random.normal())
            learned.note(
                square: (east * east + north * north) / 2, predicted: predicted, reported: reported, usual: usual)
        }
        return learned
    }

    @Test("is what the setting says before the first fix")
    func beforeTheFirst() {
        #expect(VelocityNoise().share(usual: Self.usual) == Self.usual)
    }

    @Test("is found where the receiver does not smooth", arguments: 1...8 as ClosedRange<UInt64>)
    func isFound(seed: UInt64) {
        let share = Self.learned(noise: 0.12, seed: seed).share(usual: Self.usual)
        #expect((0.75...1.1).contains(share), "\(share), true is 0.92")
    }

    @Test("is not less than the setting where a receiver seems perfect", arguments: [0.0, 0.04])
    func seemsPerfect(noise: Double) {
        #expect(Self.learned(noise: noise).share(usual: Self.usual) == Self.usual)
    }

    @Test("is not moved far by an outlier")
    func outlier() {
        var learned = Self.learned(noise: 0.078)
        let before = learned.share(usual: Self.usual)
        learned.note(square: 1e6, predicted: Self.predicted, reported: Self.reported, usual: Self.usual)
        #expect(learned.share(usual: Self.usual) < 1.15 * before)
    }

    @Test("is at most three times the setting")
    func largest() {
        #expect(Self.learned(noise: 50).share(usual: Self.usual) <= 3 * Self.usual)
    }

    @Test("stays as it is while the velocity itself is unknown")
    func unknownVelocity() {
        let learned = Self.learned(noise: 0.3, predicted: 9)
        #expect(learned == VelocityNoise())
    }

    @Test("is found on a walk within a minute and a half", arguments: [1, 2, 3, 4] as [UInt64])
    func onAWalk(seed: UInt64) throws {
        let walk = GaitFixture.walk(seed: seed, rate: 200)
        var odometry = Odometry(settings: .calibrated)
        for measurement in GaitFixture.measurements(walk, seconds: 90) { odometry.feed(measurement) { _ in } }
        let filter = odometry.filter
        let share = try #require(filter).gnss.velocityNoise.share(usual: Self.usual)
        #expect((0.7...1.15).contains(share), "\(share), true is 0.92")
    }
}
