import JSON

/// A set of the words of an enumeration to which later versions may add.
///
/// Written in the order of the declaration, with unknown words last. Without unknown words, nothing is allocated.
public struct WordSet<Word: InterfaceWord>: Hashable, Sendable {
    /// The known words: bit `word.rawValue` for each.
    public private(set) var bits: UInt64
    /// Words that this version does not know, in the order in which they were read.
    public private(set) var unknown: [String]

    /// - Parameter bits: bit `word.rawValue` for each word; bits without a word are ignored.
    public init(bits: UInt64 = 0) {
        self.bits = 0
        unknown = []
        for word in Known(bits: bits) { insert(word) }
    }

    /// The set of these words.
    public init(_ words: some Sequence<Word>) {
        self.init()
        for word in words { insert(word) }
    }

    /// True if it has neither known nor unknown words.
    public var isEmpty: Bool { bits == 0 && unknown.isEmpty }

    /// Whether the set has the word.
    public func contains(_ word: Word) -> Bool { bits & Self.bit(word) != 0 }

    /// Adds a word.
    public mutating func insert(_ word: Word) { bits |= Self.bit(word) }

    /// Removes a word.
    public mutating func remove(_ word: Word) { bits &= ~Self.bit(word) }

    /// The known words, in the order of the declaration.
    public var known: Known { Known(bits: bits) }

    /// The words of bits, in the order of the declaration. Not of `allCases`, which may be an array made anew.
    public struct Known: Sequence, IteratorProtocol {
        var bits: UInt64

        /// The next word; nil after the last one.
        public mutating func next() -> Word? {
            while bits != 0 {
                let bit = bits.trailingZeroBitCount
                bits &= bits - 1
                if let word = Word(rawValue: UInt8(bit)) { return word }
            }
            return nil
        }
    }

    /// All words, in the order in which they are written.
    public var words: [String] { known.map(\.description) + unknown }

    private static func bit(_ word: Word) -> UInt64 { 1 << UInt64(word.rawValue) }
}

extension WordSet: ExpressibleByArrayLiteral {
    /// The set of these words.
    public init(arrayLiteral words: Word...) { self.init(words) }
}

extension WordSet: CustomStringConvertible {
    /// The words with commas between them.
    public var description: String { words.joined(separator: ", ") }
}

extension WordSet: JSONReadable, JSONWritable {
    /// Reads an array of words; those that are not known are kept.
    public init(_ node: JSONNode) throws(DocumentProblem) {
        self.init()
        for element in try node.array() {
            if let word = Word(known: element) {
                insert(word)
            } else {
                unknown.append(try element.text())
            }
        }
    }

    /// Appends an array of words.
    public func write(into json: inout JSONWriter) {
        json.beginArray()
        for word in known { json.value(word.word) }
        for word in unknown { json.value(word) }
        json.endArray()
    }
}
