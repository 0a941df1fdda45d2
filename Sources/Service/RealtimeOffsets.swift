import Estimation
import Measurements

/// How far CLOCK_REALTIME was ahead of boot time during the last minutes, so that a stamp of the one can be brought to the
/// other as it was then.
///
/// It knows no clock: it is told. Between two readings the earlier one holds.
public struct RealtimeOffsets: Sendable {
    private struct Reading {
        var since: BootTime
        /// Nanoseconds to add to boot time.
        var offset: Int64
    }

    /// Enough for ten minutes in which a clock is slewed all the time, at four readings a second.
    private var readings = Ring<Reading>(capacity: 2560)
    /// Of the newest reading, kept or not.
    private var now: BootTime?

    /// A smaller change is that of the reading itself. Unit: nanoseconds.
    private static let least: UInt64 = 20_000
    /// A larger one within a quarter of a second is a step: nobody slews a clock so fast. Unit: seconds.
    private static let step = 0.01

    public init() {}

    /// Takes what was read at a time; times grow.
    public mutating func note(_ offset: Int64, at time: BootTime) {
        now = time
        if let last = readings.last {
            let (change, isHuge) = offset.subtractingReportingOverflow(last.offset)
            guard time > last.since, isHuge || change.magnitude >= Self.least else { return }
        }
        readings.append(Reading(since: time, offset: offset))
    }

    /// When CLOCK_REALTIME showed a time; nil for one that it never showed because it was set forward, and before the first
    /// reading.
    ///
    /// Where it was set back and showed a time twice, the later moment. A time that it has not shown yet is taken for the
    /// one at which it will.
    ///
    /// - Parameter realtime: nanoseconds since 1970.
    public func bootTime(ofRealtime realtime: Int64) -> BootTime? {
        guard let now else { return nil }
        var (end, future): (BootTime, BootTime?) = (now, nil)
        for index in (0..<readings.count).reversed() {
            let since = index == 0 ? BootTime(nanoseconds: .min) : readings[index].since
            guard let time = Self.bootTime(ofRealtime: realtime, readings[index].offset) else { return nil }
            if time <= end {
                if time >= since { return time }
            } else if end == now {
                future = time
            } else if future == nil {
                // The clock went on faster just then, or was set forward.
                return time.seconds(since: end) < Self.step ? end : nil
            }
            end = since
        }
        return future
    }

    private static func bootTime(ofRealtime realtime: Int64, _ offset: Int64) -> BootTime? {
        let (nanoseconds, overflow) = realtime.subtractingReportingOverflow(offset)
        return overflow ? nil : BootTime(nanoseconds: nanoseconds)
    }
}
