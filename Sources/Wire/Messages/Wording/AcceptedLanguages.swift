/// Languages that a reader understands, as HTTP's `Accept-Language` lists them.
///
/// Source: RFC 9110, 12.5.4 and 12.4.2; RFC 4647, 2.1 (basic language ranges) and 3.4 (lookup).
public struct AcceptedLanguages: Hashable, Sendable {
    /// Language range with its weight in thousandths; a weight of 0 means not acceptable.
    private struct Range: Hashable, Sendable {
        var subtags: [String]
        var weight: Int
    }

    /// Ranges by descending weight; ranges of equal weight are in the order of the list.
    private var ranges: [Range] = []

    /// Maximum length of a list. Unit: bytes.
    public static let maximumLength = 200
    /// Maximum number of ranges that are used. Browsers send only a few, and each range is compared with all others.
    public static let maximumRangeCount = 16

    /// Parses a list such as `de-CH, de;q=0.9, en;q=0.5`; nil if it is malformed or too long.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        for element in text.split(separator: ",", omittingEmptySubsequences: false) {
            let element = element.trimmed
            // The standard requires empty elements to be ignored.
            if element.isEmpty { continue }
            guard let range = Self.range(element) else { return nil }
            if ranges.count < Self.maximumRangeCount { ranges.append(range) }
        }
        // Sorting keeps the order of ranges with equal weights.
        ranges = ranges.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element)
    }

    /// Makes a list with the language of a POSIX locale, such as `de_AT.UTF-8`. It is empty for `C` and for a malformed
    /// locale.
    public init(locale: String) {
        let name = locale.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
        guard let list = Self(String(name)) else { return }
        self = list
    }

    private static func range(_ element: Substring) -> Range? {
        let parts = element.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count <= 2, let subtags = subtags(parts[0].trimmed) else { return nil }
        guard parts.count == 2 else { return Range(subtags: subtags, weight: 1000) }
        return weight(parts[1].trimmed).map { Range(subtags: subtags, weight: $0) }
    }

    /// Subtags in lower case, empty for `*`; nil for a malformed range.
    private static func subtags(_ text: Substring) -> [String]? {
        if text == "*" { return [] }
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        for (index, subtag) in subtags.enumerated() {
            guard (1...8).contains(subtag.count),
                subtag.allSatisfy({ $0.isLetter || (index > 0 && $0.isNumber) })
            else { return nil }
        }
        return subtags.map { $0.lowercased() }
    }

    /// Parses a weight such as `q=0.5` with up to three decimals, in thousandths.
    private static func weight(_ text: Substring) -> Int? {
        guard let name = text.first, name == "q" || name == "Q", text.dropFirst().first == "=" else { return nil }
        let number = text.dropFirst(2)
        guard let whole = number.first, whole == "0" || whole == "1" else { return nil }
        let decimals = number.dropFirst().first == "." ? number.dropFirst(2) : ""
        guard number.count == 1 || number.dropFirst().first == ".", decimals.count <= 3,
            decimals.allSatisfy(\.isNumber),
            let thousandths = Int(decimals + String(repeating: "0", count: 3 - decimals.count))
        else { return nil }
        let weight = (whole == "1" ? 1000 : 0) + thousandths
        return weight <= 1000 ? weight : nil
    }

    /// The best language by lookup. A range without a catalogue is shortened from its end until one is found.
    ///
    /// - Returns: `standard` if `*` comes first or no range matches.
    public func language(otherwise standard: Language) -> Language {
        for range in ranges where range.weight > 0 {
            if range.subtags.isEmpty, !isRefused(standard) { return standard }
            if let found = Self.lookUp(range.subtags), !isRefused(found) { return found }
        }
        return standard
    }

    private func isRefused(_ language: Language) -> Bool {
        ranges.contains { $0.weight == 0 && $0.subtags == [language.rawValue] }
    }

    private static func lookUp(_ subtags: [String]) -> Language? {
        var subtags = subtags[...]
        while !subtags.isEmpty {
            if let language = Language(rawValue: subtags.joined(separator: "-")) { return language }
            subtags = subtags.dropLast()
            // A single letter introduces an extension and has no meaning by itself.
            if subtags.last?.count == 1 { subtags = subtags.dropLast() }
        }
        return nil
    }
}

extension Substring {
    /// Text without leading and trailing spaces and tabs.
    fileprivate var trimmed: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
        while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
        return text
    }
}
