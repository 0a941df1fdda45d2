import Geometry
import JSON

/// The route and the placements of a scene as GeoJSON in geographic coordinates, for map programs, which do not know
/// the scene frame.
///
/// Source: RFC 7946.
public enum SceneDocument {
    /// A placement on the earth.
    public struct Point: Hashable, Sendable {
        package var id: String
        /// Kind, as a word of the interface.
        public var kind: String
        /// Name; empty if there is none.
        public var name: String
        /// Position according to the published alignment.
        public var position: GeodeticPosition

        package init(id: String, kind: String, name: String, position: GeodeticPosition) {
            self.id = id
            self.kind = kind
            self.name = name
            self.position = position
        }
    }

    /// FeatureCollection with a LineString if there is a route, and a Point for each placement.
    ///
    /// - Parameter route: name and vertices; nil without a route.
    public static func text(route: (name: String, vertices: [GeodeticPosition])?, points: [Point]) -> String {
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.member("type", "FeatureCollection")
            json.key("features")
            json.beginArray()
            if let route, route.vertices.count > 1 { write(route.name, route.vertices, &json) }
            for point in points { write(point, &json) }
            json.endArray()
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func write(_ name: String, _ vertices: [GeodeticPosition], _ json: inout JSONWriter) {
        json.object { json in
            json.member("type", "Feature")
            json.geometry("LineString") { $0.array(vertices) { write($0, hasHeight: false, &$1) } }
            writeProperties("route", name, &json)
        }
    }

    private static func write(_ point: Point, _ json: inout JSONWriter) {
        json.object { json in
            json.member("type", "Feature")
            json.member("id", point.id)
            json.geometry("Point") { write(point.position, hasHeight: true, &$0) }
            writeProperties(point.kind, point.name, &json)
        }
    }

    private static func writeProperties(_ kind: String, _ name: String, _ json: inout JSONWriter) {
        json.object("properties") { json in
            json.member("kind", kind)
            if !name.isEmpty { json.member("name", name) }
        }
    }

    private static func write(_ position: GeodeticPosition, hasHeight: Bool, _ json: inout JSONWriter) {
        json.beginArray()
        json.value(position.longitudeDegrees, .fixed(7))
        json.value(position.latitudeDegrees, .fixed(7))
        if hasHeight { json.value(position.ellipsoidalHeight, .fixed(2)) }
        json.endArray()
    }
}
