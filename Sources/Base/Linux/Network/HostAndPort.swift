/// Host and port as in URLs (RFC 3986, section 3.2): a name or a numeric address, IPv6 in brackets.
package struct HostAndPort: Hashable, Sendable {
    package typealias Problem = AddressProblem

    /// Name or numeric address in lower case, without brackets.
    package let host: String
    /// Port; nil if the text has none.
    package let port: Int?

    /// Whether the host has to be written in brackets.
    package var isIPv6: Bool { host.contains(":") }

    /// Whether only programs on this computer can reach the host: 127.0.0.0/8, ::1 or localhost.
    package var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        return (try? NetworkAddress("\(host):0"))?.isLoopback ?? false
    }

    /// Parses `HOST` or `HOST:PORT`.
    package init(_ text: Substring) throws(Problem) {
        let (host, port) = Self.split(text)
        guard Self.isHost(host) else {
            throw Problem(description: "must name a host, such as 127.0.0.1, [::1] or router.example")
        }
        let bare = host.first == "[" ? host.dropFirst().dropLast() : host
        self.host = bare.lowercased()
        self.port = try port.map { text throws(Problem) in
            guard text.utf8.count <= 5, text.utf8.allSatisfy(Self.isDigit), let number = Int(text),
                (1...65535).contains(number)
            else { throw Problem(description: "must have a port from 1 to 65535, not '\(text)'") }
            return number
        }
    }

    /// Splits off the port. In an IPv6 address, its colon follows the brackets.
    private static func split(_ text: Substring) -> (host: Substring, port: Substring?) {
        let start = text.lastIndex(of: "]") ?? text.startIndex
        guard let colon = text[start...].lastIndex(of: ":") else { return (text, nil) }
        return (text[..<colon], text[text.index(after: colon)...])
    }

    private static func isHost(_ host: Substring) -> Bool {
        guard !host.isEmpty, host.utf8.count <= 253 else { return false }
        if host.first == "[" {
            let inside = host.dropFirst().dropLast()
            return host.last == "]" && inside.contains(":")
                && inside.utf8.allSatisfy { isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        }
        return host.utf8.allSatisfy { isLabel($0) || $0 == UInt8(ascii: ".") } && host.first != "-"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// Whether a byte is permitted in a label of a name: an ASCII letter, a digit or a hyphen.
    private static func isLabel(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
