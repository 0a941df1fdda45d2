import JSON

/// An enumeration of an interface. Its cases are the words in the order of their declaration.
public protocol InterfaceWord: CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable, CustomStringConvertible
where Self: RawRepresentable, RawValue == UInt8 {
    /// Word in messages.
    var word: StaticString { get }
}

/// An enumeration with a table of its words; the raw value of a case is the index of its word.
protocol WordTable: InterfaceWord, MemberValue {
    static var words: [StaticString] { get }
}

extension WordTable {
    /// Word in messages.
    public var word: StaticString { Self.words[Int(rawValue)] }
}

extension InterfaceWord {
    /// Makes the value for a word; nil if the interface does not have this word.
    public init?(word: some StringProtocol) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }

    /// Reads the word in a string; nil for a word that the interface does not have.
    init?(known node: JSONNode) {
        var value: UInt8 = 0
        while let word = Self(rawValue: value) {
            if node.equals(word.word) {
                self = word
                return
            }
            value += 1
        }
        return nil
    }

    /// Reads a word; throws a problem if the interface does not have this word.
    public init(_ node: JSONNode) throws(DocumentProblem) {
        try node.require(.text)
        guard let known = Self(known: node) else {
            let words = Self.allCases.map(\.description).joined(separator: ", ")
            throw node.problem("none of \(words)")
        }
        self = known
    }

    /// Appends the word.
    public func write(into json: inout JSONWriter) { json.value(word) }

    /// Word in messages.
    public var description: String { word.description }
}

extension StaticString {
    fileprivate static func == (left: StaticString, right: some StringProtocol) -> Bool {
        right.utf8.elementsEqual(UnsafeBufferPointer(start: left.utf8Start, count: left.utf8CodeUnitCount))
    }
}

/// A word of an enumeration to which later versions may add words. An unknown word is kept as text.
public enum OpenWord<Word: InterfaceWord>: Hashable, Sendable {
    case known(Word)
    /// A word that this version does not know.
    case unknown(String)

    /// Makes a known word.
    public init(_ word: Word) { self = .known(word) }

    /// Makes a known word if the interface has the word, otherwise an unknown word.
    public init(word: some StringProtocol) { self = Word(word: word).map(OpenWord.known) ?? .unknown(String(word)) }

    /// The word, or nil if this version does not know it.
    public var known: Word? {
        if case .known(let word) = self { word } else { nil }
    }

    /// True if the left word is known and equal to the right one.
    public static func == (left: OpenWord, right: Word) -> Bool { left.known == right }

    /// True if the left word is unknown or differs from the right one.
    public static func != (left: OpenWord, right: Word) -> Bool { left.known != right }
}

extension OpenWord: CustomStringConvertible {
    /// Word in messages.
    public var description: String {
        switch self {
        case .known(let word): word.description
        case .unknown(let word): word
        }
    }
}

extension OpenWord: JSONReadable, JSONWritable {
    /// Reads a word; an unknown word is kept as text.
    public init(_ node: JSONNode) throws(DocumentProblem) {
        if let known = Word(known: node) {
            self = .known(known)
        } else {
            self = .unknown(try node.text())
        }
    }

    /// Appends the word.
    public func write(into json: inout JSONWriter) {
        switch self {
        case .known(let word): json.value(word.word)
        case .unknown(let word): json.value(word)
        }
    }
}
