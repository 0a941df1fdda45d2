import JSON
import WaymarkInterface

/// Health of a wearer's board, as read from a message of `…/health`.
package struct ObservedHealth: Hashable, Sendable {
    /// Time by the clock of the wearer's board.
    package var time: UTCTime
    /// Number of poses and events that wait on the board for the broker.
    package var waiting: Int64
    package var droppedPoses: Int64
    package var lostEvents: Int64
    /// Sentences of advice about the board, most important first.
    package var advice: [String]

    /// Maximum number of sentences that are kept.
    private static let maximumAdviceCount = 8

    /// - Throws: a problem, with the path of the value that is missing, of another kind or out of range.
    package init(_ node: JSONNode) throws(DocumentProblem) {
        time = try UTCTime(node.member("time"))
        let queue = try node.member("queue")
        waiting = try ObservedNumber.count(queue.member("poses")) + ObservedNumber.count(queue.member("events"))
        droppedPoses = try ObservedNumber.count(queue.member("droppedPoses"))
        lostEvents = try ObservedNumber.count(queue.member("lostEvents"))
        advice = []
        guard var sentences = try node["advice"]?.array() else { return }
        while advice.count < Self.maximumAdviceCount, let sentence = sentences.next() {
            advice.append(try sentence.text())
        }
    }
}
