import Geometry
import JSON

/// Decoder of the encoded polylines in one response. If the caller does not declare their precision, it is inferred
/// from the start of the route or, if that is unknown, is the default of the service.
struct LineDecoder {
    private let precision: EncodedPolyline.Precision

    /// - Parameters:
    ///   - declared: precision declared by the caller, if any.
    ///   - usual: default precision of the service.
    ///   - first: first encoded line of the response, if any.
    ///   - start: start of the route, if the response states it in addition to the line.
    /// - Throws: a problem if the line does not begin near `start` with the declared precision or, if none is declared,
    ///   with either precision.
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
            // The declared precision is plausible, although the other one fits better, or the line cannot be decoded.
            // In the latter case `points(of:)` throws the problem.
            precision = taken
        }
    }

    /// Adds the points of an encoded line to a route.
    func add(_ node: JSONNode, to builder: inout RouteBuilder) throws(DocumentProblem) {
        for (index, point) in try points(of: node).enumerated() {
            try builder.add(point, at: "\(node.path), point \(index)")
        }
    }

    func points(of node: JSONNode) throws(DocumentProblem) -> [GeodeticPosition] {
        try node.require(.text)
        guard let bytes = node.bytes, !bytes.isEmpty else { throw node.problem("an empty line") }
        do throws(EncodedPolyline.Problem) {
            return try EncodedPolyline.decode(
                bytes, precision: precision, maximumPointCount: RouteDocument.maximumVertexCount)
        } catch {
            throw node.problem(error.description)
        }
    }

    /// Maximum distance between a requested start and the way to which a service moves it. A wrong precision gives a
    /// much larger distance. Unit: metres.
    private static let nearby = 50_000.0

    private static func distance(
        from start: GeodeticPosition, to text: UnsafeRawBufferPointer, _ precision: EncodedPolyline.Precision
    ) -> Double {
        // The first point suffices, so only its characters are decoded.
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
