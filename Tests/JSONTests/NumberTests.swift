import Foundation
import JSON
import TestTools
import Testing

@Suite("Numbers as text")
struct NumberTests {
    private func text(_ fill: (inout TextBuffer) -> Void) -> String {
        var buffer = TextBuffer()
        fill(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    private func parse<Value>(_ text: String, _ read: (UnsafeRawBufferPointer) -> Value) -> Value {
        Array(text.utf8).withUnsafeBytes { read($0) }
    }

    @Test("any double reads back from its exact form with the same bits")
    func exactForm() {
        var generator = SplitMix(seed: 1)
        let special: [Double] = [
            0, -0.0, 1, -1, .pi, .ulpOfOne, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
            1e21, 1e22, 1e-7, 123_456_789.123_456_79, 9_007_199_254_740_992,
        ]
        let random = (0..<20_000).map { _ in Double(bitPattern: generator.next()) }.filter(\.isFinite)
        for value in special + random {
            let form = text { $0.append(exact: value) }
            #expect(parse(form, NumberParser.double)?.bitPattern == value.bitPattern, "\(form)")
            #expect(form.utf8.count <= 24)
        }
    }

    @Test(
        "a fixed count of decimals, never a negative zero",
        arguments: [
            (1.5, 2, "1.50"), (0, 0, "0"), (-0.0, 3, "0.000"), (-0.0004, 3, "0.000"), (-0.0006, 3, "-0.001"),
            (0.05, 1, "0.1"), (12345.678, 1, "12345.7"), (-105.147_166_5, 9, "-105.147166500"), (1e300, 6, "1e+300"),
            (999_999.999_999_9, 6, "1000000.000000"),
        ])
    func fixedForm(value: Double, decimals: Int, expected: String) {
        #expect(text { $0.append(value, decimals: decimals) } == expected)
    }

    @Test("fixed decimals are as near as they say")
    func fixedFormIsNear() {
        var generator = SplitMix(seed: 2)
        for _ in 0..<10_000 {
            let value = Double.random(in: -1e5...1e5, using: &generator)
            let form = text { $0.append(value, decimals: 6) }
            // Half a unit of the last digit and the rounding of the product.
            #expect(abs((Double(form) ?? .infinity) - value) <= 0.500_1e-6, "\(form)")
        }
    }

    @Test(
        "seconds become nanoseconds to the last digit and come back",
        arguments: [
            ("0.000000001", 1), ("-0.001250", -1_250_000), ("701.046137158", 701_046_137_158), ("12", 12_000_000_000),
            (".5", 500_000_000), ("5.", 5_000_000_000), ("999999999.123456789", 999_999_999_123_456_789),
            ("552.0859999656677", 552_085_999_966), ("1e-05", 10_000), ("-0", 0),
        ] as [(String, Int64)])
    func nanoseconds(form: String, expected: Int64) {
        #expect(parse(form, NumberParser.nanoseconds) == expected)
        let written = text { $0.append(seconds: expected) }
        #expect(parse(written, NumberParser.nanoseconds) == expected)
    }

    @Test("what is no number is refused", arguments: ["", "-", ".", "1.2.3", "1,5", "12x", " 1", "0x10", "1e999"])
    func refused(form: String) {
        #expect(parse(form, NumberParser.double) == nil)
        #expect(parse(form, NumberParser.nanoseconds) == nil)
        #expect(parse(form, NumberParser.integer) == nil)
    }

    @Test(
        "times beyond 292 years and not finite ones are refused", arguments: ["1e10", "-9999999999999", "nan", "inf"])
    func timesOutOfRange(form: String) {
        #expect(parse(form, NumberParser.nanoseconds) == nil)
    }
}
