extension PoseInterface.Time {
    /// - Parameter nanoseconds: of the clock, also before its beginning: they count forward from the second.
    public init(nanoseconds: Int64) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(sec: Int(rest < 0 ? seconds - 1 : seconds), nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
    }

    /// Nil for what is no time since the beginning of a clock, or more than 292 years after it.
    public var nanoseconds: Int64? {
        guard sec >= 0, (0..<1_000_000_000).contains(nsec) else { return nil }
        let (whole, overflow) = Int64(sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, tooLarge) = whole.addingReportingOverflow(Int64(nsec))
        return overflow || tooLarge ? nil : sum
    }

    /// Seconds since boot, suspend included.
    public var seconds: Double { Double(sec) + Double(nsec) / 1e9 }
}

extension PoseInterface.Time: CustomStringConvertible {
    /// Seconds with three decimals, cut off.
    public var description: String {
        let milliseconds = String(nsec / 1_000_000)
        return "\(sec).\(String(repeating: "0", count: max(0, 3 - milliseconds.count)))\(milliseconds) s"
    }
}
