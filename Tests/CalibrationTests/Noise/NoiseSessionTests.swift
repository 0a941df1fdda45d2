import Calibration
import Geometry
import Model
import Simulation
import Testing

@Suite("Allan's deviation")
struct NoiseSessionTests {
    private static var axes: [KeyPath<Vector3, Double>] { [\.x, \.y, \.z] }

    /// As it is defined, from all samples at once.
    private static func overlapping(_ values: [Double], _ cluster: Int) -> Double {
        var sums = [0.0]
        for value in values { sums.append(sums[sums.count - 1] + (value - values[0])) }
        let windows = values.count - 2 * cluster + 1
        let squares = (0..<windows).reduce(0.0) { total, first in
            let difference = sums[first + 2 * cluster] - 2 * sums[first + cluster] + sums[first]
            return total + difference * difference
        }
        return (squares / (2 * Double(cluster * cluster) * Double(windows))).squareRoot()
    }

    @Test(
        "of a board that lay still for seven minutes it is at 1 s what others computed, in counts",
        .enabled(if: RecordedTable.has("static_mpu6050_7min/imu_raw.csv.gz")))
    func recorded() throws {
        let table = try RecordedTable("static_mpu6050_7min/imu_raw.csv.gz")
        var session = NoiseSession(settings: CalibrationSettings(unit: .arbitrary))
        for measurement in try table.inertialMeasurements() { session.feed(measurement) }
        let result = session.result()
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        // By reference.json: the sheet's scales are 131 counts by °/s and 16384 by g.
        let (rate, force) = (Double.pi / 180 / 131, 9.80665 / 16384)
        let expected = [
            0.0001309 / rate, 0.0001947 / rate, 0.0001602 / rate, 0.003128 / force, 0.002983 / force, 0.004388 / force,
        ]
        try #require(result.noise.count == expected.count)
        for (axis, noise) in result.noise.enumerated() {
            let point = try #require(noise.curve.first { abs($0.tau - 1) < 1e-6 })
            #expect(abs(point.deviation / expected[axis] - 1) < 0.01, "axis \(axis)")
            // White above the low-pass: the random walk goes through it.
            let walk = try #require(noise.randomWalk)
            #expect(abs(walk / expected[axis] - 1) < 0.1, "axis \(axis)")
        }
    }

    @Test("from a stream in levels it is the one from all samples at once")
    func levels() throws {
        var random = RandomSource(seed: 5)
        var session = NoiseSession()
        var values: [[Double]] = [[], [], []]
        var walk = 0.0
        for index in 0..<30_000 {
            walk += 0.05 * random.normal()
            let rate = Vector3(random.normal(), walk + random.normal(), walk)
            for axis in 0..<3 { values[axis].append(rate[keyPath: Self.axes[axis]]) }
            let time = BootTime(nanoseconds: Int64(index) * 10_000_000)
            session.feed(.angularRate(AngularRateSample(time: time, rate: rate * 1e-3)))
        }
        let noise = session.result().noise
        for axis in 0..<3 {
            #expect(noise[axis].curve.count > 30)
            for point in noise[axis].curve {
                let exact = 1e-3 * Self.overlapping(values[axis], Int((point.tau * 100).rounded()))
                // Sample by sample up to 32 and at a second; beyond, windows a 19th to a 32nd of the cluster apart,
                // whose sum differs the more the fewer there are.
                let limit = point.tau < 0.33 || abs(point.tau - 1) < 1e-6 ? 1e-9 : 0.15 * point.uncertainty
                #expect(abs(point.deviation / exact - 1) < limit, "axis \(axis), \(point.tau) s")
            }
        }
    }

    /// Relative errors of N, B and K over the axes of some records, and the same in predicted standard deviations.
    private static func errors(
        _ noise: SimulatedNoise, rate: Double, seconds: Double, seeds: ClosedRange<UInt64>
    ) -> [[(relative: Double, normalized: Double)]] {
        var errors: [[(Double, Double)]] = [[], [], []]
        for seed in seeds {
            var session = NoiseSession()
            noise.feed(rate: rate, seconds: seconds, seed: seed) { session.feed($0) }
            for axis in session.result().noise {
                let coefficients = [
                    (axis.randomWalk, axis.uncertainties.randomWalk, noise.randomWalk),
                    (axis.biasInstability, axis.uncertainties.biasInstability, noise.biasInstability),
                    (axis.rateRandomWalk, axis.uncertainties.rateRandomWalk, noise.rateRandomWalk),
                ]
                for (index, (value, uncertainty, truth)) in coefficients.enumerated() {
                    guard let value, let uncertainty else { continue }
                    errors[index].append((value / truth - 1, (value / truth - 1) / uncertainty))
                }
            }
        }
        return errors
    }

    @Test("coefficients come out as they were put in, and as exactly as predicted")
    func coefficients() {
        // White noise, flicker and random walk over six hours.
        let noise = SimulatedNoise(randomWalk: 2e-3, biasInstability: 1e-3, rateRandomWalk: 2e-4)
        let errors = Self.errors(noise, rate: 10, seconds: 6 * 3600, seeds: 1...4)
        for (index, name) in ["N", "B", "K"].enumerated() {
            let count = Double(errors[index].count)
            #expect(count > 22, "\(name) is determined")
            let rms = (errors[index].reduce(0) { $0 + $1.relative * $1.relative } / count).squareRoot()
            let normalized = (errors[index].reduce(0) { $0 + $1.normalized * $1.normalized } / count).squareRoot()
            #expect(rms < 0.1, "\(name)")
            #expect((0.5...1.4).contains(normalized), "\(name)")
        }
    }

    @Test("processes that are absent are not reported")
    func absent() {
        let noise = SimulatedNoise(randomWalk: 1e-3, biasInstability: 0, rateRandomWalk: 0)
        var reported = 0
        for seed in 1...5 as ClosedRange<UInt64> {
            var session = NoiseSession()
            noise.feed(rate: 20, seconds: 1800, seed: seed) { session.feed($0) }
            let result = session.result()
            #expect(result.noise.count == 6)
            for axis in result.noise {
                #expect(abs((axis.randomWalk ?? 0) / 1e-3 - 1) < 0.03)
                reported +=
                    [axis.quantisation, axis.biasInstability, axis.rateRandomWalk, axis.rateRamp]
                    .compactMap { $0 }.count
            }
            #expect(result.verdict.reason.contains("longer record"))
        }
        // Of 120, at 1 % each.
        #expect(reported <= 5)
    }
}
