import CLinux
import Glibc

/// One connected Unix stream socket, never blocking, closed when the object goes.
public final class UnixStream {
    /// How many descriptors one message may carry.
    public static let descriptorLimit = Int(WAYMARK_DESCRIPTORS)

    /// What one `receive` brought.
    public struct Received {
        /// Bytes written into the buffer; 0 at the end of the stream.
        public let count: Int
        /// Descriptors that came with the last of these bytes, close-on-exec.
        public let descriptors: [OwnedDescriptor]
    }

    public let descriptor: Int32
    private let owner: OwnedDescriptor

    /// Takes over a connected, non-blocking socket.
    public init(adopting descriptor: Int32) {
        self.descriptor = descriptor
        owner = OwnedDescriptor(descriptor)
    }

    /// Two ends of one connection.
    public static func pair() throws(SystemError) -> (UnixStream, UnixStream) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last("socketpair") }
        return (UnixStream(adopting: ends[0]), UnixStream(adopting: ends[1]))
    }

    /// The other end's credentials.
    public func peer() throws(SystemError) -> PeerCredentials { try PeerCredentials(socket: descriptor) }

    /// Sends what the kernel takes of `bytes` now, `descriptors` with the first of them; nil if it takes nothing yet.
    public func send(
        _ bytes: UnsafeRawBufferPointer, descriptors: [Int32] = []
    ) throws(SystemError) -> Int? {
        var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        let result = waymark_send(descriptor, &part, 1, descriptors, Int32(descriptors.count))
        guard result < 0 else { return result }
        if result == -Int(EAGAIN) { return nil }
        throw SystemError("send", code: Int32(-result))
    }

    /// Takes what has arrived, at most the buffer's size; nil if nothing has.
    public func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Received? {
        var descriptors = [Int32](repeating: -1, count: UnixStream.descriptorLimit)
        var count: Int32 = 0
        let result = waymark_receive(descriptor, buffer.baseAddress, buffer.count, &descriptors, &count)
        if result == -Int(EAGAIN) { return nil }
        guard result >= 0 else { throw SystemError("receive", code: Int32(-result)) }
        return Received(count: result, descriptors: descriptors.prefix(Int(count)).map { OwnedDescriptor($0) })
    }

    /// Tells the other end that nothing more will come from here.
    public func shutdownSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Bounds what the kernel keeps of sent bytes that nobody has read; it counts its own overhead in, and doubles the size.
    public func setSendBuffer(_ bytes: Int) {
        var size = Int32(clamping: bytes)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
}
