/// Writes JSON into a reusable byte buffer. Once the buffer has reached its size, the writer allocates nothing.
///
/// The caller opens and closes objects and arrays in pairs; commas are added automatically. Because JSON numbers are
/// always finite, a member with any other number is left out. `lacksNumber` is true if the member was required.
public struct JSONWriter: Sendable {
    /// Text written so far; callers may append JSON that they have formatted themselves.
    public var text: TextBuffer
    /// Precision of numbers that are written with a `decimals` argument.
    public var precision: NumberPrecision
    /// Offsets in the text that the writer of a value has marked for later insertions. They are removed together with
    /// the text.
    public private(set) var marks: [Int] = []

    /// Makes an empty writer, with memory reserved for `capacity` bytes.
    public init(capacity: Int = 0, precision: NumberPrecision = .rounded) {
        text = TextBuffer(capacity: capacity)
        self.precision = precision
    }

    /// JSON written so far, in UTF-8.
    @inlinable
    public var bytes: [UInt8] { text.bytes }

    /// Whether a member was left out because a number in it is not finite.
    public internal(set) var hasOmittedNumber = false
    /// Whether a required number is not finite, so that the text does not match its interface.
    public internal(set) var lacksNumber = false

    /// Empties the text and keeps its memory.
    public mutating func removeAll() {
        text.removeAll()
        marks.removeAll(keepingCapacity: true)
        hasOmittedNumber = false
        lacksNumber = false
    }

    /// Marks the end of the text so far.
    public mutating func mark() { marks.append(text.count) }

    /// Begins an object, as a value of its own or as the next element.
    public mutating func beginObject() {
        separate()
        text.append(UInt8(ascii: "{"))
    }

    /// Ends the object that was begun last.
    public mutating func endObject() { text.append(UInt8(ascii: "}")) }

    /// Begins an array, as a value of its own or as the next element.
    public mutating func beginArray() {
        separate()
        text.append(UInt8(ascii: "["))
    }

    /// Ends the array that was begun last.
    public mutating func endArray() { text.append(UInt8(ascii: "]")) }

    /// Writes the name of a member, in plain ASCII without quotes or backslashes; its value follows.
    public mutating func key(_ name: StaticString) {
        beginText()
        text.append(name)
        text.append("\":")
    }

    /// Writes the name of a member with any characters; its value follows.
    public mutating func key(text: String) {
        value(text)
        self.text.append(UInt8(ascii: ":"))
    }

    /// Writes an integer.
    public mutating func value(_ value: Int64) {
        separate()
        text.append(value)
    }

    /// Writes `true` or `false`.
    public mutating func value(_ value: Bool) {
        separate()
        text.append(value ? "true" : "false")
    }

    /// Writes a number. If it is not finite, writes `null` and sets `lacksNumber`.
    public mutating func value(_ value: Double, _ form: NumberForm) {
        separate()
        guard value.isFinite else {
            lacksNumber = true
            return text.append("null")
        }
        switch form {
        case .exact: text.append(exact: value)
        case .fixed(let decimals): text.append(value, decimals: decimals)
        }
    }

    /// Writes a text. Escapes control characters, so that the output contains no NUL and no line break. Also escapes
    /// characters that could mislead a terminal or a reader: the C1 controls, and characters that change the direction
    /// of text.
    public mutating func value(_ string: String) {
        beginText()
        var string = string
        string.withUTF8 { appendEscaped($0) }
        endText()
    }

    /// Appends text in pieces between characters that need an escape; usually there is a single piece.
    private mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for (index, byte) in bytes.enumerated() where JSONWriter.isEscaped(byte) {
            if byte < 0x80 {
                text.append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
                escape(byte)
                start = index + 1
            } else if let (code, length) = JSONWriter.misleading(bytes[index...]) {
                text.append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
                escape(code: code)
                start = index + length
            }
        }
        text.append(UnsafeBufferPointer(rebasing: bytes[start...]))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
            || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
    }

    /// Returns the first character of these UTF-8 bytes, as code point and length in bytes, if it is a control of C1
    /// (U+0080 to U+009F), separates lines or paragraphs (U+2028, U+2029), or changes the direction of text (U+061C,
    /// U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069); otherwise nil.
    private static func misleading(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> (code: UInt16, length: Int)? {
        let first = bytes.startIndex
        switch (bytes[first], bytes.count) {
        case (0xC2, 2...):
            return bytes[first + 1] < 0xA0 ? (UInt16(bytes[first + 1]), 2) : nil
        case (0xD8, 2...):
            return bytes[first + 1] == 0x9C ? (0x061C, 2) : nil
        case (0xE2, 3...):
            let code = 0x2000 | UInt16(bytes[first + 1] & 0x3F) << 6 | UInt16(bytes[first + 2] & 0x3F)
            switch code {
            case 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: return (code, 3)
            default: return nil
            }
        default: return nil
        }
    }

    /// Writes a constant string in plain ASCII, without quotes or backslashes.
    public mutating func value(_ word: StaticString) {
        beginText()
        text.append(word)
        endText()
    }

    /// Begins a string. The caller appends its bytes to `text`, none of which may need an escape in JSON.
    mutating func beginText() {
        separate()
        text.append(UInt8(ascii: "\""))
    }

    mutating func endText() { text.append(UInt8(ascii: "\"")) }

    /// Writes text from outside, such as a device name; invalid UTF-8 becomes U+FFFD.
    public mutating func value(utf8 bytes: some Collection<UInt8>) { value(String(decoding: bytes, as: UTF8.self)) }

    /// Writes formatted JSON unchanged.
    public mutating func value(json: some Collection<UInt8>) {
        separate()
        text.append(json)
    }

    /// Appends a comma unless the text is empty or ends with `{`, `[` or `:`.
    private mutating func separate() {
        switch text.bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: text.append(UInt8(ascii: ","))
        }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): text.append("\\\"")
        case UInt8(ascii: "\\"): text.append("\\\\")
        case UInt8(ascii: "\n"): text.append("\\n")
        case UInt8(ascii: "\r"): text.append("\\r")
        case UInt8(ascii: "\t"): text.append("\\t")
        default: escape(code: UInt16(byte))
        }
    }

    private mutating func escape(code: UInt16) {
        text.append("\\u")
        for shift in [12, 8, 4, 0] { text.append(JSONWriter.hexadecimal(UInt8(code >> shift & 15))) }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}

/// Number of digits that a number is written with.
@frozen
public enum NumberForm: Hashable, Sendable {
    /// Fewest digits that read back as the same bits.
    case exact
    /// Fixed number of digits (0 to 9) after the point.
    case fixed(Int)
}

/// Whether numbers are rounded.
@frozen
public enum NumberPrecision: Hashable, Sendable {
    /// Rounded to the decimals that the caller gives.
    case rounded
    /// Fewest digits that read back as the same bits, whatever decimals the caller gives.
    case exact

    /// Returns the form of a number that has this many decimals when rounded.
    @inlinable
    public func form(decimals: Int) -> NumberForm { self == .exact ? .exact : .fixed(decimals) }
}

/// Writes a member and its value in one call. Leaves the member out if the value is nil.
extension JSONWriter {
    /// Writes a member that is an integer; nil is left out.
    public mutating func member(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        key(name)
        self.value(value)
    }

    /// Writes a member that is `true` or `false`; nil is left out.
    public mutating func member(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        key(name)
        self.value(value)
    }

    /// Writes a member that is a string, escaped; nil is left out.
    public mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        key(name)
        self.value(value)
    }

    /// Writes a member that is a constant string, which needs no escapes.
    public mutating func member(_ name: StaticString, word: StaticString) {
        key(name)
        value(word)
    }

    /// Writes a required member that is a number. If the number is not finite, leaves the member out and sets
    /// `lacksNumber`.
    public mutating func member(_ name: StaticString, _ value: Double, _ form: NumberForm) {
        lacksNumber = lacksNumber || !value.isFinite
        member(name, Optional(value), form)
    }

    /// Writes a member that is a number. Leaves it out if the number is nil or not finite.
    public mutating func member(_ name: StaticString, _ value: Double?, _ form: NumberForm) {
        guard let value else { return }
        guard value.isFinite else { return hasOmittedNumber = true }
        key(name)
        self.value(value, form)
    }
}
