import JSON

/// An enumeration of an interface: a case for each word, in the order of the declaration.
public protocol InterfaceWord: CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable, CustomStringConvertible
where Self: RawRepresentable, RawValue == UInt8 {
    /// The word on the wire.
    var word: StaticString { get }
}

/// An enumeration whose words are a table, by the raw value.
protocol WordTable: InterfaceWord, MemberValue {
    static var words: [StaticString] { get }
}

extension WordTable {
    /// The word on the wire.
    public var word: StaticString { Self.words[Int(rawValue)] }
}

extension InterfaceWord {
    /// Nil for a word that the interface does not have.
    public init?(word: some StringProtocol) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }

    /// The word that a string has; nil for one that the interface does not have.
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

    /// Reads a word; one that the interface does not have is refused.
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

    /// The word on the wire.
    public var description: String { word.description }
}

extension StaticString {
    fileprivate static func == (left: StaticString, right: some StringProtocol) -> Bool {
        right.utf8.elementsEqual(UnsafeBufferPointer(start: left.utf8Start, count: left.utf8CodeUnitCount))
    }
}

/// A word of an enumeration to which later versions may add: known, or kept as it is.
public enum OpenWord<Word: InterfaceWord>: Hashable, Sendable {
    case known(Word)
    /// A word that this version does not know.
    case unknown(String)

    /// A known word.
    public init(_ word: Word) { self = .known(word) }

    /// Known if the interface has the word.
    public init(word: some StringProtocol) { self = Word(word: word).map(OpenWord.known) ?? .unknown(String(word)) }

    /// Nil for one that this version does not know.
    public var known: Word? {
        if case .known(let word) = self { word } else { nil }
    }

    /// True if it is this known word.
    public static func == (left: OpenWord, right: Word) -> Bool { left.known == right }

    /// True if it is another word.
    public static func != (left: OpenWord, right: Word) -> Bool { left.known != right }
}

extension OpenWord: CustomStringConvertible {
    /// The word on the wire.
    public var description: String {
        switch self {
        case .known(let word): word.description
        case .unknown(let word): word
        }
    }
}

extension OpenWord: JSONReadable, JSONWritable {
    /// Reads a word; one that is not known is kept.
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
