/// Words of a text without case and accents. The search for places compares words in this form.
struct FoldedWords: Equatable {
    /// Letters and digits of each word, without marks.
    private let words: [[Unicode.Scalar]]

    init(_ text: String) {
        words = text.lowercased().unicodeScalars
            .filter { !Self.isMark($0) }
            .split { !Self.isInWord($0) }
            .map { $0.map(Self.letter) }
    }

    var isEmpty: Bool { words.isEmpty }

    /// Whether each of these words equals, or is the beginning of, one of the other words.
    func fits(_ others: FoldedWords) -> Bool {
        !isEmpty && words.allSatisfy { word in others.words.contains { $0.starts(with: word) } }
    }

    /// Returns the ASCII letter from which Unicode composes a letter with marks, as SQLite's `unicode61` does: `ü`
    /// becomes `u`, while `ø`, `й`, `ё`, `ї` and `ґ` are letters of their own. The letter is found by its name, such as
    /// `LATIN SMALL LETTER U WITH DIAERESIS`.
    private static func letter(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // This is the form of the small sigma at the end of a Greek word.
        if scalar == "ς" { return "σ" }
        guard !scalar.isASCII, let name = scalar.properties.name, name.hasPrefix(latin) else { return scalar }
        let (letter, rest) = (name.dropFirst(latin.count).prefix(1), name.dropFirst(latin.count + 1))
        guard rest.hasPrefix(with), rest.dropFirst(with.count).split(separator: " AND ").allSatisfy(marks.contains)
        else { return scalar }
        return letter.lowercased().unicodeScalars.first ?? scalar
    }

    private static let latin = "LATIN SMALL LETTER "
    private static let with = " WITH "

    /// Names of the marks with which letters are composed. A stroke, a hook or a tail is a part of its letter.
    private static let marks: Set<Substring> = [
        "ACUTE", "BREVE", "BREVE BELOW", "CARON", "CEDILLA", "CIRCUMFLEX", "CIRCUMFLEX BELOW", "COMMA BELOW",
        "DIAERESIS", "DIAERESIS BELOW", "DOT ABOVE", "DOT BELOW", "DOUBLE ACUTE", "DOUBLE GRAVE", "GRAVE",
        "HOOK ABOVE", "HORN", "INVERTED BREVE", "LINE BELOW", "MACRON", "OGONEK", "RING ABOVE", "RING BELOW", "TILDE",
        "TILDE BELOW",
    ]

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
