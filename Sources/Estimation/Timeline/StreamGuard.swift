import Model

/// Watches over the stamps of one sensor's stream: they may only grow.
package struct StreamGuard: Sendable {
    package enum Verdict: Hashable, Sendable {
        case accepted
        case duplicate
        /// Older than a sample that came before it.
        case reordered
        /// Far ahead of all before it, and nothing confirms that yet.
        case leaped
        /// The clock was set back for good: everything counts from here anew.
        case steppedBack
    }

    package private(set) var latest: BootTime?
    private var backward = 0
    private var previous: BootTime?
    private var leap: BootTime?

    package init() {}

    /// So many samples in a row, growing among themselves but all in the past, are a clock that was set back.
    private static let backwardToBelieve = 50
    /// A stamp farther ahead must be confirmed by the next one: one wild stamp would make all after it look old.
    /// Unit: seconds.
    private static let longestLeap = 10.0

    mutating func admit(_ time: BootTime) -> Verdict {
        guard let latest, time <= latest else { return admitAhead(time) }
        defer { previous = time }
        if time == latest { return .duplicate }
        backward = previous.map { $0 < time } ?? true ? backward + 1 : 1
        guard backward >= Self.backwardToBelieve else { return .reordered }
        self.latest = time
        backward = 0
        return .steppedBack
    }

    private mutating func admitAhead(_ time: BootTime) -> Verdict {
        if let latest, time.seconds(since: latest) > Self.longestLeap {
            let isConfirmed = leap.map { time > $0 && time.seconds(since: $0) <= Self.longestLeap } ?? false
            guard isConfirmed else {
                leap = time
                return .leaped
            }
        }
        latest = time
        leap = nil
        backward = 0
        return .accepted
    }

    mutating func restart() { self = StreamGuard() }
}
