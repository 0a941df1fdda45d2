/// Requirements on a message before it is given to a JSON decoder.
enum MessageCheck {
    /// Deeper than any interface nests, and shallow enough for any thread's stack.
    static let deepestNesting = 32

    /// Whether the bytes are valid UTF-8, could be an object, and nest no deeper than `deepestNesting`.
    static func isAcceptable(_ message: some Collection<UInt8>) -> Bool {
        guard message.first(where: { !isSpace($0) }) == UInt8(ascii: "{"), nestsFlatly(message) else { return false }
        return String(validating: message, as: UTF8.self) != nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    private static func nestsFlatly(_ message: some Collection<UInt8>) -> Bool {
        var depth = 0
        var inString = false
        var escaped = false
        for byte in message {
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth > deepestNesting { return false }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return true
    }
}
