/// The newest events, for readers each of whom has been told some of them.
struct EventQueue: Sendable {
    private var newest: [TimedEvent] = []
    /// All that there have been.
    private(set) var count: UInt64 = 0
    private let most: Int

    init(most: Int) { self.most = most }

    mutating func add(_ event: TimedEvent) {
        if newest.count == most { newest.removeFirst() }
        newest.append(event)
        count += 1
    }

    /// Those after the first so many, the oldest first, and how many are missing before them.
    func since(_ told: UInt64) -> (events: [TimedEvent], dropped: Int) {
        let untold = Int(count - min(told, count))
        return (Array(newest.suffix(untold)), max(0, untold - newest.count))
    }
}
