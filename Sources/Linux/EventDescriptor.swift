import CLinux
import Glibc

/// An eventfd: any thread signals, the reactor wakes.
public final class EventDescriptor: Sendable {
    public let descriptor: Int32

    public init() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(descriptor >= 0, "no descriptor left for an eventfd at start")
    }

    deinit { close(descriptor) }

    public func signal() {
        var one: UInt64 = 1
        // Fails only when the counter is full, and then the reactor is awake already.
        _ = write(descriptor, &one, 8)
    }

    /// Takes all signals given so far.
    public func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
