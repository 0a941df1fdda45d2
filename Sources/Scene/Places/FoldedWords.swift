/// Words of a text without case and accents, as the search of places compares them.
struct FoldedWords: Equatable {
    /// Letters and digits of each word, by their Unicode names without what is attached to them: `ü` is the letter of
    /// `LATIN SMALL LETTER U`.
    private let words: [[String]]

    init(_ text: String) {
        words = text.lowercased().unicodeScalars
            .filter { !Self.isMark($0) }
            .split { !Self.isInWord($0) }
            .map { $0.map(Self.letter) }
    }

    var isEmpty: Bool { words.isEmpty }

    /// Whether each of its words is one of the others or begins one.
    func fits(_ others: FoldedWords) -> Bool {
        !isEmpty && words.allSatisfy { word in others.words.contains { $0.starts(with: word) } }
    }

    private static func letter(_ scalar: Unicode.Scalar) -> String {
        guard let name = scalar.properties.name else { return String(scalar) }
        return name.firstRange(of: " WITH ").map { String(name[..<$0.lowerBound]) } ?? name
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .nonspacingMark
    }

    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .spacingMark:
            true
        default: false
        }
    }
}
