/// Validation of texts and web addresses from untrusted sources.
enum WebText {
    /// Returns the text on one line, in which runs of white space and control characters become one space; nil if
    /// nothing is left.
    static func line(_ text: some StringProtocol) -> String? {
        let words = text.split { $0.isWhitespace || isControl($0) }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Returns the web address; nil unless it is http or https, has a host and contains only valid characters.
    static func address(_ text: some StringProtocol) -> String? {
        guard let line = line(text) else { return nil }
        let isPlain = line.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0.value != 0x7F && !"<>\"\\^`{|}".unicodeScalars.contains($0)
        }
        guard isPlain else { return nil }
        for scheme in ["https://", "http://"] where line.lowercased().hasPrefix(scheme) {
            let host = line.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
            // User names and passwords in addresses are refused, because they are used to deceive.
            return host.isEmpty || host.contains("@") ? nil : line
        }
        return nil
    }

    /// Returns the mail address; nil if the text is not a mail address.
    static func mail(_ text: some StringProtocol) -> String? {
        guard let line = line(text), !line.contains(" ") else { return nil }
        let parts = line.split(separator: "@", omittingEmptySubsequences: false)
        let isMail =
            parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !line.contains(where: "<>,;:".contains)
        return isMail ? line : nil
    }

    /// Returns the address of the Wikipedia page for `de:Title`; nil for anything else, such as the address of another
    /// page.
    static func wikipedia(_ text: String) -> String? {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, (2...12).contains(parts[0].utf8.count), let title = line(parts[1]),
            parts[0].utf8.allSatisfy({ (97...122).contains($0) || $0 == 45 }), !title.hasPrefix("//"), stays(title)
        else { return nil }
        return "https://\(parts[0]).wikipedia.org/wiki/\(encoded(title))"
    }

    /// Returns the address of the picture for `File:Name` in Wikimedia Commons; nil for a category of pictures.
    static func commons(_ text: String) -> String? {
        guard text.hasPrefix("File:"), let name = line(text.dropFirst("File:".count)), stays(name) else { return nil }
        return "https://commons.wikimedia.org/wiki/Special:FilePath/\(encoded(name))"
    }

    /// Whether a path that ends with this title stays below its folder.
    private static func stays(_ title: String) -> Bool {
        title.split(separator: "/").allSatisfy { $0 != "." && $0 != ".." }
    }

    /// Returns the title, encoded as part of a path, with spaces replaced as these sites do.
    private static func encoded(_ title: String) -> String {
        var result = ""
        for byte in title.utf8 {
            switch byte {
            case UInt8(ascii: " "): result += "_"
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "/"):
                result.append(Character(UnicodeScalar(byte)))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return result
    }

    /// Whether a character is a control character or a bidirectional mark.
    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains {
            switch $0.value {
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
            default: false
            }
        }
    }
}
