/// Fields in protobuf's wire format. Source: protobuf.dev, "Encoding".
struct ProtobufBuffer: Sendable {
    private(set) var bytes: [UInt8] = []

    private enum WireType: Int {
        case varint = 0
        case fixed64 = 1
        case length = 2
        case fixed32 = 5
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Appends an integer, flag or choice.
    mutating func varint(_ field: Int, _ value: some BinaryInteger) {
        tag(field, .varint)
        // Negative numbers have all ten bytes.
        append(varint: UInt64(truncatingIfNeeded: value))
    }

    mutating func fixed(_ field: Int, _ value: UInt32) {
        tag(field, .fixed32)
        append(value)
    }

    mutating func number(_ field: Int, _ value: Double) {
        tag(field, .fixed64)
        append(value.bitPattern)
    }

    mutating func numbers(_ field: Int, _ values: [Double]) {
        tag(field, .length)
        append(varint: UInt64(values.count * 8))
        for value in values { append(value.bitPattern) }
    }

    mutating func text(_ field: Int, _ value: String) {
        tag(field, .length)
        append(varint: UInt64(value.utf8.count))
        bytes += value.utf8
    }

    /// Appends a nested message.
    mutating func message(_ field: Int, _ body: (inout ProtobufBuffer) -> Void) {
        let start = begin(field)
        body(&self)
        end(start)
    }

    /// Begins a nested message; returns the argument for `end`.
    mutating func begin(_ field: Int) -> Int {
        tag(field, .length)
        return bytes.count
    }

    /// Ends a nested message and inserts its length before it.
    mutating func end(_ start: Int) {
        let size = bytes.count - start
        append(varint: UInt64(size))
        let digits = Array(bytes[(start + size)...])
        bytes.removeLast(digits.count)
        bytes.insert(contentsOf: digits, at: start)
    }

    private mutating func tag(_ field: Int, _ type: WireType) { append(varint: UInt64(field << 3 | type.rawValue)) }

    private mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
