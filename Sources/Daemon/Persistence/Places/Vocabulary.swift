import SQLite

/// Words of the search index in their own table, in which words within one typo of a given word are looked up.
///
/// The table is searched as a prefix tree. At each position of the given word, every letter that follows the word's
/// prefix in the table is tried as a replacement and as an insertion. The search ends at the first prefix that no word
/// of the table has. Words of removed places stay, without effect on results. The table is rebuilt once they outnumber
/// the words in use.
final class Vocabulary {
    private let database: Database
    private let file: PlaceFile
    private let seek: Statement
    private let beginnings: Statement
    /// Words that the current transaction has collected for the table.
    private var pending: Set<[UInt8]> = []
    /// Words known to be in the table.
    private var known: Set<[UInt8]> = []
    /// Generation of the table for which `known` is valid.
    private var generation = 0
    /// Whether this connection has removed or changed places, whose words may now be unused.
    private var mayHaveUnusedWords = false

    /// Maximum number of words in `known`, and likewise in `pending`.
    private static let maximumKeptCount = 20_000
    /// Maximum number of letters tried at one position of a word.
    private static let maximumLetterCount = 400
    /// Maximum number of variants that are returned for one word.
    static let maximumTypoCount = 64

    init(_ database: Database, _ file: PlaceFile) throws(DatabaseError) {
        self.database = database
        self.file = file
        seek = try database.prepare("SELECT text FROM word WHERE text >= ? LIMIT 1")
        beginnings = try database.prepare("SELECT text FROM word WHERE text >= ? AND text < ? LIMIT ?")
    }

    // MARK: words of places

    /// Collects words for `flush()`. To be called in a transaction.
    func note(_ words: [[UInt8]]) throws(DatabaseError) {
        if generation != file.wordGeneration {
            known.removeAll()
            generation = file.wordGeneration
        }
        for word in words where !known.contains(word) { pending.insert(word) }
        // Bounds the memory even if one transaction adds a whole file.
        guard pending.count >= Self.maximumKeptCount else { return }
        try flush()
        pending.removeAll(keepingCapacity: true)
    }

    /// Adds the collected words to the table.
    func flush() throws(DatabaseError) {
        guard !pending.isEmpty else { return }
        let insert = try database.prepare("INSERT OR IGNORE INTO word (text) VALUES (?)")
        // Sorted, so that neighbours are on the same page.
        for word in pending.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            try insert.run(.text(String(decoding: word, as: UTF8.self)))
        }
    }

    /// Ends a transaction; if it was committed, its words are now known.
    func forget(isCommitted: Bool) {
        if isCommitted {
            if known.count + pending.count > Self.maximumKeptCount { known.removeAll() }
            known.formUnion(pending.prefix(Self.maximumKeptCount))
        }
        pending.removeAll(keepingCapacity: true)
    }

    // MARK: unused words

    /// Records that places were removed or changed.
    func noteRemoval() { mayHaveUnusedWords = true }

    /// Whether more than half of the words in the table are unused. If this connection has removed or changed places,
    /// this reads the whole index. It must be called outside of a transaction, because other connections would wait for
    /// it.
    func isMostlyUnused() throws(DatabaseError) -> Bool {
        guard mayHaveUnusedWords else { return false }
        // If most words are unused, this stays true, so that the next import checks again if rebuilding the table fails
        // now.
        mayHaveUnusedWords = try PlaceSchema.withIndexedWords(database) { () throws(DatabaseError) in
            let inIndex = try database.number(
                "SELECT count(*) FROM temp.indexed_word WHERE \(PlaceSchema.isWord)")
            return try database.number("SELECT count(*) FROM word") > 2 * inIndex
        }
        return mayHaveUnusedWords
    }

    /// Rebuilds the table from the words in use. To be called in a transaction.
    func rebuild() throws(DatabaseError) {
        try PlaceSchema.rebuildWords(database)
        file.noteRemovedWords()
    }

    // MARK: words that are begun

    /// Words that begin with a text.
    struct Begun {
        /// The first of them in increasing order, at most `maximumListedCount`.
        let listed: ArraySlice<String>
        /// Whether there are no others.
        let isComplete: Bool
    }

    /// Maximum number of words that are listed.
    private static let maximumListedCount = 32

    /// Returns the words of the table that begin with this text.
    func words(beginning text: String) throws(DatabaseError) -> Begun {
        var words: [String] = []
        // The highest character follows all that may continue the text.
        try beginnings.bind(.text(text), .text(text + "\u{10FFFF}"), .integer(Int64(Self.maximumListedCount) + 1))
        while try beginnings.step() { words.append(beginnings.text(0)) }
        return Begun(
            listed: words.prefix(Self.maximumListedCount), isComplete: words.count <= Self.maximumListedCount)
    }

    // MARK: typos

    /// Text within one typo of a word, as it occurs in places.
    struct Variant: Hashable {
        let text: String
        /// Whether longer words that begin with the text also count.
        let isBegun: Bool
    }

    /// Whether a word begins with this text.
    func hasWord(beginning text: String) throws(DatabaseError) -> Bool { try first(from: text).hasPrefixBytes(text) }

    /// Returns the words that differ from `word` by one typo, in a fixed order.
    func typos(of word: SearchWord) throws(DatabaseError) -> [Variant] {
        guard word.mayHaveTypo else { return [] }
        var found: [Variant] = []
        let letters = word.scalars
        for index in 0...letters.count {
            let beginning = Self.text(letters[..<index])
            guard try hasWord(beginning: beginning) else { break }
            for text in try edits(letters, at: index, beginning) {
                guard let variant = try variant(text, of: word), !found.contains(variant) else { continue }
                found.append(variant)
                guard found.count < Self.maximumTypoCount else { return found }
            }
        }
        return found
    }

    /// Returns the variants of the word with one typo at an index: without this letter, with this letter and the next
    /// one swapped, and with each letter that follows the prefix as a replacement or insertion.
    private func edits(
        _ letters: [Unicode.Scalar], at index: Int, _ beginning: String
    ) throws(DatabaseError) -> [String] {
        let rest = letters[index...]
        var edits: [String] = []
        if let letter = rest.first {
            edits.append(beginning + Self.text(rest.dropFirst()))
            if let next = rest.dropFirst().first {
                edits.append(beginning + Self.text([next, letter]) + Self.text(rest.dropFirst(2)))
            }
        }
        for letter in try self.letters(after: beginning) where letter != rest.first {
            let start = beginning + String(Character(letter))
            if !rest.isEmpty { edits.append(start + Self.text(rest.dropFirst())) }
            edits.append(start + Self.text(rest))
        }
        return edits
    }

    private func variant(_ text: String, of word: SearchWord) throws(DatabaseError) -> Variant? {
        let next = try first(from: text)
        if word.mayBeBegunWithTypo { return next.hasPrefixBytes(text) ? Variant(text: text, isBegun: true) : nil }
        return next.utf8.elementsEqual(text.utf8) && !text.isEmpty ? Variant(text: text, isBegun: false) : nil
    }

    /// Returns the letters that follow a prefix in the words of the table, in increasing order.
    private func letters(after beginning: String) throws(DatabaseError) -> [Unicode.Scalar] {
        var letters: [Unicode.Scalar] = []
        // Begins with the lowest letter, so that the prefix itself, which may be a word, is skipped.
        var next: Unicode.Scalar? = "\u{1}"
        while let from = next, letters.count < Self.maximumLetterCount {
            let text = try first(from: beginning + String(Character(from)))
            guard text.hasPrefixBytes(beginning) else { break }
            guard let letter = text.unicodeScalars.dropFirst(beginning.unicodeScalars.count).first else { break }
            letters.append(letter)
            next = letter.value == 0xD7FF ? "\u{E000}" : Unicode.Scalar(letter.value + 1)
        }
        return letters
    }

    /// Returns the first word of the table that is equal to this text or follows it; empty if there is none.
    private func first(from text: String) throws(DatabaseError) -> String {
        try seek.bind(.text(text))
        defer { seek.reset() }
        return try seek.step() ? seek.text(0) : ""
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}

extension String {
    /// Whether the UTF-8 bytes begin with the bytes of the other text, so that combining characters count separately.
    fileprivate func hasPrefixBytes(_ other: String) -> Bool { utf8.starts(with: other.utf8) }
}
