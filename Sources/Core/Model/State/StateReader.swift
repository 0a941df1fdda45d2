import Geometry

/// Reason why a state cannot be read.
package enum StateFlaw: Error {
    /// The member named by `StateReader.member` has an impossible value.
    case impossible
    /// There are fewer words than members.
    case tooShort
    /// A part that is not saved was not provided to the reader.
    case notGiven
    /// The value can be encoded only in a state.
    case otherCoder
}

/// State whose members must be consistent.
package protocol CheckedState {
    /// Restores derived members, and returns whether the decoded members are consistent and possible.
    mutating func settle() -> Bool
}

/// Decoder for the output of `StateWriter`. It can instead hash the names and kinds of all members.
///
/// The input comes from a file and may contain anything. Every number must be finite and within limits, every count
/// must fit its array, and every case of an enumeration must be defined. Reading stops at the first error.
package final class StateReader: Decoder {
    /// Name of the member being read.
    package private(set) var member = "state"
    /// FNV-1a hash, with 64 bits, of the names and kinds that have been described so far.
    package private(set) var layout: UInt64 = 0xCBF2_9CE4_8422_2325
    /// Settings and other parts that are not saved with the state. A value that contains such a part gets the first one
    /// here that has its type.
    package var unsaved: [any Unsaved] = []
    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    private let words: [UInt64]
    private var next = 0
    /// Offset added to each decoded time. Unit: nanoseconds.
    private let timeShift: Int64
    /// Whether the decoder hashes names and kinds instead of reading words. All members, including optional ones, then
    /// get blank values.
    let isDescribing: Bool

    /// Largest magnitude of a number. Covariances are at most 1e12, and a product of three numbers of this magnitude
    /// stays finite.
    private static let maximum = 1e16
    /// Range of counts that only increase. It is far from any overflow.
    private static let counts: ClosedRange<UInt64> = 0...(1 << 48)

    /// Makes a decoder of words.
    ///
    /// - Parameter timeShift: offset added to each time. Unit: nanoseconds.
    package init(_ words: [UInt64], timeShift: Int64) {
        (self.words, self.timeShift, isDescribing) = (words, timeShift, false)
    }

    private init() { (words, timeShift, isDescribing) = ([], 0, true) }

    /// Makes a decoder that hashes names and kinds.
    package static func describing() -> StateReader { StateReader() }

    package var isComplete: Bool { next == words.count }

    // MARK: Values

    package func read<Value: Decodable>(_ name: String) throws -> Value {
        enter(name)
        return try read(Value.self)
    }

    package func readIfPresent<Value: Decodable>(_ name: String) throws -> Value? {
        enter(name)
        return try flag() ? read(Value.self) : nil
    }

    private func enter(_ name: String) {
        member = name
        if isDescribing { hash(name) }
    }

    /// Reads a value as a part of the current member.
    func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
        switch type {
        case is Double.Type: try number() as! Value
        case is Vector3.Type: try vector() as! Value
        case is SIMD4<Double>.Type: try SIMD4(number(), number(), number(), number()) as! Value
        case is BootTime.Type: try time() as! Value
        case is Bool.Type: try flag() as! Value
        case is Float.Type: try Float(number()) as! Value
        case is Int.Type: try Int(integer(Self.counts)) as! Value
        case is UInt8.Type: try UInt8(integer(0...0xFF)) as! Value
        case is UInt16.Type: try UInt16(integer(0...0xFFFF)) as! Value
        case is UInt32.Type: try UInt32(integer(0...0xFFFF_FFFF)) as! Value
        // A count of this range never overflows.
        case is UInt64.Type: try integer(0...(1 << 62)) as! Value
        case is String.Type: "" as! Value
        default: try composed(type)
        }
    }

    private func composed<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let name = member
        if isDescribing {
            hash("{")
            if let cases = type as? any CaseIterable.Type { hash(String(Self.count(cases))) }
        }
        let value = try Value(from: self)
        if isDescribing { hash("}") }
        guard !isDescribing, var checked = value as? any CheckedState else { return value }
        member = name
        try require(checked.settle())
        return checked as! Value
    }

    private static func count<Cases: CaseIterable>(_ type: Cases.Type) -> Int { type.allCases.count }

    func number() throws -> Double {
        let read = Double(bitPattern: try word("number"))
        try require(read.magnitude <= Self.maximum)
        return read
    }

    private func vector() throws -> Vector3 { try Vector3(number(), number(), number()) }

    private func integer(_ range: ClosedRange<UInt64>) throws -> UInt64 {
        let read = try word("integer")
        try require(range.contains(read))
        return read
    }

    func flag() throws -> Bool {
        if isDescribing { return try word("flag") == 0 }
        let read = try word("flag")
        try require(read <= 1)
        return read == 1
    }

    private func time() throws -> BootTime {
        let read = Int64(bitPattern: try word("time"))
        let (shifted, overflow) = read.addingReportingOverflow(timeShift)
        let limit = MeasurementRange.time
        try require(read.magnitude <= limit && !overflow && shifted.magnitude <= limit)
        return BootTime(nanoseconds: shifted)
    }

    /// Reads the number of elements that follow, each of which has at least one word. Returns one while describing.
    fileprivate func elementCount() throws -> Int {
        let count = try integer(0...UInt64(words.count))
        return isDescribing ? 1 : Int(count)
    }

    /// Throws an error about the current member unless a condition holds.
    func require(_ condition: Bool) throws {
        if !condition, !isDescribing { throw StateFlaw.impossible }
    }

    /// Reads the next word; all words pass through this function.
    private func word(_ kind: String) throws -> UInt64 {
        if isDescribing {
            hash(kind)
            return 0
        }
        guard next < words.count else { throw StateFlaw.tooShort }
        defer { next += 1 }
        return words[next]
    }

    // MARK: Description

    private func hash(_ text: String) {
        for byte in text.utf8 { hash(byte: byte) }
        hash(byte: 0)
    }

    private func hash(byte: UInt8) { layout = (layout ^ UInt64(byte)) &* 0x100_0000_01B3 }

    // MARK: Decoder

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ReadMembers(reader: self))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ReadElements(reader: self, count: try elementCount())
    }

    package func singleValueContainer() -> any SingleValueDecodingContainer { ReadValue(reader: self) }
}

extension Decoder {
    var state: StateReader {
        get throws {
            guard let reader = self as? StateReader else { throw StateFlaw.otherCoder }
            return reader
        }
    }
}

/// Members of a value, one after the other.
private struct ReadMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let reader: StateReader
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    /// The standard library calls this function only for an optional member whose type has no `decodeIfPresent` below.
    func contains(_ key: Key) -> Bool { preconditionFailure("\(key.stringValue) is optional, of another type") }
    func decodeNil(forKey key: Key) throws -> Bool { try !reader.flag() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try reader.read(key.stringValue)
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try reader.readIfPresent(key.stringValue)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try reader.readIfPresent(key.stringValue)
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try reader.readIfPresent(key.stringValue)
    }

    func nestedContainer<Other: CodingKey>(keyedBy type: Other.Type, forKey key: Key) -> KeyedDecodingContainer<Other> {
        reader.container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try reader.unkeyedContainer()
    }
    func superDecoder() -> any Decoder { reader }
    func superDecoder(forKey key: Key) -> any Decoder { reader }
}

/// Value of an enumeration.
private struct ReadValue: SingleValueDecodingContainer {
    let reader: StateReader
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try reader.read(type) }
}

/// Elements of an array.
private struct ReadElements: UnkeyedDecodingContainer {
    let reader: StateReader
    let count: Int?
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var isAtEnd: Bool { currentIndex == count }

    init(reader: StateReader, count: Int?) { (self.reader, self.count) = (reader, count) }

    func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        currentIndex += 1
        return try reader.read(type)
    }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        reader.container(keyedBy: type)
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try reader.unkeyedContainer() }
    func superDecoder() -> any Decoder { reader }
}
