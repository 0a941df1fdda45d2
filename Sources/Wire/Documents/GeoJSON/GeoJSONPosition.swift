import Geometry
import JSON

/// GeoJSON positions: longitude, latitude and optionally a height above the ellipsoid.
///
/// Source: RFC 7946, section 3.1.1.
enum GeoJSONPosition {
    /// Maximum height, higher than any place on earth and any aircraft. Unit: metres.
    static let maximumHeight = 100_000.0

    static func read(_ node: JSONNode) throws(DocumentProblem) -> GeodeticPosition {
        var elements = try node.array()
        guard let longitude = elements.next(), let latitude = elements.next() else {
            throw node.problem("a position needs a longitude and a latitude")
        }
        let height = elements.next()
        return try checked(
            latitude: try latitude.double(), longitude: try longitude.double(),
            height: height == nil || height!.isNull ? 0 : try height!.double(), of: node)
    }

    /// Whether a position contains its height.
    static func hasHeight(_ node: JSONNode) -> Bool {
        var elements = node.elements
        _ = elements.next()
        _ = elements.next()
        return elements.next()?.number != nil
    }

    static func checked(
        latitude: Double, longitude: Double, height: Double = 0, of node: JSONNode
    ) throws(DocumentProblem) -> GeodeticPosition {
        guard latitude.magnitude <= 90 else {
            let hint = longitude.magnitude <= 90 ? "; longitude comes first in GeoJSON" : ""
            throw node.problem("a latitude of \(latitude)° is beyond 90°\(node.kind == .array ? hint : "")")
        }
        guard height.magnitude <= maximumHeight else {
            throw node.problem("a height of \(height) m is beyond \(Int(maximumHeight / 1000)) km")
        }
        guard longitude.magnitude <= 360,
            let position = GeodeticPosition(
                latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: height)
        else { throw node.problem("a longitude of \(longitude)° is beyond 360°") }
        return position
    }
}

extension JSONWriter {
    /// Writes the member `geometry`.
    mutating func geometry(_ type: StaticString, _ coordinates: (inout JSONWriter) -> Void) {
        object("geometry") { json in
            json.member("type", word: type)
            json.key("coordinates")
            coordinates(&json)
        }
    }
}
