import WaymarkClient

/// A moment as it is typed: seconds with up to nine digits behind the point, since a clock's beginning or before now.
struct PastMoment: Sendable {
    /// Magnitude of the number that was typed. Unit: nanoseconds.
    private let nanoseconds: Int64
    private let isBeforeNow: Bool

    /// Nil for what is no such number.
    init?(_ text: String) {
        isBeforeNow = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" || $0 == "+" }.split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1] : ""
        let signs = text.utf8.count - parts.joined(separator: ".").utf8.count
        guard let whole = parts.first, signs <= 1, !whole.isEmpty, fraction.utf8.count <= 9,
            (whole + fraction).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let digits = Int64(whole + fraction + String(repeating: "0", count: 9 - fraction.utf8.count))
        else { return nil }
        nanoseconds = digits
    }

    /// By a clock; nil for what was before it began.
    ///
    /// - Parameters:
    ///   - now: boot time, nanoseconds.
    ///   - realtimeOffset: nanoseconds to add to boot time to get CLOCK_REALTIME.
    func time(_ clock: Clock, now: Int64, _ realtimeOffset: Int64) -> Time? {
        var moment = nanoseconds
        if isBeforeNow {
            moment = now + (clock == .realtime ? realtimeOffset : 0) - nanoseconds
        }
        guard moment >= 0 else { return nil }
        return Time(sec: moment / 1_000_000_000, nsec: moment % 1_000_000_000)
    }
}
