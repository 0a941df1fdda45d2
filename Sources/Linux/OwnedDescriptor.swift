import Glibc

/// A file descriptor with shared ownership, closed with the last reference to this object.
public final class OwnedDescriptor: Sendable {
    /// Number of the descriptor; valid while this object lives.
    public let descriptor: Int32

    /// Takes ownership of an open descriptor.
    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Duplicates the descriptor, close-on-exec; the caller has to close the copy.
    public func duplicate() throws(SystemError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last("duplicate descriptor \(descriptor)") }
        return copy
    }
}
