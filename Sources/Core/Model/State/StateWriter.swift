import Geometry

/// Encoder that writes the state of the estimator as a sequence of 64-bit words.
///
/// A word has neither a name nor a kind, because `StateReader` identifies each member by its position. Texts are
/// omitted, because no estimate depends on an identity or a version.
package final class StateWriter: Encoder {
    package fileprivate(set) var words: [UInt64] = []
    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    package init(capacity: Int) { words.reserveCapacity(capacity) }

    package func write<Value: Encodable>(_ value: Value) throws {
        switch Value.self {
        case is Double.Type: append(value as! Double)
        case is Vector3.Type: append(value as! Vector3)
        case is SIMD4<Double>.Type: for index in 0..<4 { append((value as! SIMD4<Double>)[index]) }
        case is BootTime.Type: words.append(UInt64(bitPattern: (value as! BootTime).nanoseconds))
        case is Bool.Type: words.append(value as! Bool ? 1 : 0)
        case is Float.Type: append(Double(value as! Float))
        case is Int.Type: words.append(UInt64(bitPattern: Int64(value as! Int)))
        case is UInt8.Type: words.append(UInt64(value as! UInt8))
        case is UInt16.Type: words.append(UInt64(value as! UInt16))
        case is UInt32.Type: words.append(UInt64(value as! UInt32))
        case is UInt64.Type: words.append(value as! UInt64)
        case is String.Type: break
        default: try value.encode(to: self)
        }
    }

    /// Writes an optional value, preceded by a flag.
    package func write<Value: Encodable>(_ value: Value?) throws {
        words.append(value == nil ? 0 : 1)
        if let value { try write(value) }
    }

    func append(_ number: Double) { words.append(number.bitPattern) }

    func append(_ vector: Vector3) {
        append(vector.x)
        append(vector.y)
        append(vector.z)
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(WrittenMembers(writer: self))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        words.append(0)
        return WrittenElements(writer: self, countIndex: words.count - 1)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer {
        WrittenElements(writer: self, countIndex: nil)
    }
}

extension Encoder {
    var state: StateWriter {
        get throws {
            guard let writer = self as? StateWriter else { throw StateFlaw.otherCoder }
            return writer
        }
    }
}

/// Members of a value, one after the other.
private struct WrittenMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: StateWriter
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { writer.words.append(0) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try writer.write(value) }

    // Without the first two functions, the standard library would call its own, which write nothing for nil.
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try writer.write(value) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try writer.write(value) }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws { try writer.write(value) }

    func nestedContainer<Other: CodingKey>(keyedBy type: Other.Type, forKey key: Key) -> KeyedEncodingContainer<Other> {
        writer.container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { writer.unkeyedContainer() }
    func superEncoder() -> any Encoder { writer }
    func superEncoder(forKey key: Key) -> any Encoder { writer }
}

/// Elements of an array, preceded by their count, or the value of an enumeration.
private struct WrittenElements: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    let writer: StateWriter
    /// Index of the word that holds the count; nil if there is no count.
    let countIndex: Int?
    var codingPath: [any CodingKey] { [] }
    var count: Int { countIndex.map { Int(writer.words[$0]) } ?? 0 }

    func encodeNil() { writer.words.append(0) }

    func encode<Value: Encodable>(_ value: Value) throws {
        if let countIndex { writer.words[countIndex] += 1 }
        try writer.write(value)
    }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        writer.container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { writer.unkeyedContainer() }
    func superEncoder() -> any Encoder { writer }
}
