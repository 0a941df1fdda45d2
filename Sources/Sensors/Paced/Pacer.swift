import Linux
import Model

/// Delivers measurements that were made beforehand at the pace of the clock, as if they came from sensors now.
///
/// When the clock runs away from them (the system was suspended, or stopped in a debugger) they are not made up for all
/// at once: the rest is stamped later instead, which looks like a gap.
struct Pacer {
    /// From the stamps as given to boot time. Nanoseconds.
    private var shift: Int64?

    /// Lateness up to this is caught up. Nanoseconds.
    private static let patience: Int64 = 1_000_000_000
    /// Earliness below this is not worth a sleep. Nanoseconds.
    private static let slack: Int64 = 500_000

    /// Waits until it is time for `measurement`, and gives it with its stamps on boot time.
    ///
    /// - Returns: nil when `stop` was set meanwhile.
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
