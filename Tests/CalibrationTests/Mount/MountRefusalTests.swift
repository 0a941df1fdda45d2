import BoardHandling
import Calibration
import Geometry
import Model
import Simulation
import Testing

@Suite("Mount: what cannot be good is refused")
struct MountRefusalTests {
    typealias Case = (name: String, handling: Handling, refusal: CalibrationVerdict.Refusal, word: String)

    @Test("each by its name, with what to do", arguments: 0..<7)
    func handled(index: Int) {
        let cases: [Case] = [
            ("moves when it should stand", .nodding(angle: 0.3, seconds: 20), .moved, "still"),
            ("never walks", .still(seconds: 20), .noStraightWalk, "walk 10 m"),
            ("walks three metres", .straightWalks(standSeconds: 4, metres: 3), .noStraightWalk, "only"),
            (
                "walks round a corner",
                .straightWalks(standSeconds: 4, metres: 12, style: WalkStyle(turn: 1.3)), .noStraightWalk, "turned"
            ),
            (
                "turns on the spot",
                .still(seconds: 4) + .turn(about: Vector3(0, 1, 0), by: 3, seconds: 4) + .still(seconds: 4),
                .noStraightWalk, "walk 10 m"
            ),
            (
                "shakes the board for a walk",
                .still(seconds: 5) + .nodding(angle: 0.3, seconds: 9) + .still(seconds: 4),
                .noStraightWalk, "walk 10 m"
            ),
            (
                "takes the board up from a table, then walks",
                .still(seconds: 4) + .turn(about: Vector3(1, 0, 0), by: 1, seconds: 1)
                    + .walk(metres: 10) + .still(seconds: 4), .noStraightWalk, "slipped"
            ),
        ]
        let (name, handling, refusal, word) = cases[index]
        var walk = MountedWalk(handling, seed: 21)
        let result = walk.run()
        #expect(result.verdict.refusal == refusal, "\(name): \(result.verdict.reason)")
        #expect(result.verdict.reason.contains(word), "\(name): \(result.verdict.reason)")
        let isComplete = walk.session.isComplete
        #expect(!isComplete)
    }

    private func result(of fault: SampleFault, seed: UInt64 = 2) -> CalibrationResult {
        var walk = MountedWalk(seed: seed)
        let start = walk.board.start
        return walk.run { $0 = $0.with(fault, start: start) }
    }

    @Test("nothing at all, and one sensor alone")
    func missing() {
        #expect(MountSession(settings: CalibrationSettings()).result().verdict.refusal == .noSamples)
        let result = result(of: .silent(.gyroscope, from: 0))
        #expect(result.verdict.refusal == .noSamples)
        #expect(result.verdict.reason.contains("gyroscope"))
        #expect(result.fits.isEmpty)
    }

    @Test("a sensor that falls silent half-way", arguments: [SampleFault.Sensor.gyroscope, .accelerometer])
    func silent(sensor: SampleFault.Sensor) {
        let result = result(of: .silent(sensor, from: 8))
        #expect(result.verdict.refusal == .silent)
        #expect(result.verdict.reason.contains("\(sensor)"))
    }

    @Test("a board that vanishes while time goes on")
    func vanished() {
        var walk = MountedWalk(seed: 2)
        let end = walk.board.start.nanoseconds + 8_000_000_000
        let result = walk.run { measurements in
            measurements.removeAll { $0.time.nanoseconds > end }
            measurements.append(.clock(BootTime(nanoseconds: end + 5_000_000_000)))
        }
        #expect(result.verdict.refusal == .silent)
    }

    @Test("no numbers, a stuck channel, and clipped ones")
    func channels() {
        #expect(result(of: .notFinite(.accelerometer, axis: 1, at: 6)).verdict.refusal == .notFinite)
        #expect(result(of: .notFinite(.gyroscope, axis: 0, at: 6)).verdict.refusal == .notFinite)
        #expect(result(of: .stuck(.accelerometer, axis: 2, from: 0)).verdict.refusal == .constantChannel)
        #expect(result(of: .stuck(.gyroscope, axis: 2, from: 5)).verdict.refusal == .constantChannel)
        #expect(result(of: .clipped(.accelerometer, range: 9.5)).verdict.refusal == .saturated)
    }

    @Test("sensors that are too slow")
    func slow() {
        var walk = MountedWalk(seed: 8) { $0.inertialRate = 5 }
        let result = walk.run()
        #expect(result.verdict.refusal == .tooFewSamples)
        #expect(result.verdict.reason.contains("20 Hz"))
    }

    @Test("a gravity that is none, and counts")
    func scale() {
        let inGravities = result(of: .scaled(.accelerometer, factor: 1 / 9.80665))
        #expect(inGravities.verdict.refusal == .poorFit)
        #expect(inGravities.verdict.reason.contains("calibrate accel"))
        let counts = result(of: .scaled(.accelerometer, factor: 1670))
        #expect(counts.verdict.refusal == .poorFit)
        #expect(counts.verdict.reason.contains("counts"))
    }

    @Test("missing samples on the way break that walk alone")
    func gap() {
        var walk = MountedWalk(.straightWalks(2, standSeconds: 4, metres: 10), seed: 5)
        let start = walk.board.start
        let result = walk.run { $0 = $0.with(.gap(from: 8, seconds: 0.6), start: start) }
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        #expect(result.verdict.reason.contains("one walk"))
    }

    @Test("a magnet that passes leaves it as it is")
    func harmless() {
        var walk = MountedWalk(seed: 14)
        let quiet = walk.run()
        var passed = MountedWalk(seed: 14) {
            $0.magneticRate = 50
            $0.magnets = [MagnetPass(nearest: 8, seconds: 2, fieldENU: Vector3(80, 0, 0))]
        }
        #expect(passed.run().fits == quiet.fits)
    }

    @Test("whatever comes, it neither traps nor accepts")
    func hostile() {
        var random = RandomSource(seed: 7)
        let strange: [Double] = [.nan, .infinity, -.infinity, 1e308, -1e308, 0, .leastNonzeroMagnitude, 9.8, 1e9]
        let times: [Int64] = [.min, .max, 0, -1, 1, 1_000_000_000]
        var session = MountSession(settings: CalibrationSettings())
        var nanoseconds: Int64 = 0
        func value() -> Double { strange[Int(random.next() % UInt64(strange.count))] }
        for round in 0..<20_000 {
            let vector = Vector3(value(), value(), value())
            nanoseconds =
                round % 97 == 0 ? times[Int(random.next() % UInt64(times.count))] : nanoseconds &+ 5_000_000
            let time = BootTime(nanoseconds: nanoseconds)
            session.feed(.specificForce(SpecificForceSample(time: time, force: vector)))
            session.feed(.angularRate(AngularRateSample(time: time, rate: round % 3 == 0 ? vector : .zero)))
            if round % 100 == 0 { _ = session.progress }
        }
        #expect(!session.result().verdict.isAccepted)
        let isComplete = session.isComplete
        #expect(!isComplete)
    }
}
