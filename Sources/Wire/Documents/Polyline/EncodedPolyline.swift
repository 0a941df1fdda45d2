import Geometry

/// Google's encoded polyline format: differences of rounded degrees, latitude first, five bits per character.
///
/// The text does not contain its precision, so the caller has to state it.
public enum EncodedPolyline {
    /// Number of decimals of a degree.
    public enum Precision: Int, Hashable, Sendable, CaseIterable {
        /// Steps of about 1 m: used by Google, and by OSRM and Mapbox unless the request asks for another precision.
        case five = 5
        /// Steps of about 0.1 m: used by Valhalla, and in `polyline6` of OSRM and Mapbox.
        case six = 6

        /// Number of units in one degree.
        var scale: Double { self == .five ? 1e5 : 1e6 }
        var other: Precision { self == .five ? .six : .five }
    }

    /// Reason why a text is not an encoded polyline.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// Position in the text; the first character is at 0.
        public let character: Int
        /// Reason why the text is invalid at that character.
        public let message: String

        /// Position and reason.
        public var description: String { "character \(character): \(message)" }
    }

    /// Decodes the points of a text, in order; heights are 0.
    public static func decode(
        _ text: some Collection<UInt8>, precision: Precision, maximumPointCount: Int = .max
    ) throws(Problem) -> [GeodeticPosition] {
        var numbers = Numbers(text: text)
        var points: [GeodeticPosition] = []
        points.reserveCapacity(min(text.count / 4, maximumPointCount))
        var (latitude, longitude): (Int64, Int64) = (0, 0)
        while !numbers.isAtEnd {
            let start = numbers.character
            latitude += try numbers.next()
            guard !numbers.isAtEnd else {
                throw Problem(character: numbers.character, message: "the text ends after a latitude")
            }
            longitude += try numbers.next()
            guard points.count < maximumPointCount else {
                throw Problem(character: start, message: "more than \(maximumPointCount) points")
            }
            let degrees = (Double(latitude) / precision.scale, Double(longitude) / precision.scale)
            guard abs(degrees.0) <= 90, abs(degrees.1) <= 540,
                let point = GeodeticPosition(
                    latitudeDegrees: degrees.0, longitudeDegrees: degrees.1, ellipsoidalHeight: 0)
            else {
                throw Problem(
                    character: start,
                    message: """
                        point \(points.count) would lie at latitude \(degrees.0)°, longitude \(degrees.1)°, which is \
                        nowhere: precision \(precision.rawValue) is taken; is it \(precision.other.rawValue)?
                        """)
            }
            points.append(point)
        }
        return points
    }

    /// Encodes a line; heights are lost.
    public static func encode(_ points: some Sequence<GeodeticPosition>, precision: Precision) -> [UInt8] {
        var text: [UInt8] = []
        var (latitude, longitude): (Int64, Int64) = (0, 0)
        for point in points {
            let next = (
                Int64((point.latitudeDegrees * precision.scale).rounded()),
                Int64((point.longitudeDegrees * precision.scale).rounded())
            )
            append(next.0 - latitude, to: &text)
            append(next.1 - longitude, to: &text)
            (latitude, longitude) = next
        }
        return text
    }

    /// Whether all bytes are characters of an encoded polyline and suffice for two points.
    static func isPlausible(_ text: some Collection<UInt8>) -> Bool {
        text.count >= 4 && text.allSatisfy { (firstCharacter...lastCharacter).contains($0) }
    }

    private static let firstCharacter = UInt8(ascii: "?")
    private static let lastCharacter = UInt8(ascii: "~")

    /// Appends a difference. Its sign moves to the lowest bit, and then five bits are written at a time, the lowest
    /// first.
    private static func append(_ difference: Int64, to text: inout [UInt8]) {
        var rest = difference << 1
        if difference < 0 { rest = ~rest }
        while rest >= 0x20 {
            text.append(firstCharacter + UInt8(0x20 | (rest & 0x1F)))
            rest >>= 5
        }
        text.append(firstCharacter + UInt8(rest))
    }

    private struct Numbers<Text: Collection<UInt8>> {
        private var rest: Text.SubSequence
        private(set) var character = 0

        init(text: Text) { rest = text[...] }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func next() throws(Problem) -> Int64 {
            let start = character
            var value: Int64 = 0
            // 360° in units of 1e-6 degrees and a sign take 30 bits, so the seven characters that are read here
            // suffice.
            for shift in stride(from: Int64(0), to: 35, by: 5) {
                guard let byte = rest.popFirst() else {
                    throw Problem(character: character, message: "the text ends inside of a number")
                }
                guard (firstCharacter...lastCharacter).contains(byte) else {
                    throw Problem(
                        character: character,
                        message: "a character that encoded polylines do not have, \(Self.name(byte))")
                }
                character += 1
                value |= Int64((byte - firstCharacter) & 0x1F) << shift
                if byte - firstCharacter < 0x20 { return value & 1 == 0 ? value >> 1 : ~(value >> 1) }
            }
            throw Problem(character: start, message: "a number that is larger than any on the earth")
        }

        private static func name(_ byte: UInt8) -> String {
            (0x21...0x7E).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
        }
    }
}
