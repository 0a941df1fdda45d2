/// Newest events of a run of the daemon. They are numbered, so that a reader can continue after the last event that it
/// has.
public struct EventHistory: Sendable {
    package static let maximumCount = 256

    /// Retained events, oldest first.
    private var newest: [PublishedEvent] = []
    /// Total number of events so far.
    private(set) var count: UInt64 = 0
    /// Sequence of the first event of the run; nil before the first event.
    private var first: Int64?
    /// Sequence of the newest event that is no longer retained; nil while all events are retained.
    private var lastDiscarded: Int64?

    package init() {}

    /// Publishes an event with the next sequence.
    ///
    /// A sequence is the time of the event in microseconds, so that sequences increase over restarts of the daemon
    /// without being stored. They stay below 2⁵³ for 285 years of uptime, so JSON readers that use doubles keep them
    /// exactly.
    public mutating func add(_ event: TimedEvent) {
        let sequence = max((newest.last?.sequence ?? 0) + 1, event.time.nanoseconds / 1000)
        if newest.count == Self.maximumCount { lastDiscarded = newest.removeFirst().sequence }
        newest.append(PublishedEvent(sequence: sequence, event))
        first = first ?? sequence
        count += 1
    }

    /// Position of a reader that has received all events.
    var end: EventPosition { EventPosition(received: count) }

    /// Returns the position of a reader whose last event has the given sequence, in this run or an earlier one.
    func position(after sequence: Int64) -> EventPosition {
        let received = newest.prefix { $0.sequence <= sequence }.count
        return EventPosition(
            received: count - UInt64(newest.count - received), lost: lost(after: sequence),
            maximumCount: Self.maximumCount)
    }

    /// Returns the number of events after a sequence that are known not to be retained.
    ///
    /// If the reader's last event is not retained either, the number is unknown, and the lower bound 1 is returned.
    private func lost(after sequence: Int64) -> Int {
        guard let first, let lastDiscarded, sequence < lastDiscarded else { return 0 }
        return sequence < first ? Int(count) - newest.count : 1
    }

    /// Returns the events that a reader lacks, oldest first, and the number of events that are missing before them.
    func since(_ position: EventPosition) -> (events: [PublishedEvent], dropped: Int) {
        let lacking = Int(count - min(position.received, count))
        let events = newest.suffix(min(lacking, position.maximumCount))
        return (Array(events), lacking - events.count + position.lost)
    }
}

/// Position of one reader in the events.
struct EventPosition: Hashable, Sendable {
    /// Number of events that the reader has received or missed.
    var received: UInt64
    /// Number of missed events of which the reader has not been informed.
    var lost = 0
    /// Maximum number of events in the reader's next update. A slow reader gets fewer than a reader that continues
    /// after a sequence.
    var maximumCount = 64
}
