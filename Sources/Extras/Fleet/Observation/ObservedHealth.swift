import JSON
import WaymarkInterface

/// Health of a wearer's board as a reader finds it in a message of `…/health`.
package struct ObservedHealth: Hashable, Sendable {
    /// By the clock of the wearer's board.
    package var time: UTCTime
    /// Poses and events that wait on the board for the broker.
    package var waiting: Int64
    package var droppedPoses: Int64
    package var lostEvents: Int64
    /// What to do about the board, in sentences; the most important first.
    package var advice: [String]

    /// Number of sentences that are kept.
    private static let mostAdvice = 8

    /// - Throws: a problem with the path of the value, for what is missing, of another kind or out of range.
    package init(_ node: JSONNode) throws(DocumentProblem) {
        time = try UTCTime(node.member("time"))
        let queue = try node.member("queue")
        waiting = try ObservedNumber.count(queue.member("poses")) + ObservedNumber.count(queue.member("events"))
        droppedPoses = try ObservedNumber.count(queue.member("droppedPoses"))
        lostEvents = try ObservedNumber.count(queue.member("lostEvents"))
        advice = []
        guard var sentences = try node["advice"]?.array() else { return }
        while advice.count < Self.mostAdvice, let sentence = sentences.next() { advice.append(try sentence.text()) }
    }
}
