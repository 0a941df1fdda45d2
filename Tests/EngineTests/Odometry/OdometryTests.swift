import EstimatorFixtures
import Geometry
import Model
import Engine
import Testing

@Suite("Odometry")
struct OdometryTests {
    @Test("follows a walk and says truly how well")
    func follows() throws {
        let walk = Walk(seconds: 90)
        let poses = Walk.poses(walk.measurements())
        #expect(poses.count == Int(walk.seconds * walk.rate))
        let last = try #require(poses.last)
        #expect(last.state == .localized)
        #expect(last.headingReference == .trueNorth)
        var (worstYaw, worstHorizontal, worstTilt) = (0.0, 0.0, 0.0)
        for pose in poses where pose.seconds > 60 {
            let truth = walk.truth(pose.seconds)
            let turn = (pose.rotationENUFromBody * truth.rotationENUFromBody.inverse).log
            let error = Walk.plane.pointENU(of: try #require(pose.geodetic)) - truth.position
            let yaw = try #require(pose.accuracy.yaw)
            let horizontal = try #require(pose.accuracy.horizontal)
            worstYaw = max(worstYaw, turn.z.magnitude / yaw)
            worstHorizontal = max(worstHorizontal, (error.x * error.x + error.y * error.y).squareRoot() / horizontal)
            worstTilt = max(worstTilt, (turn - Vector3(0, 0, turn.z)).norm)
        }
        // Four deviations of the yaw, three radii of 68 %: a filter wrong by a sign or a factor does not pass.
        #expect(worstYaw < 4)
        #expect(worstHorizontal < 3)
        #expect(worstTilt < 0.01)
    }

    @Test("the same measurements give the same bytes")
    func deterministic() {
        let measurements = Walk(seconds: 20, delay: 0.31).measurements()
        #expect(Walk.poses(measurements) == Walk.poses(measurements))
    }

    @Test("what follows does not change what was said", arguments: [5.0, 12.3])
    func causal(seconds: Double) {
        let whole = Walk(seconds: 20, delay: 0.2).measurements()
        let poses = Walk.poses(whole)
        let cut = whole.firstIndex { $0.time > Fixture.time(seconds) } ?? whole.count
        let early = Walk.poses(Array(whole[..<cut]))
        #expect(early == Array(poses[..<early.count]))
    }

    @Test("a disturbance too weak for the gates turns the yaw by less than its own strength")
    func weakDisturbance() throws {
        let walk = Walk(seconds: 120)
        // 1.5 µT to the east and up, which norm and inclination let pass.
        let measurements: [Measurement] = walk.measurements().map {
            guard case .magneticField(var sample) = $0 else { return $0 }
            guard sample.time > Fixture.time(70), sample.time < Fixture.time(110) else { return $0 }
            let now = walk.truth(sample.time.seconds(since: Fixture.start)).rotationENUFromBody
            sample.field += now.inverse * Vector3(1.5, 0, 1.5)
            return .magneticField(sample)
        }
        var (worst, worstRatio) = (0.0, 0.0)
        let poses = Walk.poses(measurements).filter { $0.seconds > 70 }
        #expect(poses.count > 4900)
        for pose in poses {
            let turn = (pose.rotationENUFromBody * walk.truth(pose.seconds).rotationENUFromBody.inverse).log
            worst = max(worst, turn.z.magnitude)
            worstRatio = max(worstRatio, turn.z.magnitude / (try #require(pose.accuracy.yaw)))
        }
        // Taken for the earth's field it turns the yaw by 4°. The yaw's own error among such fixes is as large.
        #expect(worst < 7 * .pi / 180)
        #expect(worstRatio < 3)
    }

    @Test("finds north by motion alone, without a magnetometer")
    func alignsByMotion() throws {
        let walk = Walk(seconds: 120, hasMagnetometer: false, pace: 3)
        let poses = Walk.poses(walk.measurements())
        let first = try #require(poses.first)
        #expect(first.headingReference == .none && first.heading == nil && first.accuracy.yaw == nil)
        let last = try #require(poses.last)
        #expect(last.headingReference == .trueNorth)
        let turn = (last.rotationENUFromBody * walk.truth(last.seconds).rotationENUFromBody.inverse).log
        #expect(turn.z.magnitude < 0.1)
    }

    @Test("the first fix turns magnetic north into the true one at once")
    func firstFix() throws {
        let walk = Walk(seconds: 22)
        let poses = Walk.poses(
            walk.measurements().filter { if case .fix = $0 { $0.time > Fixture.time(20) } else { true } })
        /// Counter-clockwise. Unit: radians.
        func yawError(_ pose: PoseEstimate) -> Double {
            (pose.rotationENUFromBody * walk.truth(pose.seconds).rotationENUFromBody.inverse).yawAboutZ
        }
        let first = try #require(poses.firstIndex { $0.headingReference == .trueNorth })
        let before = poses[first - 1]
        #expect(before.headingReference == .magneticNorth && poses[first].seconds < 21)
        // The compass's own errors stay; within one step nothing else turns by as much.
        let turn = yawError(before) - yawError(poses[first])
        #expect(abs(turn - Fixture.field.declination) < 0.005)
        #expect(abs(yawError(poses[first])) < 0.1)
    }

    @Test("works from inertial samples alone")
    func inertialOnly() throws {
        let measurements = Walk(seconds: 30).measurements().filter {
            switch $0 {
            case .angularRate, .specificForce: true
            default: false
            }
        }
        let poses = Walk.poses(measurements)
        let last = try #require(poses.last)
        #expect(last.state == .aligning)
        #expect(last.headingReference == .none && last.geodetic == nil && last.velocityENU == nil)
        #expect(last.reasons.isSuperset(of: [.noGNSSData, .noMagneticData, .headingUncertain, .positionUncertain]))
        // The slow swings of this walk are no more than the assumption of a body about one place allows.
        #expect(poses.allSatisfy { $0.positionInScene.norm < 30 })
    }

    @Test("forces that come late release their steps in order, with the values of the right instant")
    func lateForces() throws {
        let inOrder = Walk(seconds: 10).measurements()
        var late: [(Double, Measurement)] = []
        for measurement in inOrder {
            let t = measurement.time.seconds(since: Fixture.start)
            if case .specificForce = measurement {
                // Batches of 40 ms.
                late.append(((t / 0.04).rounded(.up) * 0.04 + 1e-4, measurement))
            } else {
                late.append((t, measurement))
            }
        }
        let batched = late.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            .map { $0.element.1 }
        let a = Walk.poses(inOrder)
        let b = Walk.poses(batched)
        #expect(b.count >= a.count - 5)
        #expect(zip(b, b.dropFirst()).allSatisfy { $0.time < $1.time })
        let (x, y) = (try #require(a.dropLast(5).last), try #require(b.last { $0.time <= a[a.count - 6].time }))
        #expect(x.time == y.time)
        #expect((x.rotationENUFromBody * y.rotationENUFromBody.inverse).log.norm < 0.01)
    }
}
