import Fleet
import Geometry
import JSON
import Testing
import WaymarkInterface

@Suite("OwnTracks' message")
struct OwnTracksMessageTests {
    @Test("behaviour 18: the altitude is above the sea, by EGM96")
    func altitude() throws {
        let position = try #require(
            GeodeticPosition(latitudeDegrees: 47.25, longitudeDegrees: 8.5, ellipsoidalHeight: 400))
        let pose = SimulatedWearer(number: 0, origin: position).pose(at: 0)
        var privacy = PositionPrivacy(gridMetres: 0, areas: [])
        let permitted = privacy.publish(position, horizontalAccuracy: 2, verticalAccuracy: 3, at: 0)
        var json = JSONWriter(capacity: 1024)
        let members = OwnTracksMessage.members(
            pose, at: try #require(permitted), isCoarse: false, identifier: "ada", into: &json)
        let message = try JSONReader.read(Array("{".utf8) + members + Array("}".utf8))
        // The geoid is 47.82 m above the ellipsoid there.
        #expect(try message.member("alt").double() == 352)
    }
}
