import JSON
import WaymarkInterface

/// State of a wearer, as read from a message of `…/state`.
package struct ObservedState: Hashable, Sendable {
    /// Whether the wearer's program is connected to the broker.
    package var isOnline: Bool
    /// Time of the message by the clock of the wearer's board; nil for the message that the broker published when it
    /// lost the wearer.
    package var time: UTCTime?
    package var version: String?
    package var hasDaemon: Bool
    package var state: OpenWord<PoseInterface.LocalizationState>?
    package var reasons: WordSet<PoseInterface.Reason>
    package var readiness: OpenWord<SceneInterface.Readiness>?
    package var motion: OpenWord<PoseInterface.MotionMode>?
    package var route: OpenWord<SceneInterface.RouteState>?
    /// Whether positions are withheld because the wearer may be in a private area.
    package var isWithheld: Bool

    /// - Throws: a problem, with the path of the value that is missing or of another kind.
    package init(_ node: JSONNode) throws(DocumentProblem) {
        let online = try node.member("online")
        guard let isOnline = online.bool else { throw online.problem("true or false is needed") }
        self.isOnline = isOnline
        time = try node["time"].map { (node) throws(DocumentProblem) in try UTCTime(node) }
        version = try node["version"]?.text()
        hasDaemon = node["daemon"]?.bool ?? false
        state = try Self.word(node["state"])
        reasons = try node["reasons"].map { (node) throws(DocumentProblem) in try WordSet(node) } ?? WordSet()
        readiness = try Self.word(node["readiness"])
        motion = try Self.word(node["motion"])
        route = try Self.word(node["route"])
        isWithheld = node["withheld"]?.bool ?? false
    }

    private static func word<Word>(_ node: JSONNode?) throws(DocumentProblem) -> OpenWord<Word>? {
        try node.map { (node) throws(DocumentProblem) in try OpenWord(node) }
    }
}
