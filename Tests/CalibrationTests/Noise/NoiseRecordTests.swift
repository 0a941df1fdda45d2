import Calibration
import Geometry
import Model
import Simulation
import Testing

@Suite("Records of noise that are not as they should be")
struct NoiseRecordTests {
    private static let noise = SimulatedNoise(randomWalk: 1e-3, biasInstability: 0, rateRandomWalk: 0)

    /// A record of noise with something done to its measurements, which are numbered in pairs.
    private static func result(
        rate: Double = 50, seconds: Double = 600, settings: CalibrationSettings = CalibrationSettings(),
        _ change: (Double, Measurement) -> Measurement?
    ) -> CalibrationResult {
        var session = NoiseSession(settings: settings)
        noise.feed(rate: rate, seconds: seconds, seed: 3) { measurement in
            if let changed = change(measurement.time.seconds - 1, measurement) { session.feed(changed) }
        }
        return session.result()
    }

    private static func moved(_ measurement: Measurement, by rate: Double, force: Double = 0) -> Measurement {
        switch measurement {
        case .angularRate(var sample):
            sample.rate += Vector3(rate, 0, -rate)
            return .angularRate(sample)
        case .specificForce(var sample):
            sample.force += Vector3(0, force, force)
            return .specificForce(sample)
        default: return measurement
        }
    }

    private static func isWhite(_ result: CalibrationResult) -> Bool {
        result.noise.count == 6
            && result.noise.allSatisfy { axis in
                axis.curve.allSatisfy {
                    abs($0.deviation * $0.tau.squareRoot() / 1e-3 - 1) < max(0.03, 4 * $0.uncertainty)
                } && abs((axis.randomWalk ?? 0) / 1e-3 - 1) < 0.05 && (axis.deviation(at: 30) ?? 0) > 0
            }
    }

    @Test("gaps and missing samples change nothing but how much there is")
    func gaps() {
        var random = RandomSource(seed: 2)
        let missing = Self.result { _, measurement in random.uniform() < 0.02 ? nil : measurement }
        #expect(missing.verdict.isAccepted, "\(missing.verdict.reason)")
        #expect(Self.isWhite(missing))
        let gaps = Self.result { seconds, measurement in
            (100..<107.3).contains(seconds) || (300..<340).contains(seconds) ? nil : measurement
        }
        #expect(gaps.verdict.isAccepted, "\(gaps.verdict.reason)")
        #expect(Self.isWhite(gaps))
    }

    @Test("stamps may be uneven, or those of batches")
    func stamps() {
        func stamped(_ measurement: Measurement, _ seconds: Double) -> Measurement {
            let time = BootTime(nanoseconds: Int64(seconds * 1e9))
            switch measurement {
            case .angularRate(var sample):
                sample.time = time
                return .angularRate(sample)
            case .specificForce(var sample):
                sample.time = time
                return .specificForce(sample)
            default: return measurement
            }
        }
        var random = RandomSource(seed: 2)
        let uneven = Self.result { seconds, measurement in
            stamped(measurement, seconds + random.uniform(in: -0.006...0.006))
        }
        #expect(Self.isWhite(uneven))
        let batches = Self.result { seconds, measurement in stamped(measurement, (seconds * 5).rounded(.up) / 5) }
        #expect(Self.isWhite(batches))
    }

    @Test("movement is left out, with the place where it was")
    func movement() {
        let knock = Self.result { seconds, measurement in
            (200..<202.5).contains(seconds) ? Self.moved(measurement, by: 0.2 * (seconds - 200)) : measurement
        }
        #expect(knock.verdict.isAccepted)
        #expect(Self.isWhite(knock))
        #expect(knock.verdict.reason.contains("the board moved: at 3:20 for"), "\(knock.verdict.reason)")
        // Laid down anew: gravity points elsewhere from then on.
        let turned = Self.result { seconds, measurement in
            let isMoving = (200..<202.5).contains(seconds)
            return Self.moved(measurement, by: isMoving ? 0.5 : 0, force: seconds > 201 ? 2 : 0)
        }
        #expect(turned.verdict.isAccepted)
        #expect(Self.isWhite(turned))
        let often = Self.result { seconds, measurement in
            Self.moved(measurement, by: Int(seconds) % 10 == 3 ? 0.2 * (seconds - seconds.rounded(.down)) : 0)
        }
        #expect(often.verdict.refusal == .moved, "\(often.verdict.reason)")
    }

    @Test("a hand is no place for it")
    func hand() {
        let swayed = Self.result { seconds, measurement in
            let angle = 0.03 * (seconds.truncatingRemainder(dividingBy: 7) - 3.5)
            return Self.moved(measurement, by: angle, force: 9 * angle)
        }
        #expect(swayed.verdict.refusal == .moved, "\(swayed.verdict.reason)")
    }

    @Test("what is wrong with a sensor is named")
    func faults() {
        func rates(_ change: @escaping (Double, inout Vector3) -> Bool) -> CalibrationResult {
            Self.result(seconds: 200) { seconds, measurement in
                guard case .angularRate(var sample) = measurement else { return measurement }
                return change(seconds, &sample.rate) ? .angularRate(sample) : nil
            }
        }
        let notFinite = rates { seconds, rate in
            if (50..<50.1).contains(seconds) { rate.y = .nan }
            return true
        }
        #expect(notFinite.verdict.refusal == .notFinite)
        let constant = rates { _, rate in
            rate.z = 0.25
            return true
        }
        #expect(constant.verdict.refusal == .constantChannel)
        let silent = rates { seconds, _ in seconds < 90 }
        #expect(silent.verdict.refusal == .silent)
        #expect(silent.verdict.reason.contains("stopped at 1:29 of 3:19"), "\(silent.verdict.reason)")
        #expect(Self.result(seconds: 40) { $1 }.verdict.refusal == .tooFewSamples)
        let gyroscopeAlone = Self.result {
            guard case .specificForce = $1 else { return $1 }
            return nil
        }
        #expect(gyroscopeAlone.verdict.isAccepted)
        #expect(gyroscopeAlone.noise.count == 6)
        #expect(gyroscopeAlone.noise[3].curve.isEmpty)
    }

    /// A record written by a clock of its own: in two of five half seconds most rows repeat what was measured before.
    private struct Logger {
        private var random = RandomSource(seed: 8)
        private var half = -1
        private var isHeld = false
        private var held: (rate: Vector3, force: Vector3) = (.zero, .zero)

        mutating func row(_ measurement: Measurement) -> Measurement {
            let halves = measurement.time.seconds * 2
            if Int(halves) != half { (half, isHeld) = (Int(halves), random.uniform() < 0.4) }
            let repeats = isHeld && halves.truncatingRemainder(dividingBy: 1) > 0.25
            switch measurement {
            case .angularRate(var sample):
                if repeats { sample.rate = held.rate }
                held.rate = sample.rate
                return .angularRate(sample)
            case .specificForce(var sample):
                if repeats { sample.force = held.force }
                held.force = sample.force
                return .specificForce(sample)
            default: return measurement
            }
        }
    }

    @Test("rows that repeat what was measured before are left out, and counted")
    func repeatedRows() throws {
        var (session, logger) = (NoiseSession(), Logger())
        Self.noise.feed(rate: 50, seconds: 1200, seed: 5) { session.feed(logger.row($0)) }
        let result = session.result()
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        for axis in result.noise { #expect(abs((axis.randomWalk ?? 0) / 1e-3 - 1) < 0.07) }
        let reason = result.verdict.reason
        #expect(reason.contains("deviations of long clusters are uncertain"), "\(reason)")
        #expect(reason.contains("of the gyroscope's 60000 rows and"), "\(reason)")
        #expect(reason.contains("of the accelerometer's 60000 rows repeat the one before, and were left out"))
        // Three quarters of two fifths.
        let share = try #require(reason.firstMatch(of: /(\d+) % of the gyroscope's/)).1
        #expect((27...33).contains(try #require(Int(share))))
    }

    @Test("a gyroscope's bias comes from such a record too")
    func repeatedRowsOfARest() throws {
        var (session, logger) = (GyroscopeSession(), Logger())
        let noise = SimulatedNoise(randomWalk: 1e-4, biasInstability: 0, rateRandomWalk: 0)
        noise.feed(rate: 100, seconds: 50, seed: 6) { session.feed(logger.row($0)) }
        let result = session.result()
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        #expect(result.verdict.reason.contains("rows repeat the one before, and were left out"))
        let fit = try #require(result.fits.first)
        // 1e-4 rad/√s over 50 s, of which a third was not measured: four standard deviations.
        #expect(fit.bias.norm < 4 * 1e-4 / 30.0.squareRoot())
        let deviation = fit.biasStandardDeviation.x / (1e-4 / 50.0.squareRoot())
        #expect((0.6...2).contains(deviation), "\(deviation)")
    }

    @Test("a coarse converter repeats values by chance, and nothing is left out for it")
    func coarse() {
        let coarse = Self.result { _, measurement in
            func rounded(_ value: Vector3) -> Vector3 {
                Vector3(value.x.rounded(), value.y.rounded(), value.z.rounded()) * 0.01
            }
            switch measurement {
            case .angularRate(var sample):
                sample.rate = rounded(sample.rate * 100)
                return .angularRate(sample)
            case .specificForce(var sample):
                sample.force = rounded(sample.force * 100)
                return .specificForce(sample)
            default: return measurement
            }
        }
        #expect(coarse.verdict.isAccepted, "\(coarse.verdict.reason)")
        #expect(!coarse.verdict.reason.contains("repeat"), "\(coarse.verdict.reason)")
    }

    @Test("a steady drift is reported as a ramp, and hides no random walk")
    func ramp() {
        let drift = Self.result(seconds: 1800) { seconds, measurement in
            Self.moved(measurement, by: 1e-6 * seconds)
        }
        #expect(drift.verdict.isAccepted)
        for axis in [drift.noise[0], drift.noise[2]] {
            #expect(axis.rateRandomWalk == nil)
            #expect(abs((axis.rateRamp ?? 0) / 1e-6 - 1) < 0.1)
        }
        #expect(drift.noise[1].rateRamp == nil)
        #expect(
            drift.verdict.reason.contains("gyroscope's x, the gyroscope's z axis drifted"), "\(drift.verdict.reason)")
    }

    @Test("counts give the same in counts")
    func counts() throws {
        let counts = Self.result(settings: CalibrationSettings(unit: .arbitrary)) { _, measurement in
            guard case .angularRate(var sample) = measurement else { return measurement }
            let scaled = sample.rate * 20_000
            sample.rate = Vector3(scaled.x.rounded(), scaled.y.rounded(), scaled.z.rounded())
            return .angularRate(sample)
        }
        #expect(counts.verdict.isAccepted)
        #expect(counts.residualUnit == "counts")
        try #require(counts.noise.count == 6)
        for axis in counts.noise.prefix(3) { #expect(abs((axis.randomWalk ?? 0) / 20 - 1) < 0.03) }
    }
}
