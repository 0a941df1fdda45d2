import JSON
import Messages
import Model
import Engine

/// Estimator state as one JSON object. Its words are in little-endian order and encoded as base64 text.
enum EstimatorStateMessage {
    typealias Problem = JSONScanner.Problem

    /// Appends one object.
    ///
    /// - Parameter time: time of the state.
    static func write(_ state: EstimatorState, at time: BootTime, into json: inout JSONWriter) {
        json.object { json in
            json.member("version", Release.version)
            json.member("layout", String(state.layout, radix: 16))
            json.member("time", time.message)
            json.member("utcOffset", state.utcOffset)
            json.member("state", String(decoding: Base64.encoded(state.words), as: UTF8.self))
        }
    }

    /// Reads a state; skips unknown members. Only the estimator can check the words.
    static func read(_ text: UnsafeRawBufferPointer) throws(Problem) -> EstimatorState {
        var scanner = JSONScanner(text)
        var (layout, words, utcOffset): (UInt64?, [UInt64]?, Int64?)
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "layout":
                layout = UInt64(String(decoding: try value.string(), as: UTF8.self), radix: 16)
                guard layout != nil else { throw Problem("a layout that is no number to the base 16") }
            case "utcOffset": utcOffset = try value.integer()
            case "state":
                words = Base64.words(try value.string(), maximum: EstimatorState.maximumWordCount)
                guard words != nil else { throw Problem("a state that is no base64 of words, or too long") }
            default: try value.skip()
            }
        }
        try scanner.end()
        return EstimatorState(
            layout: try layout.need("layout"), words: try words.need("state"), utcOffset: utcOffset)
    }
}

/// Base64 encoding (RFC 4648, section 4) of bytes and of little-endian 64-bit words.
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    /// Value of each byte as a base64 digit; 64 if the byte is not a digit.
    private static let values: [UInt8] = (UInt8.min...UInt8.max).map { UInt8(digits.firstIndex(of: $0) ?? 64) }

    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: encoded(bytes.count) { bytes[$0] }, as: UTF8.self)
    }

    static func encoded(_ words: [UInt64]) -> [UInt8] {
        encoded(words.count * 8) { UInt8(truncatingIfNeeded: words[$0 >> 3] >> UInt64(($0 & 7) * 8)) }
    }

    private static func encoded(_ bytes: Int, _ source: (Int) -> UInt8) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes + 2) / 3 * 4)
        func byte(_ index: Int) -> UInt32 { index < bytes ? UInt32(source(index)) : 0 }
        for index in stride(from: 0, to: bytes, by: 3) {
            let group = byte(index) << 16 | byte(index + 1) << 8 | byte(index + 2)
            for shift in stride(from: UInt32(24), to: 0, by: -6) { text.append(digits[Int(group >> (shift - 6) & 63)]) }
        }
        for index in 0..<((3 - bytes % 3) % 3) { text[text.count - 1 - index] = padding }
        return text
    }

    /// Decodes words; nil if the text is not valid base64, has a partial word, or has more than `maximum` words.
    static func words(_ text: UnsafeRawBufferPointer, maximum: Int) -> [UInt64]? {
        guard text.count % 4 == 0, text.count <= (maximum * 8 + 2) / 3 * 4 else { return nil }
        let pads = text.suffix(2).count { $0 == padding }
        let bytes = text.count / 4 * 3 - pads
        guard bytes % 8 == 0 else { return nil }
        var words = [UInt64](repeating: 0, count: bytes / 8)
        for index in 0..<(text.count - pads) {
            let value = values[Int(text[index])]
            guard value < 64 else { return nil }
            // Each digit has six bits, most significant first.
            for bit in 0..<6 where value >> (5 - bit) & 1 == 1 {
                let place = index * 6 + bit
                guard place < bytes * 8 else { return nil }
                let (byte, bitOfByte) = (place >> 3 & 7, 7 - place & 7)
                words[place >> 6] |= 1 << UInt64(byte * 8 + bitOfByte)
            }
        }
        return words
    }
}
