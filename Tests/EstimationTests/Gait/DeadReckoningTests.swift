import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Engine
import Simulation
import Testing

@Suite("Pedestrian dead reckoning")
struct DeadReckoningTests {
    private func run(
        _ walk: CityWalk, seconds: Double, without outage: Range<Double>? = nil,
        _ look: (PoseEstimate) throws -> Void = { _ in }
    ) throws -> Odometry {
        var odometry = Odometry(settings: .calibrated)
        for measurement in GaitFixture.measurements(walk, seconds: seconds) {
            if case .fix(let fix) = measurement, let outage,
                outage.contains(fix.epoch.seconds(since: Fixture.start))
            {
                continue
            }
            var poses: [PoseEstimate] = []
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
            for pose in poses { try look(pose) }
        }
        return odometry
    }

    @Test("the length of the steps is learned from satellites to within 3 %", arguments: UInt64(1)...3)
    func scale(seed: UInt64) throws {
        // A receiver's own error of speed, which lasts for seconds, is not the steps' to correct.
        var errors = SensorErrors.typical
        errors.gnss = .none
        let walk = GaitFixture.walk(seed: seed, errors: errors)
        var seconds = 90.0
        while !GaitFixture.isSteady(walk, from: seconds - 20, to: seconds) { seconds += 1 }
        let filter = try #require(try run(walk, seconds: seconds).filter)
        // What the model makes of the true motion.
        var monitor = GaitMonitor()
        var (sum, count) = (0.0, 0.0)
        for k in Int((seconds - 20) * 100)..<Int(seconds * 100) {
            let time = Fixture.time(Double(k) / 100)
            let truth = walk.truth(at: time)
            let step = monitor.add(
                GaitSample(truth), at: time,
                isAided: true, settings: filter.settings.gait)
            guard let step else { continue }
            sum += log(GaitFixture.stepLength / step.length)
            count += 1
        }
        #expect(count > 10)
        #expect(abs(filter.state.stepScale - sum / count) < 0.03)
        #expect(filter.standardDeviation(ErrorState.stepScale) < 0.05)
    }

    @Test("30 s without satellites cost a walker less than 4 m", arguments: UInt64(1)...3)
    func outage(seed: UInt64) throws {
        let walk = GaitFixture.walk(seed: seed)
        var errors: [Vector3] = []
        var sources = AidingSources()
        _ = try run(walk, seconds: 100, without: 70..<101) { pose in
            guard pose.seconds >= 69, let place = pose.geodetic else { return }
            sources = pose.sources
            errors.append(walk.plane.pointENU(of: place) - walk.truth(at: pose.time).positionENU)
        }
        let drift = try #require(errors.last) - (try #require(errors.first))
        #expect(Vector3(drift.x, drift.y, 0).norm < 4)
        #expect(sources.contains(.steps) && !sources.contains(.gnssPosition))
    }

    @Test("without any fix the scene follows the walker, with a magnetometer and without", arguments: [50, 0])
    func indoors(magneticRate: Int) throws {
        let walk = GaitFixture.walk(magneticRate: magneticRate, fixRate: 0)
        var track: [(time: BootTime, place: Vector3)] = []
        _ = try run(walk, seconds: 60) { track.append(($0.time, $0.positionInScene)) }
        let truth = walk.truth(at: Fixture.time(60)).positionENU - walk.truth(at: Fixture.start).positionENU
        let displacement = try #require(track.last).place
        let ratio = Vector3(displacement.x, 0, displacement.z).norm / Vector3(truth.x, truth.y, 0).norm
        // The length of the steps is not given.
        #expect(ratio > 0.75 && ratio < 1.25)
        // The shape is right: the way there bends by as much as the true one at its middle.
        let middle = try #require(track.first { $0.time >= Fixture.time(35) }).place
        let trueMiddle = walk.truth(at: Fixture.time(35)).positionENU - walk.truth(at: Fixture.start).positionENU
        let bend = atan2(
            displacement.x * middle.z - displacement.z * middle.x, displacement.x * middle.x + displacement.z * middle.z
        )
        // The scene's z is south.
        let trueBend = atan2(
            truth.x * -trueMiddle.y + truth.y * trueMiddle.x, truth.x * trueMiddle.x + truth.y * trueMiddle.y)
        #expect(abs(bend - trueBend) < 0.15)
        #expect(abs(trueBend) > 0.15, "a straight way would not show which way it bends")
    }

    @Test("who stands before the first step stays where he is")
    func standing() throws {
        let walk = GaitFixture.walk(fixRate: 0)
        var farthest = 0.0
        _ = try run(walk, seconds: GaitFixture.opening - 0.5) { farthest = max(farthest, $0.positionInScene.norm) }
        #expect(farthest < 0.3)
    }

    @Test("a first fix amid the first steps of a walk loses none of them", arguments: UInt64(1)...3)
    func firstFix(seed: UInt64) throws {
        let all = GaitFixture.measurements(GaitFixture.walk(seed: seed), seconds: GaitFixture.opening + 6)
        func distance(fixFrom start: Double) throws -> Double {
            var odometry = Odometry(settings: .calibrated)
            var (place, isFixed) = (Vector3.zero, false)
            for measurement in all {
                if case .fix(let fix) = measurement {
                    guard !isFixed, fix.epoch >= Fixture.time(start) else { continue }
                    isFixed = true
                }
                odometry.feed(measurement) { if let pose = $0.pose { place = pose.positionInScene } }
            }
            return Vector3(place.x, 0, place.z).norm
        }
        // A place gives the declination, by which ENU turns.
        let fixed = try distance(fixFrom: GaitFixture.opening + 1)
        let free = try distance(fixFrom: 1e6)
        #expect(free > 3 && abs(fixed - free) < 0.3)
    }

    @Test("fixes up to 2 s late in any order lead to where fixes in order lead", arguments: UInt64(1)...3)
    func anyOrder(shuffle: UInt64) throws {
        let walk = GaitFixture.walk(seed: shuffle)
        let all = GaitFixture.measurements(walk, seconds: 33).filter {
            if case .fix(let fix) = $0 { return fix.epoch < Fixture.time(30) }
            return true
        }
        func last(_ measurements: [Measurement]) throws -> PoseEstimate {
            var odometry = Odometry(settings: .calibrated)
            var last: PoseEstimate?
            for measurement in measurements { odometry.feed(measurement) { last = $0.pose ?? last } }
            return try #require(last)
        }
        var random = Seeded(shuffle)
        let shuffled = all.map { measurement -> (Double, Measurement) in
            let t = measurement.time.seconds(since: Fixture.start)
            // The first fixes come in time: they set the origin.
            guard case .fix = measurement, t > 4 else { return (t, measurement) }
            return (t + Double.random(in: 0...2, using: &random), measurement)
        }
        let late = shuffled.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        let (a, b) = (try last(all), try last(late.map { $0.element.1 }))
        #expect(a.time == b.time)
        #expect(a.sources.contains(.steps))
        #expect((a.rotationENUFromBody * b.rotationENUFromBody.inverse).log.norm < 1e-9)
        #expect((try #require(a.velocityENU) - (try #require(b.velocityENU))).norm < 1e-9)
        let (p, q) = (try #require(a.geodetic), try #require(b.geodetic))
        #expect((walk.plane.pointENU(of: p) - walk.plane.pointENU(of: q)).norm < 1e-8)
    }
}
