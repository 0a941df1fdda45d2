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
    /// Matches all words anywhere, whether whole, as prefixes, or with a typo, except words that are left out; nil if
    /// all are.
    let everywhere: String?
    /// The same with the words that `everywhere` leaves out, as whole words; nil if it leaves out none.
    let whole: String?
    /// Matches names that begin with the words in order.
    let name: String

    /// Maximum number of variants with typos, summed over all words.
    private static let maximumVariantCount = 160

    /// Returns nil if no place can have all words.
    ///
    /// - Parameter mayLeaveOut: whether to leave out words that begin too many others for FTS5, which collects the
    ///   places of all of them before it returns the first place.
    init?(_ words: [SearchWord], _ vocabulary: Vocabulary, mayLeaveOut: Bool) throws(DatabaseError) {
        var (terms, leftOut): ([String], [String]) = ([], [])
        var room = Self.maximumVariantCount
        for word in words {
            let variants = room > 0 ? try vocabulary.typos(of: word).prefix(room) : []
            room -= variants.count
            let text = String(decoding: word.bytes, as: UTF8.self)
            let begun = try vocabulary.words(beginning: text)
            if case .many = begun, mayLeaveOut {
                leftOut.append(Self.quoted(text))
                continue
            }
            var alternatives = Self.alternatives(text, begun)
            // Several variants begin the same word.
            var known = Set(alternatives)
            for variant in variants {
                let words = try variant.isBegun ? vocabulary.words(beginning: variant.text) : .listed([variant.text])
                alternatives += Self.alternatives(variant.text, words).filter { known.insert($0).inserted }
            }
            guard !alternatives.isEmpty else { return nil }
            terms.append("(\(alternatives.joined(separator: " OR ")))")
        }
        everywhere = terms.isEmpty ? nil : terms.joined(separator: " AND ")
        whole = leftOut.isEmpty ? nil : (terms + leftOut).joined(separator: " AND ")
        name = Self.beginning(words.map(\.bytes))
    }

    /// Returns terms for the words that begin with a text. FTS5 reads the places of listed words only as far as they
    /// are asked for.
    private static func alternatives(_ text: String, _ begun: Vocabulary.Begun) -> [String] {
        guard case .listed(let words) = begun else { return [quoted(text) + "*"] }
        return words.map(quoted)
    }

    private static func beginning(_ words: [[UInt8]]) -> String {
        let term = quoted(PlaceBeginning.term(words.prefix(2)))
        guard words.count > 2 else { return term }
        let phrase = words.map { quoted(String(decoding: $0, as: UTF8.self)) }.joined(separator: " + ")
        return "\(term) AND (name : ^ \(phrase))"
    }

    /// Puts a word in quotation marks; words contain none.
    private static func quoted(_ word: String) -> String { "\"\(word)\"" }
}
