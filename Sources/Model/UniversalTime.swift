/// What boot time is in UTC, as the fixes tell it that know.
public struct UniversalTime: Hashable, Sendable {
    /// Nanoseconds to add to boot time to get UTC since 1970; nil while no fix has told it.
    public private(set) var offset: Int64?

    public init() {}

    /// Takes over what a fix says; one that knows no UTC, or one beyond all dates, changes nothing.
    public mutating func learn(from fix: GNSSFix) {
        guard let seconds = fix.utcSeconds, let utc = Int64(exactly: (seconds * 1e9).rounded()) else { return }
        let (offset, overflow) = utc.subtractingReportingOverflow(fix.epoch.nanoseconds)
        if !overflow { self.offset = offset }
    }
}
