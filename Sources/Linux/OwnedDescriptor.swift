import Glibc

/// A descriptor that is closed when its last owner lets it go.
public final class OwnedDescriptor: Sendable {
    public let descriptor: Int32

    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Another descriptor of the same open file, close-on-exec, which the caller has to close.
    public func duplicate() throws(SystemError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last("duplicate descriptor \(descriptor)") }
        return copy
    }
}
