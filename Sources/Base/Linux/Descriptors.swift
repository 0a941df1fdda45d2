import CLinux
import Glibc

/// A file descriptor with shared ownership, which is closed with the last reference to this object.
public final class OwnedDescriptor: Sendable {
    /// Number of the descriptor; valid while this object lives.
    public let descriptor: Int32
    /// Closes the descriptor instead of the thread that drops the last reference.
    private let closer: (DescriptorCloser, user: UInt32)?

    /// Takes ownership of an open descriptor that this process made.
    public init(_ descriptor: Int32) {
        self.descriptor = descriptor
        closer = nil
    }

    /// Takes ownership of an open descriptor, which `closer` will close, because a user could make closing it slow.
    public init(_ descriptor: Int32, closer: DescriptorCloser, user: UInt32) {
        self.descriptor = descriptor
        self.closer = (closer, user)
    }

    deinit {
        if let (closer, user) = closer { closer.close(descriptor, of: user) } else { close(descriptor) }
    }

    /// Duplicates the descriptor as close-on-exec; the caller has to close the copy.
    public func duplicate() throws(SystemError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last("duplicate descriptor \(descriptor)") }
        return copy
    }
}

/// An eventfd, with which any thread can wake a reactor or a poll.
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
        // This fails only if the counter is full, and then the descriptor is already readable.
        _ = write(descriptor, &one, 8)
    }

    /// Consumes all pending signals, after which the descriptor is no longer readable.
    public func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}

/// Standard input, output and error, which the parent process may have closed.
public enum StandardDescriptors {
    /// Opens /dev/null in place of the standard descriptors that are closed. Must be called before anything else is
    /// opened.
    ///
    /// Otherwise the next socket or file would get the number of a closed one and receive what is written to standard
    /// output. The substitutes are open in the wrong direction, so that using them remains an error.
    public static func occupy() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free number, which is `descriptor`.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
