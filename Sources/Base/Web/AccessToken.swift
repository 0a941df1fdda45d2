/// Secret by which a server recognizes clients that may read. The token is part of the address, so that unmodified
/// browsers and programs can use it.
package struct AccessToken: Hashable, Sendable {
    /// Text as the address carries it.
    package let text: String

    /// Permitted number of characters. Shorter tokens can be guessed, and the server does not read longer ones.
    package static let lengths = 16...128

    /// Creates a random token of 128 bits, in hexadecimal digits.
    package init() {
        var random = SystemRandomNumberGenerator()
        text = (0..<4).map { _ in
            let digits = String(random.next() as UInt32, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Creates a token of letters, digits, `-` and `_`, which need no escaping in an address; nil for a text with other
    /// characters.
    package init?(_ text: String) {
        let isPermitted = text.utf8.allSatisfy { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isPermitted, Self.lengths.contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// Whether another text equals this token. The duration of the comparison does not depend on where the texts
    /// differ.
    package func matches(_ other: String) -> Bool {
        let (own, others) = (Array(text.utf8), Array(other.utf8))
        guard own.count == others.count else { return false }
        return zip(own, others).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
