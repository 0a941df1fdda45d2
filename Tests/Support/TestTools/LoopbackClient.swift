import Glibc

/// A client of a server at 127.0.0.1 that never waits: it takes what has come.
public final class LoopbackClient {
    private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

    /// - Parameter isAbrupt: whether it ends by a reset, which leaves nothing behind: thousands of clients a second
    ///   would otherwise take all ports.
    public init(port: UInt16, isAbrupt: Bool = false) {
        let descriptor = descriptor
        var lingering = linger(l_onoff: isAbrupt ? 1 : 0, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
        while LoopbackAddress(port: port).withSocketAddress({ connect(descriptor, $0, $1) }) != 0 {
            // A signal may end the wait, such as that of libFuzzer's timer.
            guard errno == EINTR else { fatalError("no connection to port \(port): error \(errno)") }
        }
    }

    deinit { close(descriptor) }

    public func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    public func send(_ text: String) { send(Array(text.utf8)) }

    /// What is there; nil at the end of the stream.
    public func received() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count == 0 ? nil : Array(bytes.prefix(max(0, count)))
    }
}

/// A socket at 127.0.0.1 that datagrams are sent to.
public final class LoopbackDatagrams {
    public let port: UInt16
    private let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)

    /// - Parameter port: 0 for any that is free; nil is returned for one that is taken.
    public init?(port: UInt16 = 0) {
        let descriptor = descriptor
        guard LoopbackAddress(port: port).withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else { return nil }
        self.port = LoopbackAddress.port(of: descriptor)
    }

    deinit { close(descriptor) }

    /// The next datagram; nil where none has come.
    public func received() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : Array(bytes.prefix(count))
    }
}

package struct LoopbackAddress {
    private var address = sockaddr_in()
    private static let size = socklen_t(MemoryLayout<sockaddr_in>.size)

    package init(port: UInt16) {
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    }

    package func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, Self.size) }
        }
    }

    /// Port that a socket is bound to.
    package static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = size
        let isKnown = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        precondition(isKnown, "the socket has no address")
        return UInt16(bigEndian: address.sin_port)
    }
}
