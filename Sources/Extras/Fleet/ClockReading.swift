/// What UTC is, as an offset to boot time, and where that is known from.
package struct ClockReading: Hashable, Sendable {
    /// Where the time comes from, the better the greater.
    package enum Quality: Int64, Comparable, Sendable {
        /// The computer's clock, which no server or receiver has set.
        case unsynchronized
        /// The computer's clock, which is synchronised.
        case system
        /// The receiver, by the daemon's poses.
        case gnss

        package static func < (a: Quality, b: Quality) -> Bool { a.rawValue < b.rawValue }

        /// The word of messages.
        package var word: StaticString {
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

    /// UTC since 1970 of a moment. Unit: ns.
    ///
    /// - Parameter time: CLOCK_BOOTTIME. Unit: ns.
    package func utc(_ time: Int64) -> Int64 { time &+ offset }

    /// Whether another reading is worth having in place of this one: a better one, or one as good that differs.
    package func isImproved(by other: ClockReading) -> Bool {
        if other.quality != quality { return other.quality > quality }
        return (other.offset &- offset).magnitude > Self.tolerance
    }

    /// Difference up to which two readings are the same: far more than clocks are slewed in the time between two
    /// readings, far less than people and maps care about. Unit: ns.
    private static let tolerance: UInt64 = 10_000_000
}
