import Configuration
import Testing

/// Small, seeded and the same everywhere (Steele, Lea, Flood 2014).
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Whether the text is refused; that the test survives is the greater part of what it shows.
private func isRefused(_ text: [UInt8]) -> Bool {
    do {
        _ = try Configuration.parse(text, file: "garbage")
        return false
    } catch {
        return !error.problems.isEmpty && error.problems.allSatisfy { !$0.description.utf8.contains(0) }
    }
}

/// A text that is described by its beginning: the whole of it would drown the test's log.
struct LongText: CustomTestStringConvertible {
    let text: String

    var testDescription: String { "\(text.prefix(16))… (\(text.utf8.count) bytes)" }
}

@Suite("Garbage in place of a configuration")
struct GarbageTests {
    @Test("random bytes are refused", arguments: 0..<20)
    func bytes(seed: UInt64) {
        var random = SplitMix64(state: seed)
        for _ in 0..<50 {
            // A # first would make a comment of the rest of the line.
            let text =
                [0x5B]
                + (0..<Int.random(in: 0..<4000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(isRefused(text))
        }
    }

    @Test("random pieces of TOML never crash the parser", arguments: 0..<20)
    func pieces(seed: UInt64) {
        let pieces = [
            "[", "]", "[[", "]]", "{", "}", "=", ",", ".", "\"", "'", "\"\"\"", "'''", "\\", "\\u0000", "\\U0010FFFF",
            "#",
            "\n", "\r\n", " ", "iio", "gnss", "port", "enabled", "0x", "0o7", "1e308", "-", "+", "inf", "nan",
            "1979-05-27",
            "T07:32:00Z", "true", "false", "_", "é", "\u{FEFF}", "9223372036854775808", "\0",
        ]
        var random = SplitMix64(state: seed)
        var refused = 0
        for _ in 0..<200 {
            let count = Int.random(in: 0..<60, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
            if isRefused(Array(text.utf8)) { refused += 1 }
        }
        #expect(refused > 100)
    }

    @Test(
        "what goes deep or long is refused, not followed",
        arguments: [
            String(repeating: "[", count: 500_000),
            "x = " + String(repeating: "[", count: 500_000),
            "x = " + String(repeating: "[\n", count: 300_000),
            "x = " + String(repeating: "{a=", count: 300_000),
            "[" + String(repeating: "a.", count: 500_000) + "a]",
            String(repeating: "a.", count: 500_000) + "a = 1",
            "\"#\"." + String(repeating: "a.", count: 500_000) + "a = 1",
            "x = " + String(repeating: "{" + String(repeating: "a.", count: 24) + "a = ", count: 250) + "1",
            "x = " + String(repeating: "9", count: 500_000),
            "x = 1e999999999",
            "x = 0x" + String(repeating: "F", count: 5000),
            String(repeating: "[[iio]]\n", count: 100_000),
            "x = \"" + String(repeating: "\\", count: 500_001),
        ].map(LongText.init))
    func deep(long: LongText) {
        #expect(isRefused(Array(long.text.utf8)))
    }

    @Test("bytes that are no UTF-8, and zeros, are refused")
    func encoding() {
        for bytes: [UInt8] in [
            [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0], [0xFF, 0xFE, 0x5B, 0],
        ] {
            #expect(isRefused(Array("[gnss]\nhost = \"".utf8) + bytes + Array("\"".utf8)))
            #expect(isRefused(Array("[gnss]\n".utf8) + bytes + Array(" = 1".utf8)))
        }
    }

    @Test("an empty file, blanks and comments are fine")
    func empty() throws {
        for text in ["", "\n\n", "# nothing ....................................", "\u{FEFF}\r\n \t# x\r\n[iio]"] {
            #expect(try Configuration.parse(Array(text.utf8), file: "empty") == Configuration())
        }
    }
}
