import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Bad input")
struct BadInputTests {
    private func allFinite(_ pose: PoseEstimate) -> Bool {
        pose.positionInScene.isFinite && pose.velocityInScene.isFinite && pose.rotationSceneFromBody.w.isFinite
            && pose.rotationENUFromBody.w.isFinite && (pose.geodetic?.ellipsoidalHeight.isFinite ?? true)
            && (pose.accuracy.horizontal?.isFinite ?? true) && (pose.accuracy.yaw?.isFinite ?? true)
    }

    @Test("what is not finite or not possible is refused, counted and survived")
    func notFinite() throws {
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        let bad = [Vector3(.nan, 0, 0), Vector3(0, .infinity, 0), Vector3(0, 0, -.infinity), Vector3(1e9, 0, 0)]
        for (index, measurement) in Walk(seconds: 20, pace: 2).measurements().enumerated() {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
            guard index % 50 == 0 else { continue }
            let vector = bad[(index / 50) % bad.count]
            let time = BootTime(nanoseconds: measurement.time.nanoseconds + 1000)
            odometry.feed(.angularRate(AngularRateSample(time: time, rate: vector))) { _ in }
            odometry.feed(.specificForce(SpecificForceSample(time: time, force: vector))) { _ in }
            odometry.feed(.magneticField(MagneticSample(time: time, field: vector))) { _ in }
            odometry.feed(.pressure(PressureSample(time: time, pressureHectopascal: .nan))) { _ in }
        }
        #expect(odometry.counters.notFinite > 100 && odometry.counters.outOfRange > 30)
        #expect(poses.allSatisfy(allFinite))
        #expect(try #require(poses.last).state == .localized)
    }

    @Test("a fix with impossible numbers is refused")
    func badFixes() {
        let walk = Walk(seconds: 5)
        var odometry = Walk.odometry()
        for measurement in walk.measurements() { odometry.feed(measurement) { _ in } }
        var random = Seeded(3)
        let before = odometry.counters.outOfRange
        var fix = walk.fix(4.9, &random)
        fix.position.latitudeDegrees = .nan
        odometry.feed(.fix(fix)) { _ in }
        fix = walk.fix(4.91, &random)
        fix.velocityENU.east = .infinity
        odometry.feed(.fix(fix)) { _ in }
        fix = walk.fix(4.92, &random)
        fix.positionSigma.north = -1
        odometry.feed(.fix(fix)) { _ in }
        #expect(odometry.counters.outOfRange == before + 3)
    }

    @Test("duplicates and samples out of order change nothing")
    func duplicates() {
        let clean = Walk(seconds: 15).measurements()
        var dirty: [Measurement] = []
        for (index, measurement) in clean.enumerated() {
            dirty.append(measurement)
            if index % 7 == 0 { dirty.append(measurement) }
            if index % 11 == 0, index > 40, case .angularRate = clean[index - 40] { dirty.append(clean[index - 40]) }
        }
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        for measurement in dirty { odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } } }
        #expect(odometry.counters.duplicate > 100 && odometry.counters.reordered > 10)
        #expect(poses == Walk.poses(clean))
    }

    @Test("a short gap is bridged, and reported")
    func shortGap() throws {
        let poses = Walk.poses(
            Walk(seconds: 30, pace: 2).measurements()
                .filter { $0.time < Fixture.time(20) || $0.time > Fixture.time(20.6) })
        let after = try #require(poses.first { $0.seconds > 20.6 })
        #expect(after.reasons.contains(.inertialGap))
        #expect(after.generation == 1)
        let last = try #require(poses.last)
        #expect(!last.reasons.contains(.inertialGap) && last.state == .localized)
        #expect(poses.allSatisfy(allFinite))
    }

    @Test("a long gap sets the frame anew")
    func longGap() throws {
        let walk = Walk(seconds: 60)
        let poses = Walk.poses(
            walk.measurements().filter { $0.time < Fixture.time(20) || $0.time > Fixture.time(30) })
        #expect(try #require(poses.first { $0.seconds > 30 }).generation == 2)
        let last = try #require(poses.last)
        #expect(last.generation == 2 && last.state == .localized)
        let point = Walk.plane.pointENU(of: try #require(last.geodetic))
        #expect((point - walk.truth(last.seconds).position).norm < 5)
    }

    @Test("after a long gap the tilt comes from a new force, however much later than the rates the forces return")
    func longGapOfRatesFirst() throws {
        // The head is tilted most to one side when the gap begins, and most to the other when it ends.
        let (begin, end, forces) = (20.2, 24.7, 25.0)
        let walk = Walk(seconds: 30)
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        func feed(_ measurement: Measurement) {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
        }
        for measurement in walk.measurements() {
            let seconds = measurement.time.seconds(since: Fixture.start)
            switch measurement {
            case .angularRate: if (begin..<end).contains(seconds) { continue }
            case .specificForce: if (begin..<forces).contains(seconds) { continue }
            default: break
            }
            feed(measurement)
            if case .magneticField = measurement, (begin..<forces).contains(seconds) { feed(.clock(measurement.time)) }
        }
        let waiting = try #require(poses.last { $0.seconds < forces - 0.06 })
        #expect(waiting.generation == 1 && waiting.state == .aligning && waiting.seconds > end + 0.1)
        #expect(waiting.reasons.isSuperset(of: [.noInertialData, .noAccelerometerData]))
        #expect(!waiting.reasons.contains(.noGyroscopeData))
        let found = poses.filter { $0.generation == 2 }
        #expect(try #require(found.first).seconds < forces + 0.1)
        let tilts = found.map { pose in
            let turn = pose.rotationENUFromBody * walk.truth(pose.seconds).rotationENUFromBody.inverse
            return acos(max(-1, min(1, turn.matrix[2, 2])))
        }
        // The walk's own accelerations tilt a force by 0.028 rad; the head's tilt changes by 0.2 rad in the gap.
        #expect(try #require(tilts.max()) < 0.05)
    }

    @Test("stamps at the ends of time are refused, and what comes after them is taken", arguments: [Int64.min, .max])
    func endsOfTime(end: Int64) {
        let walk = Walk(seconds: 20, pace: 2).measurements()
        let times = walk.map(\.time.nanoseconds)
        let anchor = end == .max ? times.max()! : times.min()!
        var odometry = Walk.odometry()
        var state: TrackingState?
        for measurement in walk {
            odometry.feed(measurement.shifted(by: -anchor).shifted(by: end)) { state = $0.pose?.state ?? state }
        }
        #expect(state == nil)
        #expect(odometry.counters.outOfRange > 4000)
        for measurement in walk { odometry.feed(measurement) { state = $0.pose?.state ?? state } }
        #expect(state == .localized)
    }

    @Test("a clock that is set back starts anew instead of standing still")
    func clockStep() throws {
        let walk = Walk(seconds: 20, pace: 2).measurements()
        let back: [Measurement] = walk.map {
            let shift: Int64 = -500_000_000_000
            switch $0 {
            case .angularRate(var s):
                s.time.nanoseconds += shift
                return .angularRate(s)
            case .specificForce(var s):
                s.time.nanoseconds += shift
                return .specificForce(s)
            case .magneticField(var s):
                s.time.nanoseconds += shift
                return .magneticField(s)
            case .fix(var f):
                f.epoch.nanoseconds += shift
                return .fix(f)
            default: return $0
            }
        }
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        for measurement in walk + back { odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } } }
        #expect(odometry.counters.clockSteps == 1)
        let last = try #require(poses.last)
        #expect(last.generation == 2 && last.state == .localized)
        #expect(last.time == back.last { if case .angularRate = $0 { true } else { false } }?.time)
    }

    @Test("random bytes for measurements never stop it", arguments: UInt64(1)...5)
    func fuzz(seed: UInt64) {
        var random = Seeded(seed)
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        func number() -> Double {
            let odd: [Double] = [0, .nan, .infinity, 1e-300, 1e300, -1]
            return Bool.random(using: &random)
                ? 10 * random.gaussian() : odd.randomElement(using: &random) ?? 0
        }
        var clock: Int64 = Fixture.start.nanoseconds
        for _ in 0..<20_000 {
            clock += Int64.random(in: -2_000_000...12_000_000, using: &random)
            let wild = Int64.random(in: 0..<500, using: &random) == 0
            let time = BootTime(nanoseconds: wild ? Int64.random(in: .min ... .max, using: &random) : clock)
            let vector = Vector3(number(), number(), number())
            let measurement: Measurement =
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: .angularRate(AngularRateSample(time: time, rate: vector))
                case 2, 3: .specificForce(SpecificForceSample(time: time, force: vector))
                case 4: .magneticField(MagneticSample(time: time, field: vector))
                default: .clock(time)
                }
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
        }
        #expect(!poses.isEmpty && poses.allSatisfy(allFinite))
    }
}

@Suite("Tracking state")
struct TrackingStateTests {
    @Test("passes from levelling to localized")
    func order() throws {
        let poses = Walk.poses(Walk(seconds: 20, pace: 2).measurements())
        #expect(try #require(poses.first).state == .initializing)
        var seen: [TrackingState] = []
        for pose in poses where seen.last != pose.state { seen.append(pose.state) }
        #expect(seen == [.initializing, .aligning, .localized])
    }

    @Test("silent sensors are named")
    func silence() throws {
        let measurements = Walk(seconds: 40, pace: 2).measurements().filter {
            switch $0 {
            case .magneticField(let sample): sample.time < Fixture.time(20)
            case .fix(let fix): fix.epoch < Fixture.time(25)
            default: true
            }
        }
        let poses = Walk.poses(measurements)
        func reasons(at seconds: Double) throws -> LimitingReasons {
            try #require(poses.first { $0.seconds >= seconds }).reasons
        }
        #expect(try reasons(at: 19).subtracting(.gyroBiasUncertain).isEmpty)
        #expect(try !reasons(at: 21.5).contains(.noMagneticData))
        #expect(try reasons(at: 22.5).contains(.noMagneticData))
        #expect(try !reasons(at: 28).contains(.noGNSSData))
        #expect(try reasons(at: 31).contains(.noGNSSData))
    }

    @Test("silent inertial sensors show at the next clock reading, and are forgiven when they return")
    func inertialSilence() throws {
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        let walk = Walk(seconds: 28, pace: 2).measurements()
        for measurement in walk where measurement.time < Fixture.time(20) {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
        }
        let count = poses.count
        odometry.feed(.clock(Fixture.time(20.2))) { if let pose = $0.pose { poses.append(pose) } }
        #expect(poses.count == count)
        odometry.feed(.clock(Fixture.time(20.8))) { if let pose = $0.pose { poses.append(pose) } }
        let held = try #require(poses.last)
        #expect(poses.count == count + 1)
        #expect(held.state == .limited && held.reasons.contains(.noInertialData))
        #expect(held.orientationTracking == .inferred && held.angularVelocityInBody == .zero)
        for measurement in walk where measurement.time >= Fixture.time(21) {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
        }
        #expect(try #require(poses.last).state == .localized)
        #expect(zip(poses, poses.dropFirst()).allSatisfy { $0.time < $1.time })
    }

    @Test("a lost position takes the state away only at the wider limit")
    func hysteresis() throws {
        let measurements = Walk(seconds: 200).measurements().filter {
            if case .fix(let fix) = $0 { return fix.epoch < Fixture.time(30) }
            return true
        }
        let poses = Walk.poses(measurements)
        let lost = try #require(poses.first { $0.seconds > 30 && $0.state != .localized })
        #expect(lost.state == .limited && lost.reasons.contains(.positionUncertain))
        #expect(try #require(lost.accuracy.horizontal) > 20)
    }
}
