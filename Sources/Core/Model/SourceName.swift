/// Name of a source of aiding measurements: 1 to 16 of the characters a–z, 0–9, `-`, `_` and `.`, the first a letter.
///
/// It is of a fixed size, so that a measurement is copied without counting references.
@frozen
public struct SourceName: Hashable, Sendable {
    /// Bytes of the name in ASCII, then zeros.
    private let bytes: SIMD16<UInt8>

    /// Largest number of characters.
    public static let longest = 16

    /// Makes a name of its text; nil for a text that is none.
    public init?(_ text: some StringProtocol) {
        // Each offer has a name: what is generic in the text would take longer than all else but its parsing.
        var text = String(text)
        guard let bytes = text.withUTF8(Self.bytes) else { return nil }
        self.bytes = bytes
    }

    private static func bytes(_ text: UnsafeBufferPointer<UInt8>) -> SIMD16<UInt8>? {
        guard (1...longest).contains(text.count), letters.contains(text[0]), text.allSatisfy(isAllowed) else {
            return nil
        }
        var bytes = SIMD16<UInt8>(repeating: 0)
        for (index, byte) in text.enumerated() { bytes[index] = byte }
        return bytes
    }

    private init(known text: StaticString) {
        var bytes = SIMD16<UInt8>(repeating: 0)
        for index in 0..<min(Self.longest, text.utf8CodeUnitCount) { bytes[index] = text.utf8Start[index] }
        self.bytes = bytes
    }

    /// Name of a camera whose recording names none.
    public static let camera = SourceName(known: "camera")
    /// Name of another source whose recording names none.
    public static let aid = SourceName(known: "aid")
    /// Name of the wearer, who points at things.
    public static let wearer = SourceName(known: "wearer")

    /// Text of the name.
    public var text: String {
        var text = ""
        for index in 0..<Self.longest where bytes[index] != 0 {
            text.unicodeScalars.append(Unicode.Scalar(bytes[index]))
        }
        return text
    }

    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let marks: Set<UInt8> = [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")]

    private static func isAllowed(_ byte: UInt8) -> Bool {
        letters.contains(byte) || digits.contains(byte) || marks.contains(byte)
    }
}
