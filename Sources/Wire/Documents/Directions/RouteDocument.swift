import Geometry
import JSON
import Scene

/// Reader of routes from directions services and map programs.
///
/// If a document has several routes, the first is read. Heights are kept only if they are ellipsoidal, as in GeoJSON
/// and in GPX with a geoid height.
public enum RouteDocument {
    /// Maximum size of a document. Unit: bytes.
    public static let maximumSize = 16 << 20
    /// Maximum number of vertices; a document with more vertices is refused.
    public static let maximumVertexCount = 200_000
    /// Maximum number of maneuvers; further maneuvers are left out.
    public static let maximumManeuverCount = 10_000
    /// Length to which names are truncated. Unit: bytes.
    public static let maximumNameLength = 200
    /// Length to which instructions are truncated. Unit: bytes.
    public static let maximumInstructionLength = 500
    /// Maximum distance between consecutive points of a line. The overview of a drive across a country may have such
    /// legs. Unit: metres.
    public static let maximumJump = 1_000_000.0

    /// Reads the route of a document.
    ///
    /// - Parameters:
    ///   - format: format of the document; nil to detect it from the content.
    ///   - precision: precision of encoded polylines; nil if the format or the response determines it.
    ///   - id: identifier of the route.
    ///   - name: name of the route; nil for the name in the document, or for the id if the document has no name.
    /// - Throws: a problem, with its path, if the document is invalid or has another format.
    public static func read(
        _ bytes: [UInt8], format: RouteFormat? = nil, precision: EncodedPolyline.Precision? = nil, id: String,
        name: String? = nil
    ) throws(DocumentProblem) -> Route {
        guard bytes.count <= maximumSize else {
            throw DocumentProblem("larger than the limit of \(maximumSize >> 20) MiB for a route")
        }
        let text = PlainText.trimmed(bytes)
        guard !text.isEmpty else { throw DocumentProblem("an empty document") }
        let (builder, path) = try builder(of: text, format: format, precision: precision)
        return try builder.route(id: id, name: name, path: path)
    }

    private static let limits = JSONLimits(values: 1_000_000, text: maximumSize)

    /// Builder with the route of a text, and the path of that route in the document.
    private static func builder(
        of text: ArraySlice<UInt8>, format: RouteFormat?, precision: EncodedPolyline.Precision?
    ) throws(DocumentProblem) -> (RouteBuilder, path: String) {
        switch format {
        case .gpx: return (try GPXDocument.read(text), "")
        case .polyline5: return (try polyline(text, try agreed(.five, with: precision)), "")
        case .polyline6: return (try polyline(text, try agreed(.six, with: precision)), "")
        case let format?: return try builder(of: try JSONReader.read(text, limits: limits), format, precision)
        case nil: break
        }
        if text.first == UInt8(ascii: "<") { return (try GPXDocument.read(text), "") }
        // A polyline contains no quotes, but JSON with a route does. Text that begins with two brackets could be a
        // polyline that starts near 0° N, 0° E, but is taken as JSON.
        let isNested = text.starts(with: [UInt8(ascii: "["), UInt8(ascii: "[")])
        if !isNested, EncodedPolyline.isPlausible(text) {
            guard let precision else {
                throw DocumentProblem(
                    "an encoded polyline, it seems; its precision has to be declared: polyline5 or polyline6")
            }
            return (try polyline(text, precision), "")
        }
        guard isNested || text.first == UInt8(ascii: "{") else { throw unknown("") }
        let root = try JSONReader.read(text, limits: limits)
        guard let format = recognised(root) else { throw unknown(root.path) }
        return try builder(of: root, format, precision)
    }

    private static func builder(
        of root: JSONNode, _ format: RouteFormat, _ precision: EncodedPolyline.Precision?
    ) throws(DocumentProblem) -> (RouteBuilder, path: String) {
        try root.require(.object)
        switch format {
        case .valhalla: return (try ValhallaDirections.read(root, precision: precision), "$.trip")
        case .google:
            let isDirections = root["status"]?.kind == .text
            let reader = isDirections ? GoogleDirections.read : GoogleRoutes.read
            return (try reader(root), "$.routes[0]")
        case .geojson: return (try GeoJSONLine.read(root), "$")
        default: return (try OSRMDirections.read(root, service: format, precision: precision), "$.routes[0]")
        }
    }

    private static func polyline(
        _ text: ArraySlice<UInt8>, _ precision: EncodedPolyline.Precision
    ) throws(DocumentProblem) -> RouteBuilder {
        let points: [GeodeticPosition]
        do throws(EncodedPolyline.Problem) {
            points = try EncodedPolyline.decode(text, precision: precision, maximumPointCount: maximumVertexCount)
        } catch {
            throw DocumentProblem(error.description)
        }
        var builder = RouteBuilder()
        for (index, point) in points.enumerated() { try builder.add(point, at: "point \(index)") }
        return builder
    }

    private static func agreed(
        _ precision: EncodedPolyline.Precision, with declared: EncodedPolyline.Precision?
    ) throws(DocumentProblem) -> EncodedPolyline.Precision {
        guard declared ?? precision == precision else {
            throw DocumentProblem("declared as a polyline of precision 5 and of 6: it has only one of them")
        }
        return precision
    }

    /// Service or format of a JSON document; nil if it is not recognised.
    private static func recognised(_ root: JSONNode) -> RouteFormat? {
        if root["type"]?.kind == .text { return .geojson }
        if root["trip"] != nil || root["error_code"] != nil { return .valhalla }
        if root["error"]?.kind == .object { return .google }
        if root["status"]?.kind == .text { return .google }
        let route = root.list("routes").first
        if let route, route["polyline"] != nil || route["distanceMeters"] != nil { return .google }
        if let route, route["geometry"] == nil, route.list("legs").first?["polyline"] != nil { return .google }
        if root["code"]?.kind == .text { return root["uuid"] == nil ? .osrm : .mapbox }
        if root["routes"] != nil { return .osrm }
        // Mapbox's response to a request without a token.
        if root["message"]?.kind == .text && root.count <= 2 { return .mapbox }
        return nil
    }

    private static func unknown(_ path: String) -> DocumentProblem {
        DocumentProblem(path: path, message: "this is no route that is understood; understood are \(RouteFormat.list)")
    }
}
