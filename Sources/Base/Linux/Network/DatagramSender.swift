import Glibc

/// A UDP socket that sends to one address.
package final class DatagramSender {
    package enum Outcome: Hashable, Sendable {
        /// The datagram was sent, or dropped because the kernel's buffer was full.
        case sent
        /// An earlier datagram was refused because no socket listens at the address; only local hosts and some routers
        /// report this.
        case refused
    }

    package let address: NetworkAddress
    private let owner: OwnedDescriptor

    package init(to address: NetworkAddress) throws(SystemError) {
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, type, 0)
        guard descriptor >= 0 else { throw SystemError("make a socket for \(address)", code: errno) }
        self.address = address
        owner = OwnedDescriptor(descriptor)
        guard address.withSocketAddress({ connect(descriptor, $0, $1) }) == 0 else {
            throw SystemError("send to \(address)", code: errno)
        }
    }

    /// Sends one datagram; never waits.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        let count = Glibc.send(owner.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        return count < 0 && errno == ECONNREFUSED ? .refused : .sent
    }
}
