import JSON

/// UTC as an offset to boot time, with its origin.
package struct ClockReading: Hashable, Sendable {
    /// Origin of the time; a better one compares as greater.
    package enum Quality: Int64, Comparable, Sendable {
        /// The computer's clock, not set by any server or receiver.
        case unsynchronized
        /// The computer's synchronised clock.
        case system
        /// The receiver, through the daemon's poses.
        case gnss

        package static func < (a: Quality, b: Quality) -> Bool { a.rawValue < b.rawValue }

        /// Word for the origin of the time in messages.
        var word: StaticString {
            switch self {
            case .unsynchronized: "unsynchronized"
            case .system: "system"
            case .gnss: "gnss"
            }
        }
    }

    /// UTC since 1970 minus CLOCK_BOOTTIME. Unit: ns.
    package var offset: Int64
    package var quality: Quality

    package init(offset: Int64, quality: Quality) {
        self.offset = offset
        self.quality = quality
    }

    /// Returns UTC since 1970 at a time. Unit: ns.
    ///
    /// - Parameter time: CLOCK_BOOTTIME. Unit: ns.
    package func utc(_ time: Int64) -> Int64 { time &+ offset }

    /// Writes the members `time` and `clock` of a message.
    ///
    /// - Parameter time: CLOCK_BOOTTIME. Unit: ns.
    func write(_ time: Int64, into json: inout JSONWriter) {
        json.key("time")
        json.value(rfc3339: utc(time))
        json.member("clock", word: quality.word)
    }

    /// Whether another reading should replace this one, because it is better, or equally good but different.
    package func isImproved(by other: ClockReading) -> Bool {
        if other.quality != quality { return other.quality > quality }
        return (other.offset &- offset).magnitude > Self.tolerance
    }

    /// Difference up to which two readings count as equal. It is far above the slewing of clocks between two readings,
    /// and far below what users and maps resolve. Unit: ns.
    private static let tolerance: UInt64 = 10_000_000
}
