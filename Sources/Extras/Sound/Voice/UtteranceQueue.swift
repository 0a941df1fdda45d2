/// Utterances that wait to be spoken, the oldest first, and what is to be cancelled for them.
package struct UtteranceQueue {
    private var waiting: [Utterance] = []
    /// The last one that was handed out, which may still be heard.
    private var last: Utterance?

    /// Age above which an announcement is obsolete: the wearer has gone ten metres on. Unit: ns.
    package static let longestAge: Int64 = 8_000_000_000
    /// The most that wait, more than the daemon announces in that time.
    private static let most = 8

    /// Empty queue.
    package init() {}

    /// Adds an utterance, in the place of one about the same.
    package mutating func add(_ utterance: Utterance) {
        if utterance.subject != .other { waiting.removeAll { $0.subject == utterance.subject } }
        waiting.append(utterance)
        if waiting.count > Self.most { waiting.removeFirst() }
    }

    /// The next utterance that is not obsolete, and whether it ends what is being spoken: an earlier one about the
    /// same, or a less urgent one that has to wait no longer.
    package mutating func next(at now: Int64) -> (utterance: Utterance, cancels: Bool)? {
        waiting.removeAll { now - $0.time > Self.longestAge }
        guard let utterance = waiting.first else { return nil }
        waiting.removeFirst()
        let cancels = last.map { last in
            last.time + Self.longestAge > now
                && (last.subject == utterance.subject && last.subject != .other || utterance.priority < last.priority)
        }
        last = utterance
        return (utterance, cancels ?? false)
    }

    /// Whether an utterance waits that is not obsolete.
    package func waits(at now: Int64) -> Bool { waiting.contains { now - $0.time <= Self.longestAge } }

    /// Puts one that could not be spoken back to the front.
    package mutating func putBack(_ utterance: Utterance) {
        waiting.insert(utterance, at: 0)
        last = nil
    }

    /// Discards what waits.
    package mutating func removeAll() { waiting.removeAll() }
}
