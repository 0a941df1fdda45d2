import Fleet
import Geometry
import JSON
import Testing
import WaymarkInterface

@Suite("Event message")
struct EventMessageTests {
    /// Longest text of a name or an identifier of a document; each of its bytes may take six in JSON.
    private static let longest = String(repeating: "\u{1}", count: 256)
    /// `message_size_limit` of the configuration of mosquitto that is shipped. Unit: bytes.
    private static let brokersLimit = 16_384

    @Test("The longest event is shorter than what the shipped brokers take")
    func longestEvent() throws {
        var event = SceneInterface.Event(
            time: PoseInterface.Time(nanoseconds: 0), kind: OpenWord(.arrived), id: Self.longest, text: Self.longest)
        event.route = Self.longest
        let position = try #require(
            GeodeticPosition(latitudeDegrees: -89.9, longitudeDegrees: -179.9, ellipsoidalHeight: -1000))
        var privacy = PositionPrivacy(gridMetres: 0, areas: [])
        let published = privacy.publish(position, horizontalAccuracy: 1, verticalAccuracy: 1, at: 0)
        var json = JSONWriter(capacity: 1024)
        let body = EventMessage.members(event, at: published, isCoarse: false, into: &json)
        #expect(body.count > 3 * 6 * 256)
        #expect(body.count < Self.brokersLimit / 2)
    }

    @Test("With a grid an event says neither what it is about nor how far that is")
    func coarse() {
        let event = SceneInterface.Event(
            time: PoseInterface.Time(nanoseconds: 0), kind: OpenWord(.arrived), id: "p/1", text: "Clinic", distance: 3)
        var json = JSONWriter(capacity: 1024)
        let body = String(
            decoding: EventMessage.members(event, at: nil, isCoarse: true, into: &json), as: UTF8.self)
        #expect(body == #""kind":"arrived""#)
    }
}
