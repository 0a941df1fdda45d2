import Geodesy
import JSON

/// Encoded lines of one response, whose precision is declared, usual for the service, or shown by where the line begins.
struct LineDecoder {
    private let precision: EncodedPolyline.Precision

    /// - Parameters:
    ///   - declared: precision that the caller states; nil where it states none.
    ///   - usual: of the service.
    ///   - first: the first line of the response; nil where none is encoded.
    ///   - start: where the response says that its route begins, beside the line; nil where it does not.
    /// - Throws: where the line does not begin near there with any precision that it may have.
    init(
        declared: EncodedPolyline.Precision?, usual: EncodedPolyline.Precision, first: JSONNode?,
        start: GeodeticPosition?
    ) throws(DocumentProblem) {
        guard let first, let start, let bytes = first.bytes, !bytes.isEmpty else {
            precision = declared ?? usual
            return
        }
        let taken = declared ?? usual
        let distance = Self.distance(from: start, to: bytes, taken)
        let otherDistance = Self.distance(from: start, to: bytes, taken.other)
        if distance <= Self.nearby && distance <= otherDistance {
            precision = taken
        } else if declared == nil && otherDistance <= Self.nearby {
            precision = taken.other
        } else if distance.isFinite && distance > Self.nearby {
            let hint =
                otherDistance <= Self.nearby
                ? "precision \(taken.rawValue) is declared; try \(taken.other.rawValue)"
                : "is it encoded with precision 5 or 6, latitude first?"
            throw first.problem("the line begins \(Int(distance / 1000)) km from where the route does: \(hint)")
        } else {
            // Decoding says what is wrong with it.
            precision = taken
        }
    }

    func points(of node: JSONNode) throws(DocumentProblem) -> [GeodeticPosition] {
        try node.require(.text)
        guard let bytes = node.bytes, !bytes.isEmpty else { throw node.problem("an empty line") }
        do throws(EncodedPolyline.Problem) {
            return try EncodedPolyline.decode(bytes, precision: precision, mostPoints: RouteDocument.mostVertices)
        } catch {
            throw node.problem(error.description)
        }
    }

    /// Largest distance by which a service moves a point to a way, and far less than ten times any latitude. Unit:
    /// metres.
    private static let nearby = 50_000.0

    private static func distance(
        from start: GeodeticPosition, to text: UnsafeRawBufferPointer, _ precision: EncodedPolyline.Precision
    ) -> Double {
        // No pair of numbers has more characters.
        guard let first = try? EncodedPolyline.decode(firstPair(text), precision: precision).first else {
            return .infinity
        }
        return RouteBuilder.distance(first, start)
    }

    private static func firstPair(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var numbers = 0
        for (index, byte) in text.enumerated() where byte < UInt8(ascii: "?") + 0x20 {
            numbers += 1
            if numbers == 2 { return UnsafeRawBufferPointer(rebasing: text[...index]) }
        }
        return text
    }
}
