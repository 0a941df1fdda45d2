extension PoseInterface.Time {
    /// - Parameter nanoseconds: time since the clock's zero, which may be negative. `nsec` counts forward from the
    ///   whole second before the time.
    public init(nanoseconds: Int64) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(sec: Int(rest < 0 ? seconds - 1 : seconds), nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
    }

    /// Nanoseconds since the clock's zero; nil if the time is invalid or more than 292 years after zero.
    public var nanoseconds: Int64? {
        guard sec >= 0, (0..<1_000_000_000).contains(nsec) else { return nil }
        let (whole, overflow) = Int64(sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, tooLarge) = whole.addingReportingOverflow(Int64(nsec))
        return overflow || tooLarge ? nil : sum
    }

    /// Time since the clock's zero; for CLOCK_BOOTTIME, the time since boot including suspends. Unit: seconds.
    public var seconds: Double { Double(sec) + Double(nsec) / 1e9 }
}

extension PoseInterface.Time: CustomStringConvertible {
    /// Seconds with three decimals, truncated.
    public var description: String {
        let milliseconds = String(nsec / 1_000_000)
        return "\(sec).\(String(repeating: "0", count: max(0, 3 - milliseconds.count)))\(milliseconds) s"
    }
}
