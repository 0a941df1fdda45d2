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
    /// The same without the words that FTS5 does not find quickly; nil if these are all. Equal to `everywhere` if there
    /// are none.
    let quick: String?
    /// Like `everywhere`, but the words that `quick` leaves out must be whole, or whole up to a typo; nil if it leaves
    /// out none.
    let whole: String?
    /// Matches names that begin with the words in order.
    let name: String

    /// Maximum number of variants with typos, summed over all words.
    private static let maximumVariantCount = 160

    /// Returns nil if no place can have all words.
    ///
    /// - Parameter isQuick: whether FTS5 finds the first place of an expression with prefixes quickly. It collects the
    ///   places of all words with a prefix before it returns the first one.
    init?(
        _ words: [SearchWord], _ vocabulary: Vocabulary, isQuick: (String) throws(DatabaseError) -> Bool
    ) throws(DatabaseError) {
        var (terms, quickTerms, wholeTerms): ([String], [String], [String]) = ([], [], [])
        var room = Self.maximumVariantCount
        for word in words {
            let variants = room > 0 ? try vocabulary.typos(of: word).prefix(room) : []
            room -= variants.count
            let text = String(decoding: word.bytes, as: UTF8.self)
            var (alternatives, whole) = (Alternatives(), Alternatives())
            try alternatives.add(text, vocabulary.words(beginning: text))
            whole.add(text)
            for variant in variants {
                whole.add(variant.text)
                if variant.isBegun {
                    try alternatives.add(variant.text, vocabulary.words(beginning: variant.text))
                } else {
                    alternatives.add(variant.text)
                }
            }
            guard let term = alternatives.expression else { return nil }
            terms.append(term)
            let mayBeUsed = alternatives.havePrefixes ? try isQuick(term) : true
            if mayBeUsed {
                quickTerms.append(term)
                wholeTerms.append(term)
            } else {
                wholeTerms.append(whole.expression ?? term)
            }
        }
        everywhere = Self.all(terms)
        quick = quickTerms.isEmpty ? nil : Self.all(quickTerms)
        whole = quickTerms.count == terms.count ? nil : Self.all(wholeTerms)
        name = Self.beginning(words.map(\.bytes))
    }

    private static func all(_ terms: [String]) -> String { terms.joined(separator: " AND ") }

    /// Words and prefixes of which a place has one.
    private struct Alternatives {
        private var texts: [String] = []
        // Several variants begin the same word.
        private var known: Set<String> = []
        private(set) var havePrefixes = false

        /// Adds the words that begin with a text. FTS5 reads the places of listed words only as far as they are asked
        /// for.
        mutating func add(_ text: String, _ begun: Vocabulary.Begun) {
            if begun.isComplete {
                for word in begun.listed { add(word) }
            } else {
                texts.append(quoted(text) + "*")
                havePrefixes = true
            }
        }

        mutating func add(_ word: String) {
            if known.insert(word).inserted { texts.append(quoted(word)) }
        }

        /// Nil if there are none.
        var expression: String? { texts.isEmpty ? nil : "(\(texts.joined(separator: " OR ")))" }
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
