import CLinux
import Glibc

/// CLOCK_BOOTTIME and its relation to UTC, read at the edges only.
public enum BootClock {
    /// Nanoseconds since boot, suspend included.
    public static var nanoseconds: Int64 { read(CLOCK_BOOTTIME) }

    /// Nanoseconds to add to boot time to get UTC since 1970, as the system's clock has it now.
    public static var realtimeOffsetNanoseconds: Int64 {
        // The reading between two others of the same clock: half of what a preemption in between would add.
        let before = read(CLOCK_BOOTTIME)
        let realtime = read(CLOCK_REALTIME)
        let after = read(CLOCK_BOOTTIME)
        return realtime - (before + (after - before) / 2)
    }

    /// Whether the kernel holds the system's clock for synchronised; nil where it does not tell.
    public static var isRealtimeSynchronised: Bool? {
        let answer = waymark_clock_is_synchronised()
        return answer < 0 ? nil : answer == 1
    }

    /// Nanoseconds to add to CLOCK_MONOTONIC to get boot time: what the computer has slept since boot.
    public static var monotonicOffsetNanoseconds: Int64 {
        let before = read(CLOCK_BOOTTIME)
        let monotonic = read(CLOCK_MONOTONIC)
        let after = read(CLOCK_BOOTTIME)
        return before + (after - before) / 2 - monotonic
    }

    /// Which boot this is; empty where the kernel does not tell.
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
