import CNumber

/// Parses numbers strictly: returns nil unless the number takes up all of the bytes.
public enum NumberParser {
    /// Parses a decimal number. Accepts `nan` and `inf`, which the caller has to check.
    public static func double(_ text: UnsafeRawBufferPointer) -> Double? {
        guard let start = text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count > 0 else { return nil }
        var value = 0.0
        return waymark_number_parse(start, text.count, &value) == text.count ? value : nil
    }

    /// Parses an integer of decimal digits with an optional sign; nil if anything else is before or after it.
    public static func integer(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard let start = text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count > 0 else { return nil }
        var value: Int64 = 0
        return waymark_number_parse_integer(start, text.count, &value) == text.count ? value : nil
    }

    /// Parses decimal seconds as nanoseconds: exactly for up to nine decimals, rounded for more decimals and for
    /// numbers with an exponent.
    ///
    /// Returns nil for text that is not a finite number, and for times beyond 292 years.
    public static func nanoseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        exactNanoseconds(text) ?? roundedNanoseconds(text)
    }

    private static func roundedNanoseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard let seconds = double(text) else { return nil }
        return Int64(exactly: (seconds * 1e9).rounded())
    }

    /// Returns nil unless the text consists of digits, at most nine before and nine after the point.
    private static func exactNanoseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        var index = 0
        let negative = text.first == UInt8(ascii: "-")
        if negative { index = 1 }
        let whole = digits(text, &index)
        guard whole.count <= 9 else { return nil }
        var decimals = (value: Int64(0), count: 0)
        if index < text.count, text[index] == UInt8(ascii: ".") {
            index += 1
            decimals = digits(text, &index)
        }
        guard index == text.count, decimals.count <= 9, whole.count + decimals.count > 0 else { return nil }
        for _ in decimals.count..<9 { decimals.value *= 10 }
        let magnitude = whole.value * 1_000_000_000 + decimals.value
        return negative ? -magnitude : magnitude
    }

    private static func digits(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> (value: Int64, count: Int) {
        var value: Int64 = 0
        var count = 0
        while index < text.count, count < 10, case let digit = text[index] &- UInt8(ascii: "0"), digit < 10 {
            value = value * 10 + Int64(digit)
            count += 1
            index += 1
        }
        return (value, count)
    }
}
