import Linux

/// A moment at which a command gives up; without one it waits for ever.
struct Deadline {
    /// Time on CLOCK_BOOTTIME; nil is never. Unit: nanoseconds.
    let nanoseconds: Int64?

    init(seconds: Double?) {
        nanoseconds = seconds.map { BootClock.nanoseconds + Int64($0 * 1e9) }
    }

    var hasPassed: Bool { nanoseconds.map { BootClock.nanoseconds >= $0 } ?? false }

    /// From now; nil is without end.
    var left: Duration? { nanoseconds.map { .nanoseconds(max(0, $0 - BootClock.nanoseconds)) } }

    /// A day is the longest anything waits. Unit: seconds.
    static let longest = 86_400.0
}
