import FoundationEssentials

/// Messages as JSON text.
enum JSONText {
    /// One object on one line, its keys in alphabetical order, so that equal messages are equal lines.
    static func line(_ message: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(message), as: UTF8.self) + "\n"
    }
}
