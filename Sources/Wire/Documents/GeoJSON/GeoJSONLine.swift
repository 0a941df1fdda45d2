import Geometry
import JSON

/// Reader of the first line of a GeoJSON document.
///
/// Source: RFC 7946.
enum GeoJSONLine {
    static func read(_ root: JSONNode) throws(DocumentProblem) -> RouteBuilder {
        var builder = RouteBuilder()
        guard let (geometry, feature) = try firstLine(of: root) else {
            throw root.problem("there is no LineString and no MultiLineString in it")
        }
        try add(geometry, to: &builder)
        builder.name = feature?["properties"]?["name"]?.string
        return builder
    }

    /// Adds the points of a LineString, or of all lines of a MultiLineString in order.
    static func add(_ geometry: JSONNode, to builder: inout RouteBuilder) throws(DocumentProblem) {
        let coordinates = try geometry.member("coordinates")
        switch try kind(of: geometry) {
        case .line: try addPoints(coordinates, to: &builder)
        case .lines: for line in try coordinates.array() { try addPoints(line, to: &builder) }
        default: throw geometry.problem("a LineString or a MultiLineString is needed")
        }
    }

    /// Points of a LineString, including repeated ones.
    static func points(_ geometry: JSONNode) throws(DocumentProblem) -> [GeodeticPosition] {
        guard try kind(of: geometry) == .line else { throw geometry.problem("a LineString is needed") }
        let coordinates = try geometry.member("coordinates")
        guard coordinates.count <= RouteDocument.maximumVertexCount else {
            throw coordinates.problem("more than \(RouteDocument.maximumVertexCount) points")
        }
        return try coordinates.array().map(GeoJSONPosition.read)
    }

    private static func addPoints(_ line: JSONNode, to builder: inout RouteBuilder) throws(DocumentProblem) {
        for point in try line.array() { try builder.add(try GeoJSONPosition.read(point), at: point.path) }
    }

    private enum Kind { case line, lines, feature, features, geometries, other }

    private static func kind(of node: JSONNode) throws(DocumentProblem) -> Kind {
        let type = try node.member("type")
        try type.require(.text)
        if type.equals("LineString") { return .line }
        if type.equals("MultiLineString") { return .lines }
        if type.equals("Feature") { return .feature }
        if type.equals("FeatureCollection") { return .features }
        if type.equals("GeometryCollection") { return .geometries }
        let others: [StaticString] = ["Point", "MultiPoint", "Polygon", "MultiPolygon"]
        guard others.contains(where: { type.equals($0) }) else {
            throw type.problem("no type of GeoJSON: \(type.line(maximumLength: 80) ?? "an empty one")")
        }
        return .other
    }

    private static func firstLine(
        of node: JSONNode
    ) throws(DocumentProblem) -> (geometry: JSONNode, feature: JSONNode?)? {
        switch try kind(of: node) {
        case .line, .lines: return (node, nil)
        case .feature:
            guard let geometry = node["geometry"], let line = try firstLine(of: geometry) else { return nil }
            return (line.geometry, node)
        case .features: return try firstLine(among: try node.member("features"))
        case .geometries: return try firstLine(among: try node.member("geometries"))
        case .other: return nil
        }
    }

    /// Finds the first line in a list. The JSON reader limits the nesting, and so the depth of this recursion.
    private static func firstLine(
        among list: JSONNode
    ) throws(DocumentProblem) -> (geometry: JSONNode, feature: JSONNode?)? {
        for element in try list.array() {
            if let line = try firstLine(of: element) { return line }
        }
        return nil
    }
}
