import Calibration
import Geometry
import Glibc
import Model
import Simulation
import Testing

@Suite("Session of the accelerometer")
struct AccelerometerSessionTests {
    private static let faces = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
        .map(Vector3.init as (Double, Double, Double) -> Vector3)

    @Test("it instructs the user, and ends by itself when more would hardly help")
    func guidance() throws {
        var session = AccelerometerSession(settings: CalibrationSettings())
        #expect(session.progress.instruction == .waitForSamples)
        #expect(!session.isComplete)
        var instructions: [CalibrationProgress.Instruction] = []
        var (fraction, compared) = (0.0, 0)
        for measurement in Handled.board(poses: 24, seed: 2, tremor: 0.001).measurements() where !session.isComplete {
            session.feed(measurement)
            let progress = session.progress
            if instructions.last != progress.instruction { instructions.append(progress.instruction) }
            fraction = progress.fraction
            #expect((0...1).contains(fraction))
            if let missing = progress.missing, let last = progress.poses.last {
                // What was just held is not what is missing.
                #expect(missing.dot(last) < 0.9)
                compared += 1
            }
        }
        #expect(compared > 1000)
        #expect(session.isComplete && fraction == 1)
        #expect(instructions.contains(.keepPose) && instructions.contains(.turnToNextPose))
        #expect(instructions.last == .done)
        #expect((9...20).contains(session.progress.poses.count))
        #expect(session.result().verdict.isAccepted)
    }

    @Test("a fix with an epoch to come does not make the accelerometer silent")
    func fix() {
        var measurements = Handled.board(poses: 12).measurements()
        let middle = measurements[measurements.count / 2].time
        measurements.insert(
            .fix(
                GNSSFix(
                    epoch: middle.shifted(by: 3_600_000_000_000), arrival: middle, utcSeconds: nil,
                    position: GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, ellipsoidalHeight: 500)!,
                    hasHeight: true, velocityENU: .init(east: nil, north: nil, up: nil),
                    positionSigma: .init(east: nil, north: nil, up: nil), velocitySigma: nil)),
            at: measurements.count / 2)
        #expect(Handled.calibrated(measurements).verdict.isAccepted)
    }

    @Test("a user who only moves it gets that instruction, and nothing is accepted")
    func moved() {
        let board = Handled.board(.nodding(angle: 0.7, seconds: 40), rate: 100)
        var session = AccelerometerSession(settings: CalibrationSettings())
        var instructions: Set<CalibrationProgress.Instruction> = []
        for measurement in board.measurements() {
            session.feed(measurement)
            instructions.insert(session.progress.instruction)
        }
        #expect(instructions.contains(.movesTooMuch))
        let refusal = session.result().verdict.refusal
        #expect(refusal == .moved || refusal == .tooFewPoses)
    }

    @Test("poses are too few, or too much alike: the sentence says which are missing")
    func poses() {
        let few = Handled.calibrated(
            Handled.board(.poses(Array(Self.faces.prefix(4)), holdSeconds: 2, moveSeconds: 1)).measurements())
        #expect(few.verdict.refusal == .tooFewPoses)
        #expect(few.verdict.reason.contains("4"))
        let three = Handled.calibrated(
            Handled.board(.poses(Array(Self.faces.prefix(3)), holdSeconds: 2, moveSeconds: 1)).measurements())
        #expect(three.verdict.refusal == .tooFewPoses)
        let one = Handled.calibrated(Handled.board(.still(seconds: 20)).measurements())
        #expect(one.verdict.refusal == .tooFewPoses && one.verdict.reason.contains("one pose"))
        let counts = Handled.calibrated(
            Handled.board(.still(seconds: 20)).measurements(), CalibrationSettings(unit: .arbitrary))
        #expect(!counts.verdict.isAccepted)
        // Never farther than 30° from the same axis.
        let alike = (0..<9).map { index in
            Rotation3.about(Vector3(0, 1, 0), by: 0.7 * Double(index))
                * Vector3(0.5 * Double(index % 3 + 1) / 3, 0.87, 0)
        }
        let cone = Handled.calibrated(Handled.board(.poses(alike, holdSeconds: 2, moveSeconds: 1)).measurements())
        #expect(cone.verdict.refusal == .posesTooAlike || cone.verdict.refusal == .tooFewPoses)
        #expect(!cone.verdict.isAccepted)
    }

    @Test("broken channels are named, each, and never accepted")
    func channels() {
        let samples = Handled.board(poses: 12, seed: 3).measurements()
        func refusal(_ force: (Vector3) -> Vector3) -> CalibrationVerdict {
            Handled.calibrated(Handled.changed(samples, force: { force($0.force) })).verdict
        }
        let constant = refusal { Vector3($0.x, 3, $0.z) }
        #expect(constant.refusal == .constantChannel && constant.reason.contains("y"))
        let saturated = refusal { Vector3($0.x, $0.y, min($0.z, 6)) }
        #expect(saturated.refusal == .saturated && saturated.reason.contains("z"))
        let broken = refusal { $0.x > 9 ? Vector3(.nan, $0.y, $0.z) : $0 }
        #expect(broken.refusal == .notFinite && broken.reason.contains("x"))
        let unit = refusal { $0 / 9.80665 }
        #expect(unit.refusal == .poorFit && unit.reason.contains("m/s²"))
        let rates = Handled.changed(samples, rate: { Vector3($0.rate.x, .infinity, $0.rate.z) })
        #expect(Handled.calibrated(rates).verdict.refusal == .notFinite)
    }

    @Test("a gyroscope that is not there, or too slow for the moves, costs the accelerometer nothing")
    func gyroscope() throws {
        let samples = Handled.board(poses: 14, seed: 3).measurements()
        for without in [
            Handled.changed(samples, rate: { _ in nil }), Handled.changed(samples, rate: { _ in .zero }),
        ] {
            let result = Handled.calibrated(without)
            #expect(result.verdict.isAccepted && result.fits.count == 1)
            #expect(result.predictedHeadingError == nil)
        }
        func clipped(_ value: Double) -> Double { min(1.2, max(-1.2, value)) }
        let slow = Handled.calibrated(
            Handled.changed(
                samples, rate: { Vector3(clipped($0.rate.x), clipped($0.rate.y), clipped($0.rate.z)) }))
        #expect(slow.verdict.isAccepted)
        #expect(slow.fits.count == 1 && slow.predictedHeadingError == nil)
    }

    @Test("silence is named: of the whole sensor, and half-way")
    func silence() {
        #expect(Handled.calibrated([]).verdict.refusal == .noSamples)
        let samples = Handled.board(poses: 12, seed: 3).measurements()
        let end = samples.last?.time.seconds ?? 0
        let silent = Handled.changed(samples, force: { $0.time.seconds < end / 2 ? $0.force : nil })
        #expect(Handled.calibrated(silent).verdict.refusal == .silent)
        #expect(Handled.calibrated(Array(samples.prefix(30))).verdict.refusal == .tooFewSamples)
    }

    @Test("nothing that can be fed makes it stumble", arguments: 1...6 as ClosedRange<UInt64>)
    func hostile(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let odd = [0.0, -0.0, .nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude, 1e15, 9.8]
        var session = AccelerometerSession(settings: CalibrationSettings(unit: seed % 2 == 0 ? .arbitrary : .standard))
        var time: Int64 = 0
        for _ in 0..<4000 {
            let jump = [1_000_000, 10_000_000, 100_000_000, -5_000_000_000, 3_600_000_000_000][Int(random.next() % 5)]
            time = random.uniform() < 0.95 ? time + 10_000_000 : time &+ Int64(jump)
            if random.uniform() < 0.002 { time = [Int64.max, .min, 0][Int(random.next() % 3)] }
            if time > Int64.max / 2 || time < Int64.min / 2 { time = time / 4 }
            func value() -> Double {
                random.uniform() < 0.98 ? random.normal() : odd[Int(random.next() % UInt64(odd.count))]
            }
            let vector = Vector3(value(), value(), 9 + value())
            session.feed(
                random.uniform() < 0.5
                    ? .specificForce(SpecificForceSample(time: BootTime(nanoseconds: time), force: vector))
                    : .angularRate(AngularRateSample(time: BootTime(nanoseconds: time), rate: vector)))
            _ = session.progress
        }
        #expect(!session.result().verdict.isAccepted)
    }
}
