import JSON

/// Sanitizer that turns untrusted text into one line for display, of limited length and without control characters.
enum PlainText {
    /// Maximum length of text that is read. It limits the time that a name of megabytes takes. Unit: Unicode scalars.
    private static let maximumScalarCount = 16_384

    /// Replaces each run of control characters and white space by one space, and trims the ends; nil if nothing
    /// remains.
    static func line(_ text: String, maximumLength: Int) -> String? {
        var scalars = String.UnicodeScalarView()
        var spaceWaits = false
        for scalar in text.unicodeScalars.prefix(maximumScalarCount) {
            if scalar.properties.isWhitespace || isControl(scalar) {
                spaceWaits = !scalars.isEmpty
                continue
            }
            if spaceWaits { scalars.append(" ") }
            spaceWaits = false
            scalars.append(scalar)
        }
        let line = String(scalars)
        guard !line.isEmpty else { return nil }
        guard line.utf8.count > maximumLength else { return line }
        // Truncates between characters, which may be several bytes long.
        var kept = ""
        for character in line {
            guard kept.utf8.count + character.utf8.count + 3 <= maximumLength else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// Result of `line` for the first text of which something remains; nil if there is none.
    static func firstLine(of texts: String?..., maximumLength: Int) -> String? {
        texts.lazy.compactMap { $0.flatMap { line($0, maximumLength: maximumLength) } }.first
    }

    /// Sanitizes text that may have several lines, such as a description; nil if nothing remains. A text that is too
    /// long or has control characters becomes one line.
    static func text(_ text: String, maximumLength: Int) -> String? {
        let text = text.utf8.contains(0x0D) ? String(text.map { $0 == "\r\n" ? "\n" : $0 }) : text
        let isPlain =
            text.utf8.count <= maximumLength && text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x0A }
        return isPlain && !text.isEmpty ? text : line(text, maximumLength: maximumLength)
    }

    /// Does the same as `line` for bytes, with a fast path for text that needs no change.
    static func line(_ bytes: UnsafeRawBufferPointer, maximumLength: Int) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes.count <= maximumLength && isLine(bytes) ? text : line(text, maximumLength: maximumLength)
    }

    /// Whether the bytes certainly need no change. False if any byte may begin a Unicode space or control character.
    private static func isLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var last = UInt8(ascii: " ")
        for byte in bytes {
            switch byte {
            case 0..<0x20, 0x7F, 0xC2, 0xE1, 0xE2, 0xE3, 0xEF: return false
            case 0x20 where last == 0x20: return false
            default: last = byte
            }
        }
        return last != 0x20
    }

    /// Control characters, and marks that change the direction of text.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    /// Converts instructions in HTML to text: removes the tags and decodes common entities.
    static func html(_ text: String, maximumLength: Int) -> String? {
        var plain = ""
        var rest = Substring(text.unicodeScalars.prefix(maximumScalarCount))
        while let character = rest.first {
            switch character {
            case "<":
                guard let end = rest.firstIndex(of: ">") else {
                    return line(plain + rest, maximumLength: maximumLength)
                }
                // A block element begins a new sentence.
                if rest.hasPrefix("<div") || rest.hasPrefix("<br") || rest.hasPrefix("<p") { plain += ". " }
                rest = rest[rest.index(after: end)...]
            case "&":
                let (decoded, length) = entity(rest)
                plain += decoded
                rest = rest.dropFirst(length)
            default:
                plain.append(character)
                rest = rest.dropFirst()
            }
        }
        return line(plain, maximumLength: maximumLength)
    }

    /// Decodes the entity at the start of the text, and returns its length in characters.
    private static func entity(_ text: Substring) -> (decoded: String, length: Int) {
        let maximumNameLength = 8
        guard let end = text.prefix(maximumNameLength + 2).firstIndex(of: ";") else { return ("&", 1) }
        let name = text[text.index(after: text.startIndex)..<end]
        let length = name.count + 2
        switch name {
        case "amp": return ("&", length)
        case "lt": return ("<", length)
        case "gt": return (">", length)
        case "quot": return ("\"", length)
        case "apos": return ("'", length)
        case "nbsp": return (" ", length)
        default:
            guard name.hasPrefix("#") else { return ("&", 1) }
            let digits = name.dropFirst()
            let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
            let code = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            guard let scalar = code.flatMap(Unicode.Scalar.init) else { return ("&", 1) }
            return (String(Character(scalar)), length)
        }
    }

    /// Removes the byte order mark of a document and the white space around its text.
    static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }
}

extension DocumentProblem {
    /// Problem of a document as a whole.
    init(_ message: String) { self.init(path: "", message: message) }
}

extension JSONNode {
    /// Text as one line; nil if the value is not text or nothing remains.
    func line(maximumLength: Int = RouteDocument.maximumInstructionLength) -> String? {
        string.flatMap { PlainText.line($0, maximumLength: maximumLength) }
    }

    /// Elements of a member; empty if the member is missing or is not an array.
    func list(_ name: StaticString) -> [JSONNode] { self[name].map { Array($0.elements) } ?? [] }
}
