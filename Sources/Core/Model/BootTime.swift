/// Instant on CLOCK_BOOTTIME, which is the only clock inside Waymark. It is monotonic and keeps running during suspend.
@frozen
public struct BootTime: Hashable, Comparable, Sendable, Codable {
    /// Time since boot. Unit: nanoseconds.
    public var nanoseconds: Int64

    /// Makes an instant from its time since boot.
    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Makes an instant from its time since boot, rounded to the nanosecond; nil if the time is beyond ±292 years or
    /// not finite.
    @inlinable
    public init?(seconds: Double) {
        guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
        self.nanoseconds = nanoseconds
    }

    /// Time since boot, exact to 0.1 µs for a year of uptime. Unit: seconds.
    @inlinable
    public var seconds: Double { Double(nanoseconds) * 1e-9 }

    /// Returns the time from `earlier` to this instant; saturates instead of overflowing. Unit: seconds.
    @inlinable
    public func seconds(since earlier: BootTime) -> Double {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? Double(nanoseconds) * 1e-9 - Double(earlier.nanoseconds) * 1e-9 : Double(difference) * 1e-9
    }

    /// Order in time.
    @inlinable
    public static func < (a: BootTime, b: BootTime) -> Bool { a.nanoseconds < b.nanoseconds }
}

extension BootTime? {
    /// Returns the duration of a condition that began at this instant. Sets this instant to `time` if it is nil,
    /// because the condition then begins now. Unit: seconds.
    @inlinable
    package mutating func lasting(at time: BootTime) -> Double {
        let begin = self ?? time
        self = begin
        return time.seconds(since: begin)
    }
}

/// Offset of UTC from boot time, learned from GNSS fixes.
public struct UniversalTime: Hashable, Sendable {
    /// UTC since 1970 minus boot time; nil until a fix has reported UTC. Unit: nanoseconds.
    public private(set) var offset: Int64?

    /// Makes an offset that was learned earlier; nil if it is not known. Unit: nanoseconds.
    public init(offset: Int64? = nil) { self.offset = offset }

    /// Updates the offset from a fix. Ignores a fix whose UTC is missing or cannot be represented.
    public mutating func learn(from fix: GNSSFix) {
        guard let seconds = fix.utcSeconds, let utc = Int64(exactly: (seconds * 1e9).rounded()) else { return }
        let (offset, overflow) = utc.subtractingReportingOverflow(fix.epoch.nanoseconds)
        if !overflow { self.offset = offset }
    }
}
