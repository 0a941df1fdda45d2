import Geometry
import JSON
import Scene

/// Stored form of a route: a GeoJSON Feature with a LineString, which any map program displays. Its properties contain
/// the maneuvers and other data.
public enum RouteFeature {
    /// Maximum size of a feature. It suffices for any route that a document can contain. Unit: bytes.
    public static let maximumSize = 64 << 20
    /// Limits that suffice for the maximum numbers of vertices and maneuvers.
    private static let limits = JSONLimits(values: 1_200_000, text: 16 << 20)

    /// Route as a GeoJSON feature in UTF-8, readable by ``read(_:)``.
    public static func bytes(_ route: Route) -> [UInt8] {
        var json = JSONWriter(capacity: 64 * route.vertices.count)
        json.object { json in
            json.member("type", word: "Feature")
            json.object("properties") { json in
                json.member("id", route.id)
                json.member("name", route.name)
                json.member("duration", route.duration, .exact)
                if let guidance = route.guidance { write(guidance, into: &json) }
                json.array("maneuvers", route.maneuvers) { write($0, into: &$1) }
            }
            json.geometry("LineString") { $0.array(route.vertices) { $1.value($0.coordinates, .exact) } }
        }
        return json.bytes
    }

    /// Reads a route that ``bytes(_:)`` wrote; throws a problem with its path.
    public static func read(_ bytes: [UInt8]) throws(DocumentProblem) -> Route {
        let root = try JSONReader.read(bytes, limits: limits)
        let properties = try root.member("properties")
        return Route(
            id: try properties.member("id").text(), name: try properties.member("name").text(),
            vertices: try GeoJSONLine.points(try root.member("geometry")),
            maneuvers: try properties.member("maneuvers").array().map(maneuver),
            duration: try properties["duration"]?.double(),
            guidance: try properties["destination"].map { node throws(DocumentProblem) in try guidance(node) })
    }

    private static func write(_ guidance: RouteGuidance, into json: inout JSONWriter) {
        json.object("destination") { json in
            json.member("name", guidance.destination.name)
            json.member("place", guidance.destination.place)
            json.member("profile", guidance.destination.profile)
            // The member is present if a navigator found the route; it is empty if the navigator's service is unknown.
            if case .navigator(let service) = guidance.finder { json.member("navigator", service ?? "") }
            json.key("position")
            json.value(guidance.destination.position.coordinates, .exact)
        }
    }

    private static func guidance(_ node: JSONNode) throws(DocumentProblem) -> RouteGuidance {
        let navigator = try node["navigator"]?.text()
        return RouteGuidance(
            destination: RouteDestination(
                name: try node.member("name").text(), place: try node["place"]?.text(),
                position: try GeoJSONPosition.read(try node.member("position")),
                profile: try node["profile"]?.text()),
            finder: navigator.map { .navigator(service: $0.isEmpty ? nil : $0) } ?? .straightLine)
    }

    private static func write(_ maneuver: RouteManeuver, into json: inout JSONWriter) {
        json.object { json in
            json.member("kind", word: maneuver.kind.word)
            json.member("angle", maneuver.angle, .exact)
            json.member("text", maneuver.text)
            json.key("position")
            json.value(maneuver.position.coordinates, .exact)
        }
    }

    private static func maneuver(_ node: JSONNode) throws(DocumentProblem) -> RouteManeuver {
        let word = try node.member("kind")
        guard let kind = RouteManeuver.Kind.allCases.first(where: { word.equals($0.word) }) else {
            throw word.problem("no kind of maneuver")
        }
        return RouteManeuver(
            position: try GeoJSONPosition.read(try node.member("position")), kind: kind,
            angle: try node["angle"]?.double(), text: try node["text"]?.text())
    }
}

extension GeodeticPosition {
    /// Coordinates in the order of GeoJSON.
    fileprivate var coordinates: [Double] { [longitudeDegrees, latitudeDegrees, ellipsoidalHeight] }
}

extension RouteManeuver.Kind {
    fileprivate var word: StaticString {
        switch self {
        case .depart: "depart"
        case .turn: "turn"
        case .keep: "keep"
        case .continue: "continue"
        case .roundabout: "roundabout"
        case .uturn: "uturn"
        case .arrive: "arrive"
        }
    }
}
