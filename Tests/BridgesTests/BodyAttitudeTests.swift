import Bridges
import Geometry
import Testing
import WaymarkInterface

/// An orientation made of known turns of a body that first looks north, upright.
func orientation(heading: Double, pitch: Double, roll: Double) -> PoseInterface.Quaternion {
    let degrees = Double.pi / 180
    // About up, clockwise seen from above; about the right side, line of sight upwards; about the line of sight, right
    // side downwards.
    let turn =
        Rotation3.about(Vector3(0, 1, 0), by: -heading * degrees)
        * Rotation3.about(Vector3(1, 0, 0), by: pitch * degrees)
        * Rotation3.about(Vector3(0, 0, -1), by: roll * degrees)
    return PoseInterface.Quaternion(x: turn.x, y: turn.y, z: turn.z, w: turn.w)
}

@Suite("Attitude of the body")
struct BodyAttitudeTests {
    @Test("Yaw, pitch and roll are the turns that an orientation was made of")
    func turns() {
        for heading in stride(from: -175.0, through: 180, by: 35) {
            for pitch in stride(from: -85.0, through: 85, by: 17) {
                for roll in stride(from: -170.0, through: 180, by: 35) {
                    let attitude = BodyAttitude(orientation(heading: heading, pitch: pitch, roll: roll))
                    let found = [attitude.yaw, attitude.pitch, attitude.roll].map { $0 * 180 / .pi }
                    for (value, wanted) in zip(found, [heading, pitch, roll]) {
                        let difference = (value - wanted).remainder(dividingBy: 360)
                        #expect(abs(difference) < 1e-9)
                    }
                }
            }
        }
    }

    @Test(
        "With a vertical line of sight the heading is that of the right side, and the roll is 0",
        arguments: [90.0, -90])
    func vertical(_ pitch: Double) {
        let attitude = BodyAttitude(orientation(heading: 40, pitch: pitch, roll: 0))
        #expect(abs(attitude.yaw * 180 / .pi - 40) < 1e-6)
        #expect(abs(attitude.pitch * 180 / .pi - pitch) < 1e-5)
        #expect(attitude.roll == 0)
    }
}
