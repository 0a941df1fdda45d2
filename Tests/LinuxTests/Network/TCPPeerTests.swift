import Glibc
import Linux
import Testing

/// Both ends of a connection to a listener, the client's of this process.
private struct Connection {
    let client: OwnedDescriptor
    let accepted: OwnedDescriptor

    /// - Parameter interface: what the client's socket is bound to.
    init(to text: String, interface: String? = nil) throws {
        let listener = try TCPListener(NetworkAddress(text))
        let family = listener.address.isIPv6 ? AF_INET6 : AF_INET
        client = OwnedDescriptor(socket(family, Int32(SOCK_STREAM.rawValue), 0))
        if let interface {
            try #require(
                setsockopt(
                    client.descriptor, SOL_SOCKET, SO_BINDTODEVICE, interface, socklen_t(interface.utf8.count)) == 0)
        }
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = client.descriptor
        let isConnected = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(listener.descriptor, $0, &length) == 0 && connect(descriptor, $0, length) == 0
            }
        }
        try #require(isConnected)
        var waiting = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, -1)
        accepted = try #require(try listener.accept())
    }
}

@Suite("User of a TCP client")
struct TCPPeerTests {
    @Test(
        "It is that of the program at the other end, also where that has bound its socket to an interface",
        arguments: ["127.0.0.1:0", "[::1]:0"], [nil, "lo"])
    func user(address: String, interface: String?) throws {
        let connection = try Connection(to: address, interface: interface)
        #expect(TCPPeer.user(connection.accepted.descriptor) == geteuid())
        withExtendedLifetime(connection.client) {}
    }

    @Test("A client that has closed its socket, and what is no TCP connection, have none")
    func unnamed() throws {
        var connection: Connection? = try Connection(to: "127.0.0.1:0")
        let accepted = try #require(connection?.accepted)
        connection = nil
        #expect(TCPPeer.user(accepted.descriptor) == TCPPeer.unnamedUser)
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        for descriptor in pair {
            #expect(TCPPeer.user(descriptor) == TCPPeer.unnamedUser)
            close(descriptor)
        }
    }
}
