import Model
import Recording
import WaymarkInterface

/// Clock of a live connection. As in recordings, it is the daemon's UTC, or the boot time while UTC is unknown.
///
/// This clock adopts the UTC of a simulation or a replay.
package struct FoxgloveClock {
    /// UTC minus boot time; nil while it is unknown. Unit: ns.
    package private(set) var utcOffset: Int64?
    /// Time of the latest pose. Unit: ns, boot time.
    private var latest = BootTime(nanoseconds: 0)

    /// Smallest change at which this clock adopts a new offset between UTC and boot time. Smaller changes come from
    /// rounding to microseconds, and from the receiver's jitter. Unit: ns.
    private static let tolerance: Int64 = 1_000_000

    package init() {}

    /// Adopts the time and the UTC of a pose.
    package mutating func learn(from pose: PoseInterface.Pose) {
        guard let time = pose.time.nanoseconds else { return }
        learn(BootTime(nanoseconds: time))
        guard let utc = pose.utc?.nanoseconds else { return }
        let (offset, overflow) = utc.subtractingReportingOverflow(time)
        guard !overflow, utcOffset.map({ isOther(offset, $0) }) ?? true else { return }
        utcOffset = offset
    }

    /// Adopts a time before the first pose.
    package mutating func learn(_ time: BootTime) { latest = time }

    private func isOther(_ one: Int64, _ other: Int64) -> Bool {
        let (difference, overflow) = one.subtractingReportingOverflow(other)
        return overflow || difference.magnitude > Self.tolerance.magnitude
    }

    /// Current time, which is the time of the latest pose. Unit: ns.
    package var now: UInt64 { stamp(latest) }

    /// Boot time of the latest pose.
    var bootTime: BootTime { latest }

    /// Converts a boot time to a time of this clock. Unit: ns.
    package func stamp(_ time: BootTime) -> UInt64 {
        let (shifted, overflow) = time.nanoseconds.addingReportingOverflow(utcOffset ?? 0)
        return overflow ? 0 : UInt64(clamping: shifted)
    }

    /// Writer of messages with timestamps of this clock.
    var message: FoxgloveMessage { FoxgloveMessage(utcOffset: utcOffset) }
}
