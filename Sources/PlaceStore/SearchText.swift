/// Words typed to find a place, as expressions of the full-text index. The words are data: no operator of the index
/// is in them.
package struct SearchText: Sendable {
    /// Each word in quotes; the last may be only the beginning of one.
    private let words: [String]
    /// Text as it was typed: it may be a place's id.
    package let id: String

    /// UTF-8 bytes that are taken; a name has fewer.
    package static let longest = 500
    /// Words that are looked for; those behind them cannot make much of a difference.
    private static let mostWords = 16

    /// Nil for a text that is too long.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        id = text
        words = text.unicodeScalars
            .split { $0.properties.isWhitespace || $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }
            .map { String(String.UnicodeScalarView($0)) }
            .filter { word in word.unicodeScalars.contains { $0.properties.isAlphabetic || Self.isNumeric($0) } }
            .prefix(Self.mostWords)
            .map { "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" }
    }

    /// Whether there are no words to look for.
    package var isEmpty: Bool { words.isEmpty }

    /// All the words anywhere in the name, the last as the beginning of one.
    package var anywhere: String { words.joined(separator: " ") + "*" }

    /// All the words anywhere in the name, the last one whole too.
    package var whole: String { words.joined(separator: " ") }

    /// The words in their order at the beginning of the name, the last as the beginning of one.
    package var atBeginning: String { "^ " + words.joined(separator: " + ") + "*" }

    private static func isNumeric(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .decimalNumber, .letterNumber, .otherNumber: true
        default: false
        }
    }
}
