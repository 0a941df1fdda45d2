/// Name of a source of aiding measurements: 1 to 16 of the characters a–z, 0–9, `-`, `_` and `.`, the first a letter.
///
/// The name has a fixed size, so that a measurement is copied without reference counting.
@frozen
public struct SourceName: Hashable, Sendable {
    /// Bytes of the name in ASCII, then zeros.
    private let bytes: SIMD16<UInt8>

    /// Largest number of characters.
    public static let maximumLength = 16

    /// Makes a name from its text; nil for an invalid text.
    public init?(_ text: some StringProtocol) {
        // Every measurement from another program has a name. Generic code here would take longer than all other
        // processing except parsing.
        var text = String(text)
        guard let bytes = text.withUTF8(Self.bytes) else { return nil }
        self.bytes = bytes
    }

    private static func bytes(_ text: UnsafeBufferPointer<UInt8>) -> SIMD16<UInt8>? {
        guard (1...maximumLength).contains(text.count), letters.contains(text[0]), text.allSatisfy(isAllowed) else {
            return nil
        }
        var bytes = SIMD16<UInt8>(repeating: 0)
        for (index, byte) in text.enumerated() { bytes[index] = byte }
        return bytes
    }

    private init(known text: StaticString) {
        var bytes = SIMD16<UInt8>(repeating: 0)
        for index in 0..<min(Self.maximumLength, text.utf8CodeUnitCount) { bytes[index] = text.utf8Start[index] }
        self.bytes = bytes
    }

    /// Name of a camera in a recording that does not name the camera.
    public static let camera = SourceName(known: "camera")
    /// Name of any other source in a recording that does not name the source.
    public static let aid = SourceName(known: "aid")
    /// Name of the wearer, who is the source of sightings by hand.
    public static let wearer = SourceName(known: "wearer")

    /// Text of the name.
    public var text: String {
        var text = ""
        for index in 0..<Self.maximumLength where bytes[index] != 0 {
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
