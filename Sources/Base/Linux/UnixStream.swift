import CLinux
import Glibc

/// A connected, non-blocking Unix socket for bytes or packets, which is closed when the object is released.
///
/// The peer of an accepted socket can make closing slow. Therefore that socket, and the descriptors received through
/// it, are closed by threads that do nothing else (see `DescriptorCloser`).
public final class UnixStream {
    /// Maximum number of descriptors in one message, sent or received.
    public static let descriptorLimit = Int(WAYMARK_DESCRIPTORS)

    package struct Received {
        /// Number of bytes written into the buffer; 0 at the end of the stream.
        public let count: Int
        /// Descriptors that arrived with the last of the bytes. They are close-on-exec.
        public let descriptors: [OwnedDescriptor]
    }

    /// Number of the socket's descriptor; owned by this object.
    public let descriptor: Int32
    private let owner: OwnedDescriptor
    /// User of the peer if the connection was accepted; nil if this process connected.
    private let user: UInt32?
    private let takesDescriptors: Bool

    /// Takes ownership of a connected, non-blocking socket whose peer is trusted.
    public init(adopting descriptor: Int32) {
        self.descriptor = descriptor
        owner = OwnedDescriptor(descriptor)
        user = nil
        takesDescriptors = true
    }

    /// Takes ownership of a socket that was accepted.
    init(accepted descriptor: Int32, takesDescriptors: Bool) {
        self.descriptor = descriptor
        self.takesDescriptors = takesDescriptors
        let user = (try? PeerCredentials(socket: descriptor).user) ?? .max
        self.user = user
        owner = OwnedDescriptor(descriptor, closer: .ofConnections, user: user)
    }

    deinit {
        // With this, the peer sees the end of the stream now, however long closing takes.
        if user != nil { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Creates a connected pair (socketpair).
    public static func pair() throws(SystemError) -> (UnixStream, UnixStream) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last("socketpair") }
        return (UnixStream(adopting: ends[0]), UnixStream(adopting: ends[1]))
    }

    package func peer() throws(SystemError) -> PeerCredentials { try PeerCredentials(socket: descriptor) }

    /// Sends as much of `bytes` as the kernel accepts now, with `descriptors` attached to the first byte.
    ///
    /// - Returns: number of bytes sent; nil if the kernel accepts none yet.
    public func send(
        _ bytes: UnsafeRawBufferPointer, descriptors: [Int32] = []
    ) throws(SystemError) -> Int? {
        var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        let result = waymark_send(descriptor, &part, 1, descriptors, Int32(descriptors.count))
        guard result < 0 else { return result }
        if result == -Int(EAGAIN) { return nil }
        throw SystemError("send", code: Int32(-result))
    }

    /// Receives the available data, at most the buffer's size; nil if there is none.
    ///
    /// - Throws: for example if the peer sends descriptors although none are wanted, or although too many of its user's
    ///   descriptors wait to be closed. The descriptors and all later data are then not received, so that the
    ///   connection is unusable.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Received? {
        var size = buffer.count
        if let user, !takesDescriptors || !DescriptorCloser.ofReceived.hasRoom(for: user) {
            // A read would also receive descriptors that come with the bytes, and would close them on this thread.
            guard let waiting = try waitingBytes(buffer) else { return nil }
            size = waiting
        }
        let (result, descriptors) = withUnsafeTemporaryAllocation(
            of: Int32.self, capacity: Int(WAYMARK_DESCRIPTORS_SENT)
        ) { numbers in
            var count: Int32 = 0
            let result = waymark_receive(descriptor, buffer.baseAddress, size, numbers.baseAddress, &count)
            return (result, count == 0 ? [] : numbers.prefix(Int(count)).map(own))
        }
        if result == -Int(EAGAIN) { return nil }
        guard result >= 0 else { throw SystemError("receive", code: Int32(-result)) }
        return Received(count: result, descriptors: descriptors)
    }

    private func own(_ received: Int32) -> OwnedDescriptor {
        guard let user else { return OwnedDescriptor(received) }
        return OwnedDescriptor(received, closer: .ofReceived, user: user)
    }

    /// Number of bytes that can be read, 0 at the end of the stream; nil if no bytes have arrived.
    ///
    /// - Throws: if descriptors come with the bytes.
    private func waitingBytes(_ room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        let result = waymark_waiting_without_descriptors(descriptor, room.baseAddress, room.count)
        if result == -Int(EAGAIN) { return nil }
        guard result >= 0 else { throw SystemError("receive without descriptors", code: Int32(-result)) }
        return result
    }

    /// Shuts down the sending direction, so that the peer reads the end of the stream.
    public func shutdownSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Limits the kernel's buffer for bytes that the peer has not read. The kernel doubles the size, because it
    /// includes its own overhead.
    public func setSendBuffer(_ bytes: Int) {
        var size = Int32(clamping: bytes)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
}
