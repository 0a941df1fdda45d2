import SQLite

package struct SearchText: Sendable {
    /// Text as typed, which may be the id of a place.
    let text: String

    /// Maximum length of the text. Unit: UTF-8 bytes.
    package static let maximumLength = 500
    /// Maximum number of words. Further words are ignored, because they hardly narrow the search.
    private static let maximumWordCount = 16

    /// Returns nil if the text is too long.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        self.text = text
    }

    /// Returns the words of the text, without duplicates.
    func words(_ splitter: WordSplitter) -> [SearchWord] {
        var words: [[UInt8]] = []
        for word in splitter.words(text) where !words.contains(word) && words.count < Self.maximumWordCount {
            words.append(word)
        }
        return words.map(SearchWord.init)
    }
}

/// Words of a search as expressions of the full-text index. They are quoted, so that none acts as an operator.
struct SearchQuery {
    /// Matches all words anywhere, whether whole, as prefixes, or with a typo.
    let everywhere: String
    /// Matches names that begin with the words in order.
    let name: String

    /// Maximum number of variants with typos, summed over all words.
    private static let maximumVariantCount = 160

    /// Returns nil if no place can have all words.
    init?(_ words: [SearchWord], _ vocabulary: Vocabulary) throws(DatabaseError) {
        var terms: [String] = []
        var room = Self.maximumVariantCount
        for word in words {
            let text = String(decoding: word.bytes, as: UTF8.self)
            let variants = room > 0 ? try vocabulary.typos(of: word).prefix(room) : []
            room -= variants.count
            let isKnown = try vocabulary.hasWord(beginning: text)
            guard isKnown || !variants.isEmpty else { return nil }
            let others = variants.map { " OR " + Self.quoted($0.text) + ($0.isBegun ? "*" : "") }
            terms.append("(\(Self.quoted(text))*\(others.joined()))")
        }
        everywhere = terms.joined(separator: " AND ")
        name =
            "name : ^ " + words.map { Self.quoted(String(decoding: $0.bytes, as: UTF8.self)) }.joined(separator: " + ")
    }

    /// Puts a word in quotation marks; words contain none.
    private static func quoted(_ word: String) -> String { "\"\(word)\"" }
}
