/// Time limit shared by several successive waits.
public struct TimeBudget: Sendable {
    private let end: Int64

    /// Starts the budget now.
    ///
    /// - Parameter seconds: total time, at most a million.
    public init(seconds: Double) {
        end = BootClock.nanoseconds + Int64(min(max(seconds, 0), 1e6) * 1e9)
    }

    /// Remaining time, 0 once it is used up. Unit: s.
    public var secondsLeft: Double { Double(max(end - BootClock.nanoseconds, 0)) * 1e-9 }
}
