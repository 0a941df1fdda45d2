/// A time that several waits share, so that all together take no longer.
public struct TimeBudget: Sendable {
    private let end: Int64

    /// - Parameter seconds: from now on, at most a million.
    public init(seconds: Double) {
        end = BootClock.nanoseconds + Int64(min(max(seconds, 0), 1e6) * 1e9)
    }

    /// What the next wait may take; 0 when the time is over.
    public var secondsLeft: Double { Double(max(end - BootClock.nanoseconds, 0)) * 1e-9 }
}
