import JSON

/// An instant in UTC. Messages contain it in the form of RFC 3339 with microseconds, such as
/// `2026-06-21T00:00:00.500000Z`.
public struct UTCTime: Hashable, Comparable, Sendable {
    /// Time since 1970-01-01 UTC, without leap seconds. Unit: nanoseconds.
    public var nanoseconds: Int64

    /// - Parameter nanoseconds: time since 1970-01-01 UTC, without leap seconds.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// True if `left` is the earlier time.
    public static func < (left: UTCTime, right: UTCTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Reads a time in the form of RFC 3339 that `description` writes; nil for any other text.
    ///
    /// - Parameter text: time in UTC, whose seconds may have up to nine decimals.
    public init?(_ text: some StringProtocol) {
        guard let parsed = Self.parse(Array(text.utf8)) else { return nil }
        nanoseconds = parsed
    }

    private static func parse(_ text: [UInt8]) -> Int64? {
        func number(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= text.count else { return nil }
            return text[range].withUnsafeBytes { digits in
                digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                    ? NumberParser.integer(digits) : nil
            }
        }
        let marks: [(Int, Character)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
        guard text.count >= 20, text.last == UInt8(ascii: "Z"),
            marks.allSatisfy({ text[$0.0] == $0.1.asciiValue }),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            let date = CivilDate(year: year, month: month, day: day),
            hour < 24, minute < 60, second < 60, let fraction = fraction(text[19..<(text.count - 1)])
        else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, tooLarge) = whole.addingReportingOverflow(fraction)
        return overflow || tooLarge ? nil : sum
    }

    /// Nanoseconds for a decimal point followed by one to nine digits; 0 for an empty text, and nil for any other.
    private static func fraction(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let point = text.first else { return 0 }
        let digits = text.dropFirst()
        guard point == UInt8(ascii: "."), (1...9).contains(digits.count) else { return nil }
        var value: Int64 = 0
        for index in 0..<9 {
            let digit = index < digits.count ? digits[digits.startIndex + index] : UInt8(ascii: "0")
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }
}

extension UTCTime: CustomStringConvertible {
    /// RFC 3339 with microseconds.
    public var description: String {
        var text = TextBuffer(capacity: 32)
        text.append(rfc3339: nanoseconds)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}

extension UTCTime: JSONReadable, JSONWritable {
    /// Reads a time from a string.
    public init(_ node: JSONNode) throws(DocumentProblem) {
        guard let time = UTCTime(try node.text()) else {
            throw node.problem("no time of RFC 3339 in UTC, such as 2026-06-21T00:00:00.500000Z")
        }
        self = time
    }

    /// Appends the time as a string.
    public func write(into json: inout JSONWriter) { json.value(rfc3339: nanoseconds) }
}
