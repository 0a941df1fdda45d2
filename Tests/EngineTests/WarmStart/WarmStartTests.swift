import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Simulation
import Testing

/// A walk through the city with the errors of one board, and how well it is followed.
private struct Run {
    /// Over the time from 1 s to 30 s: root mean squares; over the first 1.5 s: the mean error of the rate. Units:
    /// radians, radians, rad/s.
    var yaw = 0.0
    var tilt = 0.0
    var bias = 0.0
    /// From 60 s on: root mean square of the whole attitude error. Unit: radians.
    var late = 0.0
    /// Poses with a heading: all, those whose compass is unconfirmed, and those whose yaw is off by more than three
    /// times its accuracy.
    var poses = 0.0
    var unconfirmed = 0.0
    var beyond = 0.0
    /// Least accuracy of a yaw in the first ten seconds, in which the wearer stands. Unit: radians.
    var leastByCompass = Double.infinity
    /// Whether the state at the end is one that another estimator continues from.
    var isRestored = false
    var learned: WarmStart?
    var report: WarmStartReport?
    var first: PoseEstimate?
    var last: PoseEstimate?
}

@Suite("Warm start")
struct WarmStartTests {
    /// A board on a walk of two and a half minutes, and what was learned on it.
    private struct Board {
        let walk: CityWalk
        let measurements: [Measurement]
        var learned = WarmStart()

        init(seed: UInt64) {
            let settings = CityWalkSettings(seed: seed)
            walk = CityWalk(settings: settings, start: Fixture.start, magneticModel: WorldMagneticModel.wmm2025)!
            var source = walk
            var all: [Measurement] = []
            while all.last.map({ $0.time < Fixture.time(150) }) ?? true { all.append(source.next()) }
            measurements = all
            learned = run(walk, all, until: 150).learned ?? learned
        }
    }

    /// Made once for all tests.
    private static let boards: [UInt64: Board] = Dictionary(
        uniqueKeysWithValues: (21...25).map { ($0, Board(seed: $0)) })

    private static func run(
        _ walk: CityWalk, _ measurements: [Measurement], until seconds: Double = 31, warm: WarmStart? = nil
    ) -> Run {
        var odometry = Odometry(settings: .calibrated)
        if let warm { odometry.prepare(warm) }
        var run = Run()
        var (count, early, lateCount, drift) = (0.0, 0.0, 0.0, Vector3.zero)
        for measurement in measurements {
            guard measurement.time.seconds(since: Fixture.start) < seconds else { break }
            odometry.feed(measurement) { events in
                guard let pose = events.pose else { return }
                run.first = run.first ?? pose
                run.last = pose
                let truth = walk.truth(at: pose.time)
                if pose.seconds < 1.5 {
                    early += 1
                    drift += pose.angularVelocityInBody - truth.angularRateInBody
                }
                let turn = (pose.rotationENUFromBody * truth.rotationENUFromBody.inverse).log
                if let accuracy = pose.accuracy.yaw {
                    run.poses += 1
                    if pose.reasons.contains(.headingUnconfirmed) { run.unconfirmed += 1 }
                    if turn.z.magnitude > 3 * accuracy { run.beyond += 1 }
                    if pose.seconds < 10 { run.leastByCompass = min(run.leastByCompass, accuracy) }
                }
                if pose.seconds > 60 {
                    lateCount += 1
                    run.late += turn.squaredNorm
                }
                guard pose.seconds > 1, pose.seconds < 30 else { return }
                count += 1
                run.yaw += turn.z * turn.z
                run.tilt += turn.x * turn.x + turn.y * turn.y
            }
        }
        (run.yaw, run.tilt) = ((run.yaw / count).squareRoot(), (run.tilt / count).squareRoot())
        run.late = lateCount > 0 ? (run.late / lateCount).squareRoot() : .nan
        run.bias = (drift / early).norm
        (run.learned, run.report) = (odometry.learned(), odometry.warmStartReport)
        run.isRestored = odometry.state().map { (try? Odometry().restored($0)) != nil } ?? false
        return run
    }

    @Test("with what the run before has learned, the first half minute is better", arguments: [21, 22, 23, 24])
    func quicker(seed: UInt64) throws {
        let board = try #require(Self.boards[seed])
        let (walk, all) = (board.walk, board.measurements)
        var warm = board.learned
        #expect(warm.place != nil && warm.accelerometerBias != nil && warm.hardIron != nil)
        warm.ageSeconds = 120
        let (cold, hot) = (Self.run(walk, all), Self.run(walk, all, warm: warm))
        #expect(hot.report?.used.isSuperset(of: [.gyroBias, .accelerometerBias, .hardIron, .place]) == true)
        #expect(hot.report?.contradicted == [])
        // North is the compass's at both, and the street turns that.
        #expect(hot.yaw < 1.1 * cold.yaw + 0.05)
        #expect(hot.tilt < cold.tilt)
        #expect(hot.bias < 0.5 * cold.bias)
    }

    @Test("the place gives true north before the first fix, and nothing else of it is published")
    func place() throws {
        let board = try #require(Self.boards[21])
        let (walk, all) = (board.walk, board.measurements)
        var warm = board.learned
        warm.ageSeconds = 120
        let run = Self.run(walk, all.filter { !$0.isFix }, warm: warm)
        let last = try #require(run.last)
        #expect(last.headingReference == .trueNorth)
        #expect(last.geodetic == nil && last.state == .aligning && last.accuracy.horizontal == nil)
        // It is handed on, older than it was.
        let next = try #require(run.learned?.place)
        #expect(next.position == warm.place?.position)
        #expect(next.ageSeconds > 140)
    }

    @Test("a compass that the run before has confirmed needs no motion again", arguments: [21, 22, 23, 24])
    func compass(seed: UInt64) throws {
        let board = try #require(Self.boards[seed])
        var warm = board.learned
        // Not while the street's iron turns the field.
        #expect(try #require(warm.compassConfirmationAge) < (seed == 23 ? 60 : 1))
        warm.ageSeconds = 60
        let hot = Self.run(board.walk, board.measurements, warm: warm)
        #expect(hot.report?.used.contains(.compass) == true)
        #expect(hot.unconfirmed == 0 && hot.beyond == 0 && hot.isRestored)
        // 12 degrees: something may have been put on that nothing shows.
        #expect(hot.leastByCompass >= 0.2)
        // Handed on before any step, it is older.
        let next = Self.run(board.walk, board.measurements, until: 20.2, warm: warm)
        let age = try #require(next.learned?.compassConfirmationAge)
        #expect(age > 80)
        // The board may be worn otherwise by then.
        warm.ageSeconds = 1000
        let late = Self.run(board.walk, board.measurements, warm: warm)
        #expect(late.report?.tooOld == .compass && late.unconfirmed > 100 && late.isRestored)
    }

    @Test(
        "a field of another strength ends that", arguments: [(1.05, true), (0.95, true), (1.15, false), (0.85, false)])
    func otherField(strength: Double, isConfirmed: Bool) throws {
        let board = try #require(Self.boards[21])
        var warm = board.learned
        (warm.ageSeconds, warm.hardIron) = (60, nil)
        let scaled = board.measurements.map { measurement in
            guard case .magneticField(var sample) = measurement else { return measurement }
            sample.field = sample.field * strength
            return .magneticField(sample)
        }
        let run = Self.run(board.walk, scaled, until: 10, warm: warm)
        #expect(run.report?.used.contains(.compass) == isConfirmed)
        #expect((run.unconfirmed == 0) == isConfirmed)
    }

    @Test("nor does it stay confirmed once its field is another", arguments: [21, 22, 23, 24])
    func bentCompass(seed: UInt64) throws {
        let board = try #require(Self.boards[seed])
        var warm = board.learned
        warm.ageSeconds = 60
        // As a clip with a magnet does.
        let bent = board.measurements.map { measurement in
            guard case .magneticField(var sample) = measurement else { return measurement }
            sample.field += Vector3(25, 10, 15)
            return .magneticField(sample)
        }
        let (cold, hot) = (Self.run(board.walk, bent), Self.run(board.walk, bent, warm: warm))
        #expect(hot.report?.contradicted.contains(.compass) == true && hot.isRestored)
        #expect(hot.beyond <= cold.beyond, "\(hot.beyond) instead of \(cold.beyond) poses")
    }

    /// What a warm start may be wrong in.
    enum Flaw: CaseIterable {
        case otherBoard, otherContinent, notANumber, huge, old, future, overconfident, tiny, nonsense
    }

    private static func spoilt(_ good: WarmStart, _ flaw: Flaw) -> WarmStart {
        var warm = good
        warm.ageSeconds = 60
        switch flaw {
        case .otherBoard:
            warm.gyroBias?.value += Vector3(0.003, -0.004, 0.003)
            warm.accelerometerBias?.value += Vector3(-0.04, 0.03, 0.05)
            warm.hardIron?.value += Vector3(20, -30, 10)
        case .otherContinent:
            warm.place?.position = GeodeticPosition(
                latitudeDegrees: -33.9, longitudeDegrees: 18.4, ellipsoidalHeight: 20)!
        case .notANumber:
            warm.gyroBias?.value.x = .nan
            warm.accelerometerBias?.standardDeviation.y = .infinity
            warm.hardIron?.standardDeviation.z = .nan
            warm.place?.horizontalStandardDeviation = .nan
            warm.compassConfirmationAge = .nan
        case .huge:
            warm.gyroBias?.value = Vector3(3, 0, 0)
            warm.accelerometerBias?.value = Vector3(0, 1e300, 0)
            warm.hardIron?.value = Vector3(0, 1e6, 0)
            warm.place?.ageSeconds = 1e300
        case .old: warm.ageSeconds = 365 * 86400
        case .future: warm.ageSeconds = -86400
        case .overconfident:
            warm.gyroBias?.value += Vector3(0.002, 0.002, -0.002)
            warm.gyroBias?.standardDeviation = Vector3(1, 1, 1) * 1e-12
            warm.accelerometerBias?.standardDeviation = Vector3(1, 1, 1) * 1e-12
        case .tiny:
            warm.gyroBias?.standardDeviation = Vector3(1, 1, 1) * .leastNonzeroMagnitude
            warm.fieldNorm = .leastNonzeroMagnitude
        case .nonsense:
            warm.gyroBias?.standardDeviation = Vector3(-1, 0, 1)
            warm.fieldNorm = -50
            warm.ageSeconds = 0
        }
        return warm
    }

    @Test("one that is wrong does no harm", arguments: Flaw.allCases)
    func wrong(flaw: Flaw) throws {
        let board = try #require(Self.boards[25])
        let (walk, all, good) = (board.walk, board.measurements, board.learned)
        let (cold, hot) = (
            Self.run(walk, all, until: 120), Self.run(walk, all, until: 120, warm: Self.spoilt(good, flaw))
        )
        // Hardly worse in the first half minute, and later the same within half a degree, which noise makes of it.
        #expect(hot.yaw < 1.5 * cold.yaw + 0.01)
        #expect(hot.tilt < 1.5 * cold.tilt + 0.002)
        #expect(hot.late < 1.2 * cold.late + 0.009, "\(hot.late) instead of \(cold.late)")
        #expect(hot.last?.state == .localized && hot.isRestored)
        switch flaw {
        case .old: #expect(hot.report?.used == [] && hot.report?.tooOld == good.parts)
        case .future: #expect(hot.report?.used == [] && hot.report?.implausible == good.parts)
        case .notANumber, .huge:
            #expect(
                hot.report?.implausible.isSuperset(
                    of: [.gyroBias, .accelerometerBias, .hardIron, .place, .compass]) == true)
        case .otherBoard: #expect(hot.report?.contradicted.isSuperset(of: [.gyroBias, .hardIron]) == true)
        case .otherContinent: #expect(hot.report?.contradicted.contains(.place) == true)
        case .overconfident, .tiny, .nonsense: break
        }
    }

    @Test("with a bias of another board the pose at rest says so soon")
    func contradictedAtRest() throws {
        let board = try #require(Self.boards[25])
        let (walk, all) = (board.walk, board.measurements)
        var warm = WarmStart()
        warm.gyroBias = .init(value: Vector3(0.01, 0.01, 0.01), standardDeviation: Vector3(1, 1, 1) * 1e-4)
        let run = Self.run(walk, all, until: 15, warm: warm)
        #expect(run.report?.contradicted == .gyroBias)
        #expect(run.report?.used == [])
    }

    @Test("the same warm start gives the same poses, and one that comes too late gives none other")
    func deterministic() throws {
        let board = try #require(Self.boards[25])
        let (walk, all, warm) = (board.walk, board.measurements, board.learned)
        let (a, b) = (Self.run(walk, all, warm: warm), Self.run(walk, all, warm: warm))
        #expect(a.last != nil && a.last == b.last && a.learned == b.learned)
        var odometry = Odometry(settings: .calibrated)
        var last: PoseEstimate?
        for measurement in all {
            guard measurement.time.seconds(since: Fixture.start) < 31 else { break }
            odometry.feed(measurement) { last = $0.pose ?? last }
            if last != nil { odometry.prepare(warm) }
        }
        let report = odometry.warmStartReport
        #expect(report == nil && last == Self.run(walk, all).last)
    }

    @Test("age makes what is known less certain, up to knowing nothing")
    func ages() throws {
        let board = try #require(Self.boards[25])
        let (walk, all, warm) = (board.walk, board.measurements, board.learned)
        func used(_ seconds: Double) throws -> WarmStart.Parts {
            var aged = warm
            aged.ageSeconds = seconds
            return try #require(Self.run(walk, all, until: 2, warm: aged).report).used
        }
        #expect(try used(60).contains([.gyroBias, .accelerometerBias]))
        #expect(try used(86_400).contains(.gyroBias))
        #expect(try !used(6.9 * 86_400).contains(.accelerometerBias))
        // A gyroscope without a calibration may be off by degrees a second.
        #expect(try used(6.9 * 86_400).contains(.gyroBias))
        #expect(try used(6.9 * 86_400).contains(.place))
        #expect(try used(7.1 * 86_400).isEmpty)
    }

    @Test("parts of another sensor are distinguished from those of the same")
    func foreign() {
        var warm = WarmStart()
        warm.gyroBias = .init(value: .zero, standardDeviation: Vector3(1, 1, 1))
        warm.compassConfirmationAge = 0
        (warm.sensors.gyroscope, warm.sensors.accelerometer, warm.sensors.magnetometer) = ("a", "a", nil)
        var present = WarmStart.Sensors()
        (present.gyroscope, present.magnetometer) = ("b", "c")
        #expect(warm.foreign(to: present) == .gyroBias)
        warm.sensors.magnetometer = "d"
        #expect(warm.foreign(to: present) == [.gyroBias, .compass])
        #expect(warm.foreign(to: warm.sensors) == [])
    }

    @Test("a clock that is set back does not take the biases away")
    func clockStep() throws {
        let all = try #require(Self.boards[25]).measurements
        var odometry = Odometry(settings: .calibrated)
        for measurement in all { odometry.feed(measurement) { _ in } }
        let known = odometry.filter
        let before = try #require(known).state.gyroBias
        for measurement in all.prefix(2000) {
            odometry.feed(measurement.shifted(by: -100_000_000_000)) { _ in }
        }
        let now = odometry.filter
        let filter = try #require(now)
        #expect((filter.state.gyroBias - before).norm < 1e-3)
        #expect(filter.standardDeviation(ErrorState.gyroBias) < 0.002)
    }
}
