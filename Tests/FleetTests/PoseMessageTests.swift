import Fleet
import Geometry
import Glibc
import JSON
import Testing
import WaymarkInterface

@Suite("Pose message")
struct PoseMessageTests {
    private static func message(
        isCoarse: Bool = false, of change: (inout PoseInterface.Pose) -> Void
    ) throws -> JSONNode {
        let position = try #require(
            GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 400))
        var pose = SimulatedWearer(number: 0, origin: position).pose(at: 0)
        change(&pose)
        var privacy = PositionPrivacy(gridMetres: 0, areas: [])
        let permitted = privacy.publish(position, horizontalAccuracy: 2, verticalAccuracy: 3, at: 0)
        var json = JSONWriter(capacity: 1024)
        let members = PoseMessage.members(pose, at: try #require(permitted), isCoarse: isCoarse, into: &json)
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

    @Test("Beside a cell of the grid, only the eighth of the compass is published", arguments: [113, 134.9, 157])
    func coarseRotation(heading: Double) throws {
        let message = try Self.message(isCoarse: true) { pose in
            pose.heading = heading
            pose.accuracy.orientationYawAccuracy = 2
        }
        // Upright and to the south-east: 135° clockwise about up, after the body's y has been turned up.
        let (half, yaw) = (0.5.squareRoot(), -135 * Double.pi / 360)
        let expected = ["x": half * cos(yaw), "y": half * sin(yaw), "z": half * sin(yaw), "w": half * cos(yaw)]
        let members = Array(try message.member("quaternion").members)
        #expect(members.count == expected.count)
        for member in members {
            let value = try #require(member.name.string.flatMap { expected[$0] })
            #expect(abs(try #require(member.value.number) - value) < 1e-9)
        }
        #expect(try message.member("accuracy").member("heading").double() == 15.43)
    }

    @Test("Sectors begin at north, and go once around")
    func sectors() {
        for (heading, middle) in [(0.0, 0.0), (22, 0), (23, 45), (337, 315), (338, 0), (-10, 0), (720, 0)] {
            #expect(HeadingSector.middle(of: heading) == middle)
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
