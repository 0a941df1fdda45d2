import Glibc

package final class TCPListener {
    /// Address of the socket, with the port that the kernel chose if 0 was requested.
    package let address: NetworkAddress
    /// Readable while a connection waits; owned by this object.
    package let descriptor: Int32
    private let owner: OwnedDescriptor

    /// Number of connections that the kernel completes before the program accepts them.
    private static let backlog: Int32 = 64

    /// Binds and listens. Former connections in TIME_WAIT do not block the port, so that a restart need not wait.
    package init(_ address: NetworkAddress) throws(SystemError) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, type, 0)
        guard descriptor >= 0 else { throw SystemError("make a socket for \(address)", code: errno) }
        owner = OwnedDescriptor(descriptor)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let number = descriptor
        guard address.withSocketAddress({ bind(number, $0, $1) }) == 0, listen(descriptor, Self.backlog) == 0 else {
            throw SystemError("listen at \(address)", code: errno)
        }
        self.address = address.with(port: NetworkAddress.port(of: descriptor))
    }

    /// Accepts the next pending connection, close-on-exec and non-blocking; nil if there is none.
    package func accept() throws(SystemError) -> OwnedDescriptor? {
        let accepted = Glibc.accept(descriptor, nil, nil)
        guard accepted >= 0 else {
            // A connection that ended while it was pending is ignored.
            if [EAGAIN, ECONNABORTED, EINTR, EPROTO].contains(errno) { return nil }
            throw SystemError("accept a connection at \(address)", code: errno)
        }
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
        // A report is one small packet, which should be sent without delay.
        var yes: Int32 = 1
        setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        return OwnedDescriptor(accepted)
    }
}
