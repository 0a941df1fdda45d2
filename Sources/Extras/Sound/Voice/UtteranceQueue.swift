/// Utterances waiting to be spoken, oldest first. The queue also decides whether an utterance stops the current speech.
package struct UtteranceQueue {
    private var waiting: [Utterance] = []
    /// Last utterance that was returned. It may still be spoken.
    private var last: Utterance?

    /// Age above which an announcement is obsolete, because the wearer has then walked ten metres. Unit: ns.
    package static let maximumAge: Int64 = 8_000_000_000
    /// Maximum number of waiting utterances, more than the daemon announces within `maximumAge`.
    private static let maximumCount = 8

    package init() {}

    /// Adds an utterance. It replaces a waiting utterance about the same subject.
    package mutating func add(_ utterance: Utterance) {
        if utterance.subject != .other { waiting.removeAll { $0.subject == utterance.subject } }
        waiting.append(utterance)
        if waiting.count > Self.maximumCount { waiting.removeFirst() }
    }

    /// Returns the next utterance that is not obsolete, and whether it stops the current speech. It does so if the
    /// current speech is about the same subject, or is less urgent.
    package mutating func next(at now: Int64) -> (utterance: Utterance, cancels: Bool)? {
        waiting.removeAll { now - $0.time > Self.maximumAge }
        guard let utterance = waiting.first else { return nil }
        waiting.removeFirst()
        let cancels = last.map { last in
            last.time + Self.maximumAge > now
                && (last.subject == utterance.subject && last.subject != .other || utterance.priority < last.priority)
        }
        last = utterance
        return (utterance, cancels ?? false)
    }

    /// Whether an utterance that is not obsolete is waiting.
    package func waits(at now: Int64) -> Bool { waiting.contains { now - $0.time <= Self.maximumAge } }

    /// Adds an utterance that could not be spoken to the front of the queue again.
    package mutating func putBack(_ utterance: Utterance) {
        waiting.insert(utterance, at: 0)
        last = nil
    }

    package mutating func removeAll() { waiting.removeAll() }
}
