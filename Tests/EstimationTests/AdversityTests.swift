import EstimatorFixtures
import Geometry
import Model
import Engine
import Simulation
import Testing

@Suite("Adversity")
struct AdversityTests {
    /// Largest errors against the truth of a walk. Units: metres, radians.
    private func worst(_ poses: some Sequence<PoseEstimate>, _ walk: Walk) throws -> (position: Double, tilt: Double) {
        var (position, tilt, count) = (0.0, 0.0, 0)
        for pose in poses {
            count += 1
            let truth = walk.truth(pose.seconds)
            position = max(
                position, (Walk.plane.pointENU(of: try #require(pose.geodetic)) - truth.position).norm)
            let turn = (pose.rotationENUFromBody * truth.rotationENUFromBody.inverse).log
            tilt = max(tilt, (turn - Vector3(0, 0, turn.z)).norm)
        }
        try #require(count > 200)
        return (position, tilt)
    }

    @Test("one stamp far in the future, on any stream, changes nothing", arguments: [60.0, 1e6, 5e9, 9e9])
    func wildStamp(ahead: Double) {
        var clean = Walk(seconds: 12).measurements()
        for second in (0..<12).reversed() {
            let time = Fixture.time(Double(second))
            clean.insert(.clock(time), at: clean.firstIndex { $0.time >= time } ?? 0)
        }
        let wild = BootTime(nanoseconds: clean[1200].time.nanoseconds + Int64(ahead * 1e9))
        var random = Seeded(1)
        var fix = Walk().fix(6, &random)
        fix.epoch = wild
        let strays: [Measurement] = [
            .angularRate(AngularRateSample(time: wild, rate: .zero)),
            .specificForce(SpecificForceSample(time: wild, force: Vector3(0, 0, 9.8))),
            .magneticField(MagneticSample(time: wild, field: Vector3(20, 0, -40))), .clock(wild), .fix(fix),
        ]
        let expected = Walk.poses(clean)
        #expect(expected.count > 1000)
        for stray in strays {
            var odometry = Walk.odometry()
            var poses: [PoseEstimate] = []
            for measurement in clean[..<1200] + [stray] + clean[1200...] {
                odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
            }
            #expect(poses == expected)
            #expect(odometry.counters.refused == 1)
        }
    }

    @Test("stamps at the ends of the range are refused", arguments: [.min, .min + 1, .max - 1, .max] as [Int64])
    func extremeStamps(nanoseconds: Int64) {
        let time = BootTime(nanoseconds: nanoseconds)
        var odometry = Walk.odometry()
        var random = Seeded(1)
        var fix = Walk().fix(1, &random)
        fix.epoch = time
        odometry.feed(.angularRate(AngularRateSample(time: time, rate: .zero))) { _ in }
        odometry.feed(.specificForce(SpecificForceSample(time: time, force: .zero))) { _ in }
        odometry.feed(.magneticField(MagneticSample(time: time, field: .zero))) { _ in }
        odometry.feed(.clock(time)) { _ in }
        odometry.feed(.fix(fix)) { _ in }
        #expect(odometry.counters.outOfRange == 5)
    }

    @Test("an accelerometer that falls silent leaves a coasting pose, and is forgiven when it returns")
    func noForces() throws {
        let walk = Walk(seconds: 80)
        let poses = Walk.poses(
            walk.measurements().filter {
                guard case .specificForce(let sample) = $0 else { return true }
                return sample.time < Fixture.time(40) || sample.time > Fixture.time(55)
            })
        let silent = poses.filter { $0.seconds > 41 && $0.seconds < 54.9 }
        #expect(silent.count > 1300)
        #expect(silent.allSatisfy { $0.state == .limited && $0.reasons.contains(.noInertialData) })
        // Velocity fixes hold it; a force that stood still in a turning body would throw it 100 m away in a second.
        #expect(try worst(silent, walk).position < 8)
        let after = poses.filter { $0.seconds > 65 }
        #expect(try #require(after.last).state == .localized)
        #expect(try worst(after, walk).tilt < 0.02)
    }

    @Test("angular rates from before the first force are left out")
    func lateAccelerometer() throws {
        let walk = Walk(seconds: 30)
        let poses = Walk.poses(
            walk.measurements().filter {
                guard case .specificForce(let sample) = $0 else { return true }
                return sample.time > Fixture.time(4)
            })
        // They wait no longer than the patience for a force.
        #expect(try #require(poses.first).seconds > 3.9)
        #expect(try worst(poses.filter { $0.seconds > 20 }, walk).tilt < 0.02)
    }

    @Test("sensors at odd rates are paired", arguments: [25.0, 60, 333, 1000])
    func oddRates(rate: Double) throws {
        let walk = Walk(seconds: 40, rate: rate)
        let poses = Walk.poses(walk.measurements())
        #expect(try worst(poses.filter { $0.seconds > 30 }, walk).tilt < 0.02)
        #expect(try #require(poses.last).state == .localized)
    }

    @Test("a fix from before the kept samples of a very fast sensor is refused rather than bridged")
    func fastSensor() throws {
        // 4096 samples are 1.02 s here.
        let walk = Walk(seconds: 8, rate: 4000, delay: 1.6)
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        for measurement in walk.measurements() {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
        }
        #expect(odometry.counters.tooLate >= 5)
        #expect(poses.count > 30_000)
        #expect(poses.allSatisfy { $0.positionInScene.isFinite && $0.velocityInScene.norm < 5 })
    }

    @Test("positions that agree on another place are accepted after ten seconds, and at once with their accuracy")
    func displaced() throws {
        let walk = Walk(seconds: 60)
        let measurements: [Measurement] = try walk.measurements().map {
            guard case .fix(var fix) = $0, fix.epoch > Fixture.time(30) else { return $0 }
            let moved = Walk.plane.pointENU(of: fix.position) + Vector3(200, 0, 0)
            fix.position = try #require(Walk.plane.position(ofENU: moved))
            return .fix(fix)
        }
        let poses = Walk.poses(measurements)
        let last = try #require(poses.last)
        let truth = walk.truth(last.seconds).position + Vector3(200, 0, 0)
        #expect((Walk.plane.pointENU(of: try #require(last.geodetic)) - truth).norm < 5)
        let settled = poses.filter { $0.seconds > 5 }
        #expect(settled.count > 5000)
        for pose in settled {
            #expect(try #require(pose.accuracy.horizontal) < 250)
            #expect(try #require(pose.velocityENU).norm < 4)
        }
    }

    @Test("a first fix at the other end of the world is forgotten")
    func wrongOrigin() throws {
        let walk = Walk(seconds: 60)
        var isFirst = true
        let measurements: [Measurement] = try walk.measurements().map {
            guard isFirst, case .fix(var fix) = $0 else { return $0 }
            isFirst = false
            fix.position = try #require(
                GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 0, ellipsoidalHeight: 0))
            return .fix(fix)
        }
        let late = Walk.poses(measurements).filter { $0.seconds > 40 }
        let errors = try worst(late, walk)
        #expect(errors.position < 5 && errors.tilt < 0.02)
        #expect(late.allSatisfy { $0.state == .localized })
    }

    @Test("figures that no receiver can mean are refused and break nothing", arguments: [1e300, 1e160, 1e6])
    func absurdStandardDeviation(standardDeviation: Double) throws {
        let walk = Walk(seconds: 20, pace: 2)
        let clean = walk.measurements()
        var odometry = Walk.odometry()
        var random = Seeded(2)
        var last: PoseEstimate?
        for (index, measurement) in clean.enumerated() {
            odometry.feed(measurement) { last = $0.pose ?? last }
            guard index % 500 == 499 else { continue }
            var fix = walk.fix(measurement.time.seconds(since: Fixture.start) - 0.01, &random)
            fix.positionSigma.up = standardDeviation
            odometry.feed(.fix(fix)) { _ in }
            fix.positionSigma.up = 1
            fix.velocitySigma = standardDeviation
            fix.epoch.nanoseconds += 1
            odometry.feed(.fix(fix)) { _ in }
        }
        #expect(odometry.counters.outOfRange > 10 && odometry.counters.restarts == 0)
        #expect(try #require(last).state == .localized)
    }

    @Test("an accelerometer that is stuck leads not to another galaxy", arguments: [-80, 0, 499] as [Double])
    func runaway(stuck: Double) {
        var odometry = Walk.odometry()
        var (farthest, count) = (0.0, 0)
        for measurement in Walk(seconds: 60).measurements() {
            var given = measurement
            if case .fix = given { continue }
            if case .specificForce(var sample) = given, (0.6...6.4).contains(sample.time.seconds(since: Fixture.start))
            {
                sample.force = Vector3(0, stuck, 0)
                given = .specificForce(sample)
            }
            odometry.feed(given) { events in
                guard let pose = events.pose else { return }
                count += 1
                farthest = max(farthest, pose.positionInScene.norm, pose.velocityInScene.norm)
            }
        }
        #expect(count > 5000)
        #expect(farthest < 1e6)
    }

    @Test("a velocity that no wearer has leads to a new start")
    func restart() throws {
        var walk = try #require(
            CityWalk(
                settings: CityWalkSettings(seed: 1), start: Fixture.start, magneticModel: WorldMagneticModel.wmm2025))
        var odometry = Odometry()
        var generations: Set<UInt32> = []
        while true {
            var next = walk.next()
            let seconds = next.arrival.seconds(since: Fixture.start)
            guard seconds < 12 else { break }
            if case .fix = next { continue }
            if case .specificForce(var sample) = next, seconds > 0.6 {
                sample.force = Vector3(0, 499, 0)
                next = .specificForce(sample)
            }
            odometry.feed(next) { if let pose = $0.pose { generations.insert(pose.generation) } }
        }
        #expect(odometry.counters.restarts > 0)
        #expect(generations.count == Int(odometry.counters.restarts) + 1)
    }

    /// A model that ends, as the real one does.
    private struct EndingField: GeomagneticModel {
        func field(at position: GeodeticPosition, decimalYear: Double) -> GeomagneticField? {
            decimalYear < 2032
                ? GeomagneticField(
                    declination: 0.35, inclination: Fixture.field.inclination,
                    horizontalIntensity: Fixture.field.horizontalIntensity,
                    totalIntensity: Fixture.field.totalIntensity) : nil
        }
    }

    @Test("a receiver whose clock is decades off does not take the declination away")
    func wrongYear() throws {
        let walk = Walk(seconds: 60)
        var odometry = Odometry(magneticModel: EndingField())
        var last: PoseEstimate?
        for measurement in walk.measurements() {
            var fed = measurement
            if case .fix(var fix) = measurement {
                fix.utcSeconds = 2_840_000_000
                fed = .fix(fix)
            }
            if case .magneticField(var sample) = measurement {
                // From the walk's declination to the model's.
                let now = walk.truth(sample.time.seconds(since: Fixture.start)).rotationENUFromBody
                let turn = Rotation3.aboutZ(Fixture.field.declination - 0.35)
                sample.field = now.inverse * (turn * (now * sample.field))
                fed = .magneticField(sample)
            }
            odometry.feed(fed) { last = $0.pose ?? last }
        }
        let pose = try #require(last)
        #expect(pose.headingReference == .trueNorth)
        let turn = (pose.rotationENUFromBody * walk.truth(pose.seconds).rotationENUFromBody.inverse).log
        // Without the declination north would be off by 0.35 rad.
        #expect(turn.z.magnitude < 0.1)
    }
}
