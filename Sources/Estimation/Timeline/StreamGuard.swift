import Measurements

/// Check of the time stamps of one stream, which must increase.
package struct StreamGuard: Sendable {
    /// Verdict on a time stamp.
    package enum Verdict: Hashable, Sendable {
        case accepted
        case duplicate
        /// Older than a sample that came before it.
        case reordered
        /// Far ahead of all before it, and not confirmed yet.
        case jumpedAhead
        /// The clock was set back: time stamps count from here.
        case steppedBack
    }

    package private(set) var latest: BootTime?
    private var backward = 0
    private var previous: BootTime?
    private var leap: BootTime?

    package init() {}

    /// Number of successive increasing time stamps in the past that show a clock set back.
    private static let backwardToBelieve = 50
    /// Distance ahead beyond which the next time stamp must confirm: a single wrong one would make all later ones look
    /// old. Unit: seconds.
    private static let largestJump = 10.0

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
        if let latest, time.seconds(since: latest) > Self.largestJump {
            let isConfirmed = leap.map { time > $0 && time.seconds(since: $0) <= Self.largestJump } ?? false
            guard isConfirmed else {
                leap = time
                return .jumpedAhead
            }
        }
        latest = time
        leap = nil
        backward = 0
        return .accepted
    }

    mutating func restart() { self = StreamGuard() }
}
