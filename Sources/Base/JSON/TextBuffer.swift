import CNumber

/// Growing, reusable buffer of text. Once it has reached its size, it allocates nothing.
public struct TextBuffer: Sendable {
    /// Text so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []

    /// Makes an empty buffer, with memory reserved for `capacity` bytes.
    public init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// Length of the text. Unit: bytes.
    @inlinable
    public var count: Int { bytes.count }

    /// Empties the buffer and keeps its memory.
    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Shortens the text to its first `count` bytes.
    public mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

    /// Appends one byte of UTF-8.
    public mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Appends a literal.
    public mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends bytes of UTF-8 as they are.
    public mutating func append(_ text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

    /// Appends an integer in decimal digits.
    public mutating func append(_ value: Int64) {
        appendNumber { waymark_number_integer(value, $0) }
    }

    /// Appends a number with a fixed number (0 to 9) of digits after the point. Appends nothing if the number is not
    /// finite.
    public mutating func append(_ value: Double, decimals: Int) {
        precondition((0...9).contains(decimals))
        guard value.isFinite else { return }
        appendNumber { waymark_number_fixed(value, Int32(decimals), $0) }
    }

    /// Appends a number with the fewest digits that read back as the same bits. Appends nothing if the number is not
    /// finite.
    public mutating func append(exact value: Double) {
        guard value.isFinite else { return }
        appendNumber { waymark_number_shortest(value, $0) }
    }

    /// Appends nanoseconds as seconds with nine decimals, exactly.
    public mutating func append(seconds nanoseconds: Int64) {
        let magnitude = nanoseconds.magnitude
        if nanoseconds < 0 { append(UInt8(ascii: "-")) }
        append(Int64(magnitude / 1_000_000_000))
        append(UInt8(ascii: "."))
        var divisor: UInt64 = 100_000_000
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(magnitude / divisor % 10))
            divisor /= 10
        }
    }

    /// Appends the text that `format` writes into a buffer; `format` returns the length of the text.
    private mutating func appendNumber(_ format: (UnsafeMutablePointer<CChar>?) -> Int) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(WAYMARK_NUMBER_ROOM)) { room in
            let length = format(room.baseAddress)
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<length]))
        }
    }
}
