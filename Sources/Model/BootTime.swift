/// An instant on CLOCK_BOOTTIME, the only clock inside Waymark: monotone, and it goes on during suspend.
@frozen
public struct BootTime: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Rounded to the nanosecond; nil beyond ±292 years or for a value that is not finite.
    @inlinable
    public init?(seconds: Double) {
        guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
        self.nanoseconds = nanoseconds
    }

    /// Seconds since boot; exact to 0.1 µs for a year of uptime.
    @inlinable
    public var seconds: Double { Double(nanoseconds) * 1e-9 }

    /// Seconds from `earlier` to this instant; saturates instead of overflowing.
    @inlinable
    public func seconds(since earlier: BootTime) -> Double {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? Double(nanoseconds) * 1e-9 - Double(earlier.nanoseconds) * 1e-9 : Double(difference) * 1e-9
    }

    @inlinable
    public static func < (a: BootTime, b: BootTime) -> Bool { a.nanoseconds < b.nanoseconds }
}
