/// Offset of UTC from boot time, learned from GNSS fixes.
public struct UniversalTime: Hashable, Sendable {
    /// UTC since 1970 less boot time; nil until a fix has reported UTC. Unit: nanoseconds.
    public private(set) var offset: Int64?

    /// An unknown offset.
    public init() {}

    /// Updates the offset from a fix; ignores fixes without UTC or outside of the range of dates.
    public mutating func learn(from fix: GNSSFix) {
        guard let seconds = fix.utcSeconds, let utc = Int64(exactly: (seconds * 1e9).rounded()) else { return }
        let (offset, overflow) = utc.subtractingReportingOverflow(fix.epoch.nanoseconds)
        if !overflow { self.offset = offset }
    }
}
