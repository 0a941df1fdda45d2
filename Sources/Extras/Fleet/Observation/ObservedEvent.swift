import JSON
import WaymarkInterface

/// An event of a wearer as a reader finds it in a message of `…/event`.
package struct ObservedEvent: Hashable, Sendable {
    /// By the clock of the wearer's board.
    package var time: UTCTime
    package var sequence: Int64
    package var kind: OpenWord<SceneInterface.EventKind>
    /// What the event is about: an identifier of the scene, and its name. A wearer with a grid leaves both out.
    package var identifier: String?
    package var text: String?

    /// - Throws: a problem with the path of the value, for what is missing or of another kind.
    package init(_ node: JSONNode) throws(DocumentProblem) {
        time = try UTCTime(node.member("time"))
        sequence = try ObservedNumber.count(node.member("sequence"))
        kind = try OpenWord(node.member("kind"))
        identifier = try node["id"]?.text()
        text = try node["text"]?.text()
    }
}
