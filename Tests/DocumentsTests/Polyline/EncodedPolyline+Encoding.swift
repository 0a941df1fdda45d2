import Documents
import Geometry

extension EncodedPolyline {
    /// Encodes a line; heights are lost.
    static func encode(_ points: some Sequence<GeodeticPosition>, precision: Precision) -> [UInt8] {
        let scale = precision == .five ? 1e5 : 1e6
        var text: [UInt8] = []
        var (latitude, longitude): (Int64, Int64) = (0, 0)
        for point in points {
            let next = (
                Int64((point.latitudeDegrees * scale).rounded()),
                Int64((point.longitudeDegrees * scale).rounded())
            )
            append(next.0 - latitude, to: &text)
            append(next.1 - longitude, to: &text)
            (latitude, longitude) = next
        }
        return text
    }

    private static let firstCharacter = UInt8(ascii: "?")

    /// The sign goes to the lowest bit; then five bits are written at a time, the lowest first.
    private static func append(_ difference: Int64, to text: inout [UInt8]) {
        var rest = difference << 1
        if difference < 0 { rest = ~rest }
        while rest >= 0x20 {
            text.append(firstCharacter + UInt8(0x20 | (rest & 0x1F)))
            rest >>= 5
        }
        text.append(firstCharacter + UInt8(rest))
    }
}
