import JSON

/// A set of words of an enumeration to which later versions may add words.
///
/// Words are written in the order of the declaration, with unknown words last. A set without unknown words allocates no
/// memory. Each pose contains two sets, so the code that makes and writes them is specialised for their words.
@frozen
public struct WordSet<Word: InterfaceWord>: Hashable, Sendable {
    /// Bits of the known words: `1 << word.rawValue` is set for each word in the set.
    public var bits: UInt64
    /// Words that this version does not know, in the order in which they were read.
    public var unknown: [String]

    /// - Parameter bits: bits of the words: `1 << word.rawValue` for each word. Bits without a word are ignored.
    @inlinable
    public init(bits: UInt64 = 0) {
        self.bits = 0
        unknown = []
        for word in Known(bits: bits) { insert(word) }
    }

    /// Makes a set of these words.
    public init(_ words: some Sequence<Word>) {
        self.init()
        for word in words { insert(word) }
    }

    /// True if the set has neither known nor unknown words.
    @inlinable
    public var isEmpty: Bool { bits == 0 && unknown.isEmpty }

    /// Whether the set has the word.
    @inlinable
    public func contains(_ word: Word) -> Bool { bits & Self.bit(word) != 0 }

    /// Adds a word.
    @inlinable
    public mutating func insert(_ word: Word) { bits |= Self.bit(word) }

    /// Removes a word.
    @inlinable
    public mutating func remove(_ word: Word) { bits &= ~Self.bit(word) }

    /// The known words, in the order of the declaration.
    @inlinable
    public var known: Known { Known(bits: bits) }

    /// Words whose bits are set, in the order of the declaration. The iteration does not use `allCases`, which may
    /// allocate a new array each time.
    @frozen
    public struct Known: Sequence, IteratorProtocol {
        @usableFromInline
        var bits: UInt64

        @inlinable
        init(bits: UInt64) { self.bits = bits }

        /// The next word; nil after the last word.
        @inlinable
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

    @inlinable
    static func bit(_ word: Word) -> UInt64 { 1 << UInt64(word.rawValue) }
}

extension WordSet: ExpressibleByArrayLiteral {
    /// Makes a set of these words.
    public init(arrayLiteral words: Word...) { self.init(words) }
}

extension WordSet: CustomStringConvertible {
    /// The words, separated by commas.
    public var description: String { words.joined(separator: ", ") }
}

extension WordSet: JSONReadable, JSONWritable {
    /// Reads an array of words; unknown words are kept.
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
    @inlinable
    public func write(into json: inout JSONWriter) {
        json.beginArray()
        for word in known { json.value(word.word) }
        for word in unknown { json.value(word) }
        json.endArray()
    }
}
