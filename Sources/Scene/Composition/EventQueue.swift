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

    /// Events after the first `told`, oldest first, and the number of events missing before them.
    func since(_ told: UInt64) -> (events: [TimedEvent], dropped: Int) {
        let untold = Int(count - min(told, count))
        return (Array(newest.suffix(untold)), max(0, untold - newest.count))
    }
}
