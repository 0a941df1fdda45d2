import JSON
import WaymarkInterface

/// An event of a wearer, as read from a message of `…/event`.
package struct ObservedEvent: Hashable, Sendable {
    /// Time by the clock of the wearer's board.
    package var time: UTCTime
    package var sequence: Int64
    package var kind: OpenWord<SceneInterface.EventKind>
    /// Subject of the event: an identifier of the scene, and its name. Both are missing if the wearer publishes grid
    /// cells instead of positions.
    package var identifier: String?
    package var text: String?

    /// - Throws: a problem, with the path of the value that is missing or of another kind.
    package init(_ node: JSONNode) throws(DocumentProblem) {
        time = try UTCTime(node.member("time"))
        sequence = try ObservedNumber.count(node.member("sequence"))
        kind = try OpenWord(node.member("kind"))
        identifier = try node["id"]?.text()
        text = try node["text"]?.text()
    }
}
