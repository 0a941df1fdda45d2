import CLinux
import Glibc

/// An eventfd, by which any thread wakes a reactor or a poll.
public final class EventDescriptor: Sendable {
    /// Readable while a signal is pending; owned by this object.
    public let descriptor: Int32

    /// Creates the eventfd, close-on-exec and non-blocking.
    public init() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(descriptor >= 0, "no descriptor left for an eventfd at start")
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable; safe from any thread.
    public func signal() {
        var one: UInt64 = 1
        // Fails only when the counter is full; the descriptor is readable already then.
        _ = write(descriptor, &one, 8)
    }

    /// Consumes all pending signals, after which the descriptor is no longer readable.
    public func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
