import EstimatorFixtures
import Geometry
import Model
import Testing

@Suite("Sets of sensors")
struct SensorSetTests {
    private func has(_ measurement: Measurement, fieldWhere isThere: (Double) -> Bool) -> Bool {
        guard case .magneticField(let sample) = measurement else { return true }
        return isThere(sample.time.seconds(since: Fixture.start))
    }

    /// Of the yaw, the errors against the truth. Unit: radians.
    private func yawErrors(_ walk: StreetWalk, _ poses: [PoseEstimate], from start: Double) -> [Double] {
        poses.filter { $0.seconds > start }.map {
            ($0.rotationENUFromBody * walk.walk.truth(at: $0.time).rotationENUFromBody.inverse).log.z.magnitude
        }
    }

    @Test(
        "without a magnetometer there is no north until satellites and motion have found it", arguments: UInt64(1)...3)
    func sixAxes(seed: UInt64) throws {
        let walk = Walk(seconds: 120, seed: seed, hasMagnetometer: false, pace: 3)
        let poses = Walk.poses(walk.measurements())
        let found = try #require(poses.first { $0.headingReference != .none })
        #expect(found.headingReference == .trueNorth)
        let before = poses.filter { $0.time < found.time }
        for pose in before {
            #expect(pose.headingReference == .none && pose.heading == nil && pose.accuracy.yaw == nil)
            #expect(pose.state == .initializing || pose.state == .aligning)
        }
        #expect(before.count > 100 && before.allSatisfy { $0.reasons.contains(.headingUncertain) })
        // The states come in their order, and north once found is not given up.
        let states = poses.map(\.state)
        let firsts = try [TrackingState.initializing, .aligning, .localized].map {
            try #require(states.firstIndex(of: $0))
        }
        #expect(firsts == firsts.sorted() && firsts[0] == 0)
        #expect(poses.allSatisfy { $0.time < found.time || $0.headingReference == .trueNorth })
        let last = try #require(poses.last)
        #expect(last.state == .localized && last.reasons.contains(.noMagneticData))
        let turn = (last.rotationENUFromBody * walk.truth(last.seconds).rotationENUFromBody.inverse).log
        #expect(turn.z.magnitude < 0.1)
    }

    @Test("a magnetometer that is there only at times never costs the heading")
    func sometimes() throws {
        let walk = try StreetWalk(seconds: 150) { $0.errors.magnetometer.disturbance = 0 }
        let poses = StreetWalk.poses(
            walk.measurements.filter { has($0) { (8..<25).contains($0) || (90..<97).contains($0) } })
        let found = try #require(poses.first { $0.headingReference == .trueNorth })
        #expect(found.seconds < 12)
        let (without, with) = (
            poses.filter { $0.seconds > 28 && $0.seconds < 90 }, poses.filter { $0.seconds > 94 && $0.seconds < 97 }
        )
        #expect(without.count > 5000 && without.allSatisfy { $0.reasons.contains(.noMagneticData) })
        #expect(with.count > 300 && with.allSatisfy { !$0.reasons.contains(.noMagneticData) })
        #expect(poses.filter { $0.seconds > 60 }.allSatisfy { $0.state == .localized })
        let errors = yawErrors(walk, poses, from: 40)
        #expect(errors.max()! < 0.15, "\(errors.max()!)")
    }

    @Test("a magnetometer that comes late agrees with the north that motion has found")
    func late() throws {
        let walk = try StreetWalk(seconds: 150) { $0.errors.magnetometer.disturbance = 0 }
        let poses = StreetWalk.poses(walk.measurements.filter { has($0) { $0 > 100 } })
        #expect(try #require(poses.last).headingReference == .trueNorth)
        let errors = yawErrors(walk, poses, from: 120)
        #expect(errors.max()! < 0.2, "\(errors.max()!)")
    }
}
