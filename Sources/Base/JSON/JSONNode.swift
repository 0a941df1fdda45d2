import CJSON
import Glibc

/// Value of a JSON document, in the tree of its reader.
///
/// Valid until the reader reads its next value. A node used after that yields another value or null, but never reads
/// out of bounds.
public struct JSONNode {
    /// Kind of a JSON value; `true` and `false` are one kind.
    public enum Kind: Hashable, Sendable { case null, bool, number, text, array, object }

    package let reader: JSONReader
    package let index: Int

    package init(reader: JSONReader, index: Int) {
        self.reader = reader
        self.index = index
    }

    private var value: cjson_value {
        index < reader.values.count ? reader.values[index] : cjson_value()
    }

    /// Kind of the value; also `null` for a node that the reader no longer keeps.
    public var kind: Kind {
        switch cjson_kind(value.kind) {
        case CJSON_FALSE, CJSON_TRUE: .bool
        case CJSON_NUMBER: .number
        case CJSON_TEXT, CJSON_KEY: .text
        case CJSON_ARRAY: .array
        case CJSON_OBJECT: .object
        default: .null
        }
    }

    /// Number of elements of an array or of members of an object; 0 for any other kind.
    public var count: Int {
        let value = value
        guard value.next != 0, kind == .array || kind == .object else { return 0 }
        return Int(value.count)
    }

    /// Index after this value and its descendants.
    package var end: Int {
        let next = Int(value.next)
        return next == 0 ? reader.values.count : min(next, reader.values.count)
    }

    /// Bytes of a string or a name, valid until the reader's next value.
    package var bytes: UnsafeRawBufferPointer? {
        guard kind == .text else { return nil }
        let span = value.text
        guard Int(span.start) + Int(span.count) <= reader.text.count else { return nil }
        return UnsafeRawBufferPointer(rebasing: reader.text[Int(span.start)..<(Int(span.start) + Int(span.count))])
    }

    // MARK: - Values, or nil

    /// Value of a number; nil for any other kind.
    public var number: Double? { kind == .number ? value.number : nil }

    /// Value of `true` or `false`; nil for any other kind.
    public var bool: Bool? {
        switch cjson_kind(value.kind) {
        case CJSON_TRUE: true
        case CJSON_FALSE: false
        default: nil
        }
    }

    /// Text of a string, with invalid UTF-8 replaced; nil for any other kind.
    public var string: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether the value is `null`.
    public var isNull: Bool { kind == .null }

    package func equals(_ word: StaticString) -> Bool {
        // The names of an object mostly differ in length.
        guard Int(value.text.count) == word.utf8CodeUnitCount, let bytes, let start = bytes.baseAddress else {
            return false
        }
        return memcmp(start, word.utf8Start, bytes.count) == 0
    }

    /// First member with this name; nil if the member is missing or null.
    public subscript(_ name: StaticString) -> JSONNode? {
        for (key, value) in members where key.equals(name) { return value.isNull ? nil : value }
        return nil
    }

    /// Elements of an array, in order; empty for any other kind.
    public var elements: Elements { Elements(of: self, ifKind: .array) }

    /// Names and values of an object, in order; empty for any other kind.
    public var members: Members { Members(values: Elements(of: self, ifKind: .object)) }

    /// Sequence of the elements of an array, in order. It does not copy them.
    public struct Elements: Sequence, IteratorProtocol {
        private let reader: JSONReader?
        private var following: Int
        private let end: Int

        init(of node: JSONNode, ifKind kind: Kind) {
            reader = node.reader
            following = node.index + 1
            end = node.kind == kind ? node.end : 0
        }

        private init() { (reader, following, end) = (nil, 0, 0) }

        package static var none: Elements { Elements() }

        /// Returns the next element; nil after the last.
        public mutating func next() -> JSONNode? {
            guard following < end, let reader else { return nil }
            let node = JSONNode(reader: reader, index: following)
            following = Swift.max(node.end, following + 1)
            return node
        }
    }

    /// Sequence of the members of an object, in order, with their names.
    public struct Members: Sequence, IteratorProtocol {
        var values: Elements

        /// Returns the next member; nil after the last.
        public mutating func next() -> (name: JSONNode, value: JSONNode)? {
            guard let name = values.next(), let value = values.next() else { return nil }
            return (name, value)
        }
    }
}
