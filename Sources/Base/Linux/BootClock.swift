import CLinux
import Glibc

/// CLOCK_BOOTTIME and its offsets to the system's other clocks. The clocks are read only at the program's edges, never
/// by the estimator.
public enum BootClock {
    /// Time since boot, including time spent suspended. Unit: ns.
    public static var nanoseconds: Int64 { read(CLOCK_BOOTTIME) }

    /// Offset that is added to boot time to get UTC since 1970, according to the system clock at this moment. Unit: ns.
    public static var realtimeOffsetNanoseconds: Int64 {
        // The boot clock is read before and after. The mean halves the error if the thread is preempted between the
        // readings.
        let before = read(CLOCK_BOOTTIME)
        let realtime = read(CLOCK_REALTIME)
        let after = read(CLOCK_BOOTTIME)
        return realtime - (before + (after - before) / 2)
    }

    /// Whether the kernel considers the system clock synchronised; nil if it does not report that.
    public static var isRealtimeSynchronised: Bool? {
        let answer = waymark_clock_is_synchronised()
        return answer < 0 ? nil : answer == 1
    }

    /// Offset that is added to CLOCK_MONOTONIC to get boot time, equal to the time spent suspended since boot. Unit:
    /// ns.
    public static var monotonicOffsetNanoseconds: Int64 {
        let before = read(CLOCK_BOOTTIME)
        let monotonic = read(CLOCK_MONOTONIC)
        let after = read(CLOCK_BOOTTIME)
        return before + (after - before) / 2 - monotonic
    }

    /// Random UUID that the kernel chose for this boot; empty if it cannot be read.
    public static var bootIdentifier: String {
        guard let file = try? File.openForReading("/proc/sys/kernel/random/boot_id") else { return "" }
        var bytes = [UInt8](repeating: 0, count: 36)
        let count = (try? bytes.withUnsafeMutableBytes { try file.read(into: $0) }) ?? 0
        return count == 36 ? String(decoding: bytes, as: UTF8.self) : ""
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

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
