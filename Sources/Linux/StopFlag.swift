import Glibc
import Synchronization

/// The one-way request to end, given once by any thread and seen by all: polled, or waited on with a timeout.
public final class StopFlag: Sendable {
    private let requested = Atomic(false)
    private let event = EventDescriptor()

    public init() {}

    /// Whether the end was asked for; costs one atomic load.
    public var isSet: Bool { requested.load(ordering: .acquiring) }

    /// Readable from the request on, for a poll beside other descriptors.
    public var descriptor: Int32 { event.descriptor }

    public func set() {
        requested.store(true, ordering: .releasing)
        event.signal()
    }

    /// Sleeps until the request comes or the time is over; returns whether the end was asked for.
    @discardableResult
    public func wait(seconds: Double) -> Bool {
        wait(seconds: seconds, orReadable: -1)
        return isSet
    }

    /// Sleeps until the request comes, the time is over or one of two descriptors has something to read.
    ///
    /// - Parameters:
    ///   - other: a descriptor that stays the caller's; negative for none.
    ///   - another: a second one.
    /// - Returns: whether one of them is readable (or broken, which a read will tell).
    @discardableResult
    public func wait(seconds: Double, orReadable other: Int32, _ another: Int32 = -1) -> Bool {
        wait(seconds: seconds, for: Int16(POLLIN), on: other, another)
    }

    /// Sleeps until the request comes, the time is over or one of `events` is true of a descriptor.
    ///
    /// - Returns: whether it is (or the descriptor is broken, which its use will tell).
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

    /// Rounded up, so that the last wait is not a busy one.
    private func milliseconds(_ nanoseconds: Int64) -> Int32 {
        Int32(min((nanoseconds + 999_999) / 1_000_000, Int64(Int32.max)))
    }
}
