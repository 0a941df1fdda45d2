/// Queue of the newest events, for several readers.
struct EventQueue: Sendable {
    private var newest: [TimedEvent] = []
    /// Total number of events so far.
    private(set) var count: UInt64 = 0
    private let most: Int

    init(most: Int) { self.most = most }

    mutating func add(_ event: TimedEvent) {
        if newest.count == most { newest.removeFirst() }
        newest.append(event)
        count += 1
    }

    /// Events after the first `received`, oldest first, and the number of events missing before them.
    func since(_ received: UInt64) -> (events: [TimedEvent], dropped: Int) {
        let missing = Int(count - min(received, count))
        return (Array(newest.suffix(missing)), max(0, missing - newest.count))
    }
}
