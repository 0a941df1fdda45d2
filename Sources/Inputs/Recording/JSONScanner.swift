import Glibc
import JSON

/// Reads JSON in one pass without building a tree; the caller reads the members it knows and skips the others.
///
/// The scanner is strict about structure and limits the depth. It returns a string as the bytes between its quotes. It
/// does not resolve escapes, because names and words of a recording have none.
package struct JSONScanner {
    /// Error in the text. The description names the invalid part.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }
    }

    private static let maximumDepth = 16
    private let text: UnsafeRawBufferPointer
    private var position = 0
    private var depth = 0

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    /// Reads one object; `member` has to read or skip each value.
    mutating func object(
        _ member: (Name, inout JSONScanner) throws(Problem) -> Void
    ) throws(Problem) {
        try open(UInt8(ascii: "{"))
        while try !close(UInt8(ascii: "}")) {
            let name = Name(bytes: try string())
            try expect(UInt8(ascii: ":"))
            try member(name, &self)
        }
    }

    /// Reads one array; `element` has to read or skip each value.
    mutating func array(_ element: (inout JSONScanner) throws(Problem) -> Void) throws(Problem) {
        try open(UInt8(ascii: "["))
        while try !close(UInt8(ascii: "]")) { try element(&self) }
    }

    mutating func double() throws(Problem) -> Double {
        guard let value = NumberParser.double(try number()), value.isFinite else {
            throw Problem("a number out of range at byte \(position)")
        }
        return value
    }

    mutating func integer() throws(Problem) -> Int64 {
        guard let value = NumberParser.integer(try number()) else {
            throw Problem("not a whole number at byte \(position)")
        }
        return value
    }

    mutating func boolean() throws(Problem) -> Bool {
        skipSpace()
        guard position < text.count, text[position] == UInt8(ascii: "t") else {
            try word("false")
            return false
        }
        try word("true")
        return true
    }

    mutating func string() throws(Problem) -> UnsafeRawBufferPointer {
        try expect(UInt8(ascii: "\""))
        let start = position
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                position += 1
                return UnsafeRawBufferPointer(rebasing: text[start..<(position - 1)])
            case UInt8(ascii: "\\"): position += 2
            case 0..<0x20: throw Problem("a control character in a string at byte \(position)")
            default: position += 1
            }
        }
        throw Problem("a string without an end")
    }

    /// Skips any value.
    mutating func skip() throws(Problem) {
        skipSpace()
        guard position < text.count else { throw Problem("the end where a value is expected") }
        switch text[position] {
        case UInt8(ascii: "{"): try object { _, value throws(Problem) in try value.skip() }
        case UInt8(ascii: "["): try array { element throws(Problem) in try element.skip() }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: _ = try double()
        }
    }

    /// Skips any value and returns its bytes.
    mutating func raw() throws(Problem) -> UnsafeRawBufferPointer {
        skipSpace()
        let start = position
        try skip()
        return UnsafeRawBufferPointer(rebasing: text[start..<position])
    }

    /// Throws unless only white space follows.
    mutating func end() throws(Problem) {
        skipSpace()
        guard position == text.count else { throw Problem("more after the end of the message") }
    }

    // MARK: - Pieces

    private mutating func open(_ bracket: UInt8) throws(Problem) {
        depth += 1
        guard depth <= JSONScanner.maximumDepth else {
            throw Problem("nested more than \(JSONScanner.maximumDepth) deep")
        }
        try expect(bracket)
        justOpened = true
    }

    /// Whether the last token was an opening bracket, after which no comma is expected.
    private var justOpened = false

    /// Returns whether the list ends here; if not, consumes the comma before the next element.
    private mutating func close(_ bracket: UInt8) throws(Problem) -> Bool {
        skipSpace()
        let first = justOpened
        justOpened = false
        if position < text.count, text[position] == bracket {
            position += 1
            depth -= 1
            return true
        }
        if !first { try expect(UInt8(ascii: ",")) }
        return false
    }

    private mutating func expect(_ byte: UInt8) throws(Problem) {
        skipSpace()
        guard position < text.count, text[position] == byte else {
            throw Problem("'\(Character(Unicode.Scalar(byte)))' is missing at byte \(position)")
        }
        position += 1
    }

    private mutating func word(_ word: StaticString) throws(Problem) {
        let count = word.utf8CodeUnitCount
        guard text.count - position >= count, memcmp(text.baseAddress! + position, word.utf8Start, count) == 0 else {
            throw Problem("an unknown word at byte \(position)")
        }
        position += count
    }

    private mutating func number() throws(Problem) -> UnsafeRawBufferPointer {
        skipSpace()
        let start = position
        while position < text.count, JSONScanner.isNumeric(text[position]) { position += 1 }
        guard position > start else { throw Problem("not a number at byte \(position)") }
        return UnsafeRawBufferPointer(rebasing: text[start..<position])
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func skipSpace() {
        while position < text.count, case let byte = text[position], byte == 32 || (9...10 ~= byte) || byte == 13 {
            position += 1
        }
    }

    /// Name of a member, for comparison with known names.
    struct Name {
        let bytes: UnsafeRawBufferPointer

        static func == (name: Name, text: StaticString) -> Bool {
            name.bytes.count == text.utf8CodeUnitCount
                && memcmp(name.bytes.baseAddress!, text.utf8Start, name.bytes.count) == 0
        }

        static func ~= (text: StaticString, name: Name) -> Bool { name == text }
    }
}
