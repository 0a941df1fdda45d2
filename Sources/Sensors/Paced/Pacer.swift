import Linux
import Measurements

/// Real-time pacing of prepared measurements: shifts their timestamps to boot time and waits until each is due.
///
/// After a delay of more than a second (the system was suspended, or stopped in a debugger) the remainder is shifted to
/// later times instead of delivered at once, which appears as a gap.
struct Pacer {
    /// Offset from the original timestamps to boot time. Unit: ns.
    private var shift: Int64?

    /// Largest delay that is caught up. Unit: ns.
    private static let patience: Int64 = 1_000_000_000
    /// Smallest lead that is worth a sleep. Unit: ns.
    private static let slack: Int64 = 500_000

    /// Waits until `measurement` is due, and returns it with its timestamps in boot time.
    ///
    /// - Returns: nil if `stop` was set meanwhile.
    mutating func pace(_ measurement: Measurement, until stop: StopFlag) -> Measurement? {
        let now = BootClock.nanoseconds
        let arrival = measurement.arrival.nanoseconds
        var shift = self.shift ?? now &- arrival
        if now &- (arrival &+ shift) > Self.patience { shift = now &- arrival }
        self.shift = shift
        let early = arrival &+ shift &- now
        if early > Self.slack { _ = stop.wait(seconds: Double(early) * 1e-9) }
        return stop.isSet ? nil : measurement.shifted(by: shift)
    }
}
