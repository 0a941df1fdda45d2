import Fleet
import Geodesy
import JSON
import Testing
import WaymarkInterface

@Suite("Pose message")
struct PoseMessageTests {
    private static func message(of change: (inout PoseInterface.Pose) -> Void) throws -> JSONNode {
        let position = try #require(
            GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 400))
        var pose = SimulatedWearer(number: 0, origin: position).pose(at: 0)
        change(&pose)
        var privacy = PositionPrivacy(gridMetres: 0, areas: [])
        let permitted = privacy.publish(position, horizontalAccuracy: 2, verticalAccuracy: 3, at: 0)
        var json = JSONWriter(capacity: 1024)
        let members = PoseMessage.members(pose, at: try #require(permitted), into: &json)
        return try JSONReader.read(Array("{".utf8) + members + Array("}".utf8))
    }

    @Test("The rotation is that of the heading, whatever the yaw of the scene")
    func rotationIsThatOfHeading() throws {
        // Level and with the scene's -z ahead; by the heading, that is west.
        let message = try Self.message { pose in
            pose.orientation = PoseInterface.Quaternion(x: 0, y: 0, z: 0, w: 1)
            pose.heading = 270
        }
        let half = 0.5
        for (name, expected) in [("x", half), ("y", half), ("z", half), ("w", half)] {
            let member = try message.member("quaternion").members.first { $0.name.string == name }
            #expect(abs(try #require(member?.value.number) - expected) < 1e-9)
        }
    }

    @Test("Without a true heading there is no rotation, and everything else")
    func withoutHeadingNoRotation() throws {
        for change: (inout PoseInterface.Pose) -> Void in [
            { $0.heading = nil }, { $0.headingReference = .magneticNorth }, { $0.headingReference = .none },
        ] {
            let message = try Self.message(of: change)
            #expect(message["quaternion"] == nil)
            #expect(try message.member("position").member("lat").double() == 47)
            #expect(try message.member("accuracy").member("horizontal").double() == 2)
            #expect(try message.member("state").text() == "localized")
        }
    }
}
