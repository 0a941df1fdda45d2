import Documents
import JSON
import WaymarkInterface

/// An event of the scene as the members of a message on `…/event`.
package enum EventMessage {
    /// Whether an event is published. Announcements and turns are not, because they are meant for the wearer only.
    /// Objects that are reached, left or passed are, and so are changes of the frame in which content is placed.
    package static func isPublished(_ event: SceneInterface.Event) -> Bool {
        switch event.kind.known {
        case .announcement, .turnAhead: false
        default: true
        }
    }

    /// Returns the members without braces.
    ///
    /// - Parameters:
    ///   - isCoarse: whether positions are reduced to a grid. If so, the event's subject and its distance are omitted,
    ///     because they would reveal more than the grid cell.
    package static func members(
        _ event: SceneInterface.Event, at published: PositionPrivacy.Published?, isCoarse: Bool,
        into json: inout JSONWriter
    ) -> [UInt8] {
        MessageMembers.write(into: &json) { json in
            json.member("kind", event.kind)
            if !isCoarse {
                json.member("id", event.id)
                json.member("route", event.route)
                json.member("text", event.text)
                json.member("distance", event.distance, .fixed(1))
                json.member("turn", event.turn, .fixed(1))
            }
            json.member("state", event.state)
            json.member("reasons", event.reasons)
            guard let published else { return }
            GeoPose.writePosition(published.position, into: &json)
        }
    }
}
