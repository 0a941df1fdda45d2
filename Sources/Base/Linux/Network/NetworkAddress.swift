import Glibc

/// Reason why a text is not an address. It is the predicate of a sentence whose subject is the text or its setting.
package struct AddressProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

/// Address and port of an Internet socket, such as `127.0.0.1:2948` or `[::1]:2948`.
///
/// Addresses have to be numeric, except `localhost`, which is 127.0.0.1. Looking up a name could block, and could give
/// an unintended address.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    package typealias Problem = AddressProblem

    /// Bytes of the address in network order: 4 for IPv4, 16 for IPv6.
    private let bytes: [UInt8]
    /// Port; 0 lets the kernel choose one.
    package let port: UInt16

    /// Parses `ADDRESS:PORT`, with an IPv6 address in brackets.
    package init(_ text: String) throws(Problem) {
        guard let colon = text.lastIndex(of: ":"), text.utf8.count <= 64 else {
            throw Problem(description: "must be ADDRESS:PORT, such as 127.0.0.1:2948 or [::1]:2948")
        }
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let port = UInt16(digits)
        else {
            throw Problem(description: "must have a port of 0 to 65535 after the colon")
        }
        guard let bytes = Self.bytes(of: text[..<colon]) else {
            throw Problem(
                description: "must have a numeric address before the port: IPv4, IPv6 in brackets, or localhost")
        }
        self.init(bytes: bytes, port: port)
    }

    private init(bytes: [UInt8], port: UInt16) {
        self.bytes = bytes
        self.port = port
    }

    /// Address of IPv4's loopback interface.
    package static func loopback(port: UInt16) -> NetworkAddress {
        NetworkAddress(bytes: [127, 0, 0, 1], port: port)
    }

    /// Whether only programs on this computer can reach the address: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    package var isIPv6: Bool { bytes.count == 16 }

    /// The address as `init` parses it.
    package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The numeric address without its port.
    package var host: String {
        var room = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &room, socklen_t(room.count)) != nil else { return "" }
        return room.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    private static func bytes(of text: Substring) -> [UInt8]? {
        if text == "localhost" { return [127, 0, 0, 1] }
        var result = [UInt8](repeating: 0, count: 16)
        if text.hasPrefix("["), text.hasSuffix("]"), text.utf8.count > 2 {
            return inet_pton(AF_INET6, String(text.dropFirst().dropLast()), &result) == 1 ? result : nil
        }
        return inet_pton(AF_INET, String(text), &result) == 1 ? Array(result.prefix(4)) : nil
    }

    // MARK: - Socket addresses

    /// Calls `body` with the address in the kernel's format, for either family.
    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        isIPv6 ? withIPv6(body) : withIPv4(body)
    }

    private func withIPv4<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
        return Self.with(&address, body)
    }

    private func withIPv6<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
        return Self.with(&address, body)
    }

    /// Calls `body` with a socket address in the kernel's format, of any family.
    static func with<Address, Result>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Address>.size)) }
        }
    }

    /// Port of a bound socket.
    static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard result == 0 else { return 0 }
        return withUnsafeBytes(of: storage) {
            // The port is at the same place in both families' structures.
            UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }

    /// The same address with another port.
    func with(port: UInt16) -> NetworkAddress { NetworkAddress(bytes: bytes, port: port) }
}
