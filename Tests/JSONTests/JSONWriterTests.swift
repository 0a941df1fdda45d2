import Foundation
import JSON
import Testing

@Suite("JSON")
struct JSONWriterTests {
    private func parse(_ json: JSONWriter) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(json.bytes), options: .fragmentsAllowed)
    }

    @Test("commas stand between members and elements and nowhere else")
    func commas() throws {
        var json = JSONWriter()
        json.beginObject()
        json.key("empty")
        json.beginArray()
        json.endArray()
        json.key("nested")
        json.beginArray()
        json.beginObject()
        json.member("a", Int64(1))
        json.member("b", nil as Double?, .exact)
        json.member("c", true)
        json.endObject()
        json.beginObject()
        json.endObject()
        json.value(2.5, .fixed(1))
        json.value("{")
        json.value("[:")
        json.endArray()
        json.member("last", "x" as String)
        json.endObject()
        let expected = #"{"empty":[],"nested":[{"a":1,"c":true},{},2.5,"{","[:"],"last":"x"}"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
        #expect(try parse(json) is [String: Any])
    }

    @Test(
        "a number that is not finite is left out, and one that is required is reported",
        arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(number: Double) throws {
        var json = JSONWriter()
        json.beginObject()
        json.member("a", Optional(number), .exact)
        json.member("b", Optional([1, number]), .exact)
        json.member("c", rows: Optional([[number]]), .exact)
        json.member("d", Optional(number), decimals: 3)
        #expect(json.hasOmittedNumber && !json.lacksNumber)
        json.member("e", number, .exact)
        #expect(json.lacksNumber)
        json.member("f", [number], .exact)
        json.member("g", rows: [[1], [number]], .exact)
        json.member("h", number, decimals: 3)
        json.key("i")
        json.value(number, .fixed(2))
        json.endObject()
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"i":null}"#)
        json.removeAll()
        #expect(!json.lacksNumber && !json.hasOmittedNumber)
        json.text.append(number, decimals: 9)
        json.text.append(exact: number)
        #expect(json.bytes.isEmpty)
    }

    @Test("every character comes back, and none of the control characters stands bare")
    func strings() throws {
        let text = String(String.UnicodeScalarView((0..<0x300).compactMap(Unicode.Scalar.init))) + "\u{2028}😀\u{10FFFF}"
        var json = JSONWriter()
        json.value(text)
        #expect(try parse(json) as? String == text)
        #expect(json.bytes.allSatisfy { $0 >= 32 && $0 != 127 })
    }

    @Test("what could mislead a terminal or a reader is escaped, and its neighbours are not")
    func misleading() throws {
        let bare = "a\u{A0}é\u{61B}\u{200D}–\u{2027}\u{202F}\u{2065}\u{206A}€z"
        let escaped = "\u{80}\u{9B}\u{9F}\u{61C}\u{200E}\u{200F}\u{2028}\u{202E}\u{2066}\u{2069}"
        var json = JSONWriter()
        json.value(bare + escaped + bare + escaped)
        #expect(try parse(json) as? String == bare + escaped + bare + escaped)
        let written = String(decoding: json.bytes, as: UTF8.self)
        #expect(written.contains(bare) && written.contains(#"\u009b"#) && written.contains(#"\u202e"#))
        #expect(written.unicodeScalars.allSatisfy { !escaped.unicodeScalars.contains($0) })
    }

    @Test("bytes that are no UTF-8 become replacement characters")
    func invalidUTF8() throws {
        var json = JSONWriter()
        json.value(utf8: [0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80] as [UInt8])
        let text = try #require(try parse(json) as? String)
        #expect(text.hasPrefix("a\u{FFFD}\u{FFFD}(") && !text.contains("\0"))
    }

    @Test(
        "an instant as RFC 3339",
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"), (951_827_696_123_456_789, "2000-02-29T12:34:56.123456Z"),
            (-1000, "1969-12-31T23:59:59.999999Z"), (1_782_000_000_500_000_000, "2026-06-21T00:00:00.500000Z"),
            (.max, "2262-04-11T23:47:16.854775Z"), (4_107_542_399_000_000_000, "2100-02-28T23:59:59.000000Z"),
        ] as [(Int64, String)])
    func instants(nanoseconds: Int64, expected: String) {
        var text = TextBuffer()
        text.append(rfc3339: nanoseconds)
        #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
    }

    @Test("a date agrees with Foundation's calendar on every day of four centuries")
    func dates() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        for day in stride(from: -100_000, through: 105_000, by: 7) {
            var text = TextBuffer()
            text.append(rfc3339: Int64(day) * 86_400_000_000_000)
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let expected = String(format: "%04d-%02d-%02d", parts.year!, parts.month!, parts.day!)
            #expect(String(decoding: text.bytes.prefix(10), as: UTF8.self) == expected)
        }
    }

    @Test(
        "the first and the last instant of 64 bits are dates",
        arguments: [
            (Int64.min, "1677-09-21T00:12:43.145224Z"), (-1, "1969-12-31T23:59:59.999999Z"),
            (0, "1970-01-01T00:00:00.000000Z"), (Int64.max, "2262-04-11T23:47:16.854775Z"),
        ])
    func bounds(nanoseconds: Int64, text: String) {
        var buffer = TextBuffer(capacity: 64)
        buffer.append(rfc3339: nanoseconds)
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == text)
    }
}
