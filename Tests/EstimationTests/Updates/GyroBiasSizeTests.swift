import Estimation
import EstimatorFixtures
import Geometry
import Testing

@Suite("Size of the gyroscope bias")
struct GyroBiasSizeTests {
    /// Standard deviation of a sensor as delivered, and of one that is corrected. Units: rad/s.
    private static let (delivered, corrected) = (0.052, 0.0026)

    /// Covariance of an estimate that knows two axes. Unit: rad²/s².
    ///
    /// - Parameter vertical: standard deviation of the third axis. Unit: rad/s.
    private static func covariance(horizontal: Double = 0.002, vertical: Double = delivered) -> Matrix<3, 3> {
        var result = Matrix<3, 3>()
        (result[0, 0], result[1, 1]) = (horizontal * horizontal, horizontal * horizontal)
        result[2, 2] = vertical * vertical
        return result
    }

    private static func prior() -> GyroBiasPrior { GyroBiasPrior(standardDeviation: delivered) }

    /// Standard deviation of a third axis of which nothing else is known.
    private static func standardDeviation(after gain: Double) -> Double {
        (1 / (1 / (delivered * delivered) + gain)).squareRoot()
    }

    @Test("is known by two small axes")
    func small() throws {
        var prior = Self.prior()
        let found = prior.gain(bias: Vector3(0.001, -0.002, 0), covariance: Self.covariance())
        let gain = try #require(found)
        let left = Self.standardDeviation(after: gain)
        #expect(left > Self.corrected && left < 0.0175, "below 1 °/s")
        let share = 1 / (1 + gain * 0.002 * 0.002)
        let applied = Self.covariance(horizontal: 0.002 * share.squareRoot(), vertical: left)
        #expect(prior.gain(bias: share * Vector3(0.001, -0.002, 0), covariance: applied) == nil, "once")
    }

    @Test(
        "is not known by a large axis, nor before any axis is known",
        arguments: [(Vector3(0.02, 0.001, 0), 0.002), (Vector3(0.004, -0.012, 0), 0.002), (Vector3.zero, 0.03)])
    func large(bias: Vector3, horizontal: Double) {
        var prior = Self.prior()
        #expect(prior.gain(bias: bias, covariance: Self.covariance(horizontal: horizontal)) == nil)
    }

    @Test("is doubted once the third axis is seen to be large, and then left alone")
    func contradicted() throws {
        var prior = Self.prior()
        let found = prior.gain(bias: .zero, covariance: Self.covariance())
        let gain = try #require(found)
        let seen = (bias: Vector3(0, 0, 0.03), covariance: Self.covariance(vertical: 0.004))
        let taken = prior.gain(bias: seen.bias, covariance: seen.covariance)
        #expect(abs(try #require(taken) + gain) < 1e-9 * gain, "all of it is taken back")
        #expect(prior.gain(bias: .zero, covariance: Self.covariance()) == nil)
        // Never is an axis left with less than a sensor as delivered has.
        let left = 1 / (1 / (0.04 * 0.04) + prior.bounded(-gain, variance: 0.04 * 0.04))
        #expect(abs(left / (Self.delivered * Self.delivered) - 1) < 1e-9)
        #expect(prior.bounded(-gain, variance: 0.06 * 0.06) == 0)
    }

    @Test("is of no interest with a calibration")
    func calibrated() {
        var prior = GyroBiasPrior(standardDeviation: 0.002)
        #expect(prior.gain(bias: .zero, covariance: Self.covariance(horizontal: 5e-4, vertical: 0.002)) == nil)
    }

    @Test("is wrong of few sensors as delivered, and right of those that are corrected", arguments: [7, 8] as [UInt64])
    func population(seed: UInt64) {
        var random = Seeded(seed)
        func gained(_ size: Double) -> (share: Double, within: Double) {
            var (count, within) = (0, 0)
            for _ in 0..<4000 {
                let (truth, noise) = (random.vector(size), random.vector(0.002))
                var prior = Self.prior()
                let bias = Vector3(truth.x + noise.x, truth.y + noise.y, 0)
                guard let gain = prior.gain(bias: bias, covariance: Self.covariance()) else { continue }
                count += 1
                if truth.z.magnitude < 3 * Self.standardDeviation(after: gain) { within += 1 }
            }
            return (Double(count) / 4000, Double(within) / Double(max(1, count)))
        }
        #expect(gained(Self.delivered).share < 0.02)
        let corrected = gained(Self.corrected)
        #expect(corrected.share > 0.9 && corrected.within > 0.997)
    }
}
