import SQLite

/// Words of the search index in a table of their own, in which those within one typo of a word are looked up.
///
/// The table is walked as a tree of letters: at each place of the word where its beginning is that of a known word, the
/// letters that follow there are tried in its stead and before it. Words of places that have gone stay, and nothing is
/// found by them, until they are more than those that places have: the table is made anew then.
final class Vocabulary {
    private let database: Database
    private let file: PlaceFile
    private let splitter: WordSplitter
    private let seek: Statement
    /// Words of this transaction.
    private var pending: Set<[UInt8]> = []
    /// Words that are in the table.
    private var known: Set<[UInt8]> = []
    /// The generation of the table that these are of.
    private var generation = 0
    /// Whether this connection has removed places, or changed some: their words may be those of no place now.
    private var mayHaveUnusedWords = false

    /// Maximum number of words kept in memory, of those known and of those of a transaction.
    private static let mostKept = 20_000
    /// Maximum number of letters that are tried at one place of a word.
    private static let mostLetters = 400
    /// Maximum number of words within a typo of one word.
    static let mostTypos = 64

    init(_ database: Database, _ file: PlaceFile, _ splitter: WordSplitter) throws(DatabaseError) {
        self.database = database
        self.file = file
        self.splitter = splitter
        seek = try database.prepare("SELECT text FROM word WHERE text >= ? LIMIT 1")
    }

    // MARK: words of places

    /// Notes the words of a text for `flush()`. To be called in a transaction.
    func note(_ text: String) throws(DatabaseError) {
        if generation != file.wordGeneration {
            known.removeAll()
            generation = file.wordGeneration
        }
        for word in splitter.words(text) where !known.contains(word) { pending.insert(word) }
        // Those of a transaction that adds a whole file, too, take bounded memory.
        guard pending.count >= Self.mostKept else { return }
        try flush()
        pending.removeAll(keepingCapacity: true)
    }

    /// Adds the noted words to the table.
    func flush() throws(DatabaseError) {
        guard !pending.isEmpty else { return }
        let insert = try database.prepare("INSERT OR IGNORE INTO word (text) VALUES (?)")
        // In order, so that neighbours are on the same page.
        for word in pending.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            try insert.run(.text(String(decoding: word, as: UTF8.self)))
        }
    }

    /// Ends a transaction, whose words are known from now on if it was committed.
    func forget(isCommitted: Bool) {
        if isCommitted {
            if known.count + pending.count > Self.mostKept { known.removeAll() }
            known.formUnion(pending.prefix(Self.mostKept))
        }
        pending.removeAll(keepingCapacity: true)
    }

    // MARK: words of no place

    /// Notes that places were removed or changed.
    func noteRemoval() { mayHaveUnusedWords = true }

    /// Whether more than half of the table are words of no place. Reads the whole index, where places were removed or
    /// changed by this connection: to be called outside of a transaction, which others would wait for.
    func isMostlyUnused() throws(DatabaseError) -> Bool {
        guard mayHaveUnusedWords else { return false }
        // Looked for again if the transaction that makes the table anew fails.
        mayHaveUnusedWords = try PlaceSchema.withIndexedWords(database) { () throws(DatabaseError) in
            let inIndex = try database.number("SELECT count(*) FROM temp.indexed_word")
            return try database.number("SELECT count(*) FROM word") > 2 * inIndex
        }
        return mayHaveUnusedWords
    }

    /// Makes the table anew of the words that places have. To be called in a transaction.
    func rebuild() throws(DatabaseError) {
        try PlaceSchema.rebuildWords(database)
        file.noteRemovedWords()
    }

    // MARK: typos

    /// Text within one typo of a word, as which places have it.
    struct Variant: Hashable {
        let text: String
        /// Whether places have words that begin with it, too.
        let isBegun: Bool
    }

    /// Whether a word begins with this text.
    func hasWord(beginning text: String) throws(DatabaseError) -> Bool { try first(from: text).hasPrefixBytes(text) }

    /// Words that differ from `word` by one typo, in a fixed order.
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
                guard found.count < Self.mostTypos else { return found }
            }
        }
        return found
    }

    /// The word with one typo at an index: without this letter, with it and the next one swapped, and with each letter
    /// that follows the beginning in its stead or before it.
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

    /// Letters that follow a beginning in the words of the table, in order.
    private func letters(after beginning: String) throws(DatabaseError) -> [Unicode.Scalar] {
        var letters: [Unicode.Scalar] = []
        // From the first letter on: the beginning itself may be a word.
        var next: Unicode.Scalar? = "\u{1}"
        while let from = next, letters.count < Self.mostLetters {
            let text = try first(from: beginning + String(Character(from)))
            guard text.hasPrefixBytes(beginning) else { break }
            guard let letter = text.unicodeScalars.dropFirst(beginning.unicodeScalars.count).first else { break }
            letters.append(letter)
            next = letter.value == 0xD7FF ? "\u{E000}" : Unicode.Scalar(letter.value + 1)
        }
        return letters
    }

    /// First word of the table from this text on; empty if there is none.
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
    /// Whether the UTF-8 begins with that of the other text: combining characters count by themselves.
    fileprivate func hasPrefixBytes(_ other: String) -> Bool { utf8.starts(with: other.utf8) }
}
