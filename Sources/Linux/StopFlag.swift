import Glibc
import Synchronization

/// Request to stop, set once by any thread and never reset; can be polled or waited for with a timeout.
public final class StopFlag: Sendable {
    private let requested = Atomic(false)
    private let event = EventDescriptor()

    /// Creates a flag that is not set.
    public init() {}

    /// Whether the request was made; costs one atomic load.
    public var isSet: Bool { requested.load(ordering: .acquiring) }

    /// Readable once the flag is set, to poll together with other descriptors.
    public var descriptor: Int32 { event.descriptor }

    /// Sets the flag and wakes all waits; thread-safe.
    public func set() {
        requested.store(true, ordering: .releasing)
        event.signal()
    }

    /// Sleeps until the flag is set or the time is over; returns whether the flag is set.
    @discardableResult
    public func wait(seconds: Double) -> Bool {
        wait(seconds: seconds, orReadable: -1)
        return isSet
    }

    /// Sleeps until the flag is set, the time is over or one of two descriptors is readable.
    ///
    /// - Parameters:
    ///   - other: a descriptor, which stays the caller's; negative for none.
    ///   - another: a second descriptor; negative for none.
    /// - Returns: whether one of them is readable, or in an error state that a read will report.
    @discardableResult
    public func wait(seconds: Double, orReadable other: Int32, _ another: Int32 = -1) -> Bool {
        wait(seconds: seconds, for: Int16(POLLIN), on: other, another)
    }

    /// Sleeps until the flag is set, the time is over or a descriptor has one of the poll events `events`.
    ///
    /// - Returns: whether a descriptor has one, or is in an error state that its use will report.
    @discardableResult
    public func wait(seconds: Double, for events: Int16, on other: Int32, _ another: Int32 = -1) -> Bool {
        let deadline = BootClock.nanoseconds + Int64(min(max(seconds, 0), 1e6) * 1e9)
        while !isSet {
            let left = deadline - BootClock.nanoseconds
            guard left > 0 else { return false }
            var entries = (
                pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: other, events: events, revents: 0),
                pollfd(fd: another, events: events, revents: 0)
            )
            let count = withUnsafeMutableBytes(of: &entries) { bytes in
                poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress!, 3, milliseconds(left))
            }
            if count > 0, entries.1.revents != 0 || entries.2.revents != 0 { return true }
        }
        return false
    }

    /// Converts to milliseconds, rounded up so that the last wait does not spin.
    private func milliseconds(_ nanoseconds: Int64) -> Int32 {
        Int32(min((nanoseconds + 999_999) / 1_000_000, Int64(Int32.max)))
    }
}
