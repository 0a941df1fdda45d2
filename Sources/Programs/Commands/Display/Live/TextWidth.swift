/// Number of columns that characters and texts take in a terminal.
enum TextWidth {
    /// Number of columns: 0 for combining marks without a base, 2 for wide letters and pictures, 1 for all others.
    static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.value < 0x300 { return 1 }
        if isWide(first) { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .surrogate: return 0
        default: break
        }
        // Vowels and final consonants of Hangul, which are combined with the previous syllable.
        if (0x1160...0x11FF).contains(first.value) { return 0 }
        // A character is a picture if variation selector 16 requests that, or if it is a flag.
        let isPicture = scalars.dropFirst().contains { $0.value == 0xFE0F || (0x1F1E6...0x1F1FF).contains($0.value) }
        return isPicture ? 2 : 1
    }

    /// Number of columns of a text without control characters.
    static func columns(of text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns(of: $1) }
    }

    /// Returns the text, or its beginning and an ellipsis if the text is too wide.
    static func cut(_ text: String, to columns: Int) -> String {
        guard self.columns(of: text) > columns else { return text }
        guard columns > 0 else { return "" }
        var kept = ""
        var used = 1
        for character in text {
            used += self.columns(of: character)
            guard used <= columns else { break }
            kept.append(character)
        }
        while kept.last == " " { kept.removeLast() }
        return kept + "…"
    }

    /// Wraps a text to lines of at most `columns`, between words if possible.
    static func wrapped(_ text: String, columns: Int) -> [String] {
        guard columns > 0 else { return [] }
        return wrapped(text, width: columns) { self.columns(of: $0) }.map { cut($0, to: columns) }
    }

    /// Wraps a text at spaces into lines whose `measure` is at most `width`; only a line of a single word may be
    /// longer.
    static func wrapped(_ text: String, width: Int, by measure: (String) -> Int = \.count) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, measure(line) + 1 + measure(String(word)) > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// East Asian wide and fullwidth letters (Unicode Standard Annex 11), and characters that are pictures by default.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x1100 else { return false }
        return wide.contains { $0.contains(scalar.value) } || scalar.properties.isEmojiPresentation
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

/// Sanitizes untrusted text for one line of a picture.
enum OutsideText {
    /// Maximum number of characters that are processed, because no picture has room for more, and a name may have
    /// thousands.
    private static let maximumLength = 200
    /// Maximum number of scalars per character, because a letter with more marks would cover its surroundings.
    private static let scalarsPerCharacter = 4

    /// Returns the text without control characters, with single spaces, and shortened.
    static func line(_ text: String) -> String {
        let isPlain =
            text.utf8.count <= maximumLength && text.utf8.allSatisfy { (0x21...0x7E).contains($0) || $0 == 0x20 }
        let text = isPlain ? text : shortened(Words.line(String(text.prefix(maximumLength))))
        return text.split(separator: " ").joined(separator: " ")
    }

    private static func shortened(_ text: String) -> String {
        var result = ""
        for character in text {
            var scalars = String.UnicodeScalarView()
            for scalar in character.unicodeScalars.prefix(scalarsPerCharacter) {
                let isBreak =
                    scalar.properties.generalCategory == .lineSeparator
                    || scalar.properties.generalCategory == .paragraphSeparator
                scalars.append(isBreak ? " " : scalar)
            }
            result.unicodeScalars.append(contentsOf: scalars)
        }
        return result
    }
}

/// Replacements for ASCII-only terminals.
enum ASCIIText {
    /// Converts a text to ASCII. Each column of the text becomes one column, except for "±" and "°", which are spelled
    /// out.
    static func line(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = ""
        for character in text {
            if character.isASCII {
                result.append(character)
            } else {
                result += signs[character] ?? String(repeating: "?", count: TextWidth.columns(of: character))
            }
        }
        return result
    }

    private static let signs: [Character: String] = [
        "±": "+-", "°": " deg", "…": "~", "µ": "u", "²": "2", "−": "-", "–": "-", "—": "-", "·": ".",
        "↑": "^", "↗": "/", "→": ">", "↘": "\\", "↓": "v", "↙": "/", "←": "<", "↖": "\\",
        "●": "*", "○": "o", "◆": "+", "◇": "o", "★": "*", "▲": "^", "△": "^", "▼": "v", "◀": "<", "▶": ">",
        "↱": ">", "↰": "<", "↶": "<", "↷": ">", "↻": "@", "⚑": "X", "✚": "#", "│": "|", "─": "-", "╵": "|",
    ]
}
