import Measurements

/// Watches over the stamps of one sensor's stream: they may only grow.
package struct StreamGuard: Sendable {
    package enum Verdict: Hashable, Sendable {
        case accepted
        case duplicate
        /// Older than a sample that came before it.
        case reordered
        /// The clock was set back for good: everything counts from here anew.
        case steppedBack
    }

    package private(set) var latest: BootTime?
    private var backward = 0
    private var previous: BootTime?

    package init() {}

    /// So many samples in a row, growing among themselves but all in the past, are a clock that was set back.
    private static let backwardToBelieve = 50

    mutating func admit(_ time: BootTime) -> Verdict {
        guard let latest, time <= latest else {
            self.latest = time
            backward = 0
            return .accepted
        }
        defer { previous = time }
        if time == latest { return .duplicate }
        backward = previous.map { $0 < time } ?? true ? backward + 1 : 1
        guard backward >= Self.backwardToBelieve else { return .reordered }
        self.latest = time
        backward = 0
        return .steppedBack
    }

    mutating func restart() { self = StreamGuard() }
}
