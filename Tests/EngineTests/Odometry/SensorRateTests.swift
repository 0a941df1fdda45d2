import Geometry
import Model
import Testing

@Suite("Inertial sensors of any rate")
struct SensorRateTests {
    @Test("a walk is followed from 25 Hz to 1000 Hz", arguments: [25, 50, 100, 200, 500, 1000])
    func rates(rate: Int) throws {
        let walk = try StreetWalk(seconds: 100, inertialRate: rate, simulatedRate: 1000)
        let poses = StreetWalk.poses(walk.measurements)
        let errors = try walk.errors(poses, from: 40)
        // A receiver of 2 to 3 m, and a magnetometer with disturbances: the rate must add nothing to what they leave.
        #expect(errors.yaw < 0.06, "\(errors)")
        #expect(errors.tilt < 0.015, "\(errors)")
        #expect(errors.horizontal < 6, "\(errors)")
        #expect(errors.vertical < 6, "\(errors)")
        #expect(try #require(poses.last).state == .localized)
    }

    @Test("a pose comes with each sample, whatever the rate", arguments: [25, 1000])
    func cadence(rate: Int) throws {
        let walk = try StreetWalk(seconds: 10, inertialRate: rate, simulatedRate: 1000)
        let poses = StreetWalk.poses(walk.measurements)
        #expect(abs(poses.count - 10 * rate) <= rate / 5)
    }
}
