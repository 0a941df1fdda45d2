import JSON
import PlanMatching

/// Writer of plans as GeoJSON: a FeatureCollection with one feature per line, each with `kind` and `level`.
///
/// ``PlanDocument`` reads back the name, the levels, and each part to the last bit.
///
/// Source: RFC 7946.
public enum PlanDocumentWriter {
    /// Document of a plan.
    public static func bytes(of plan: FloorPlan) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("type", word: "FeatureCollection")
        json.member("name", plan.name)
        json.key("features")
        json.beginArray()
        for level in plan.levels {
            for feature in level.features {
                var line = JSONWriter()
                write(feature, level: level.name, into: &line)
                // The writer puts a comma before the element, so the line break comes after the comma.
                json.value(json: [UInt8(ascii: "\n")] + line.bytes)
            }
        }
        json.text.append("\n" as StaticString)
        json.endArray()
        json.endObject()
        json.text.append("\n" as StaticString)
        return json.bytes
    }

    private static func write(_ feature: PlanFeature, level: String, into json: inout JSONWriter) {
        json.beginObject()
        json.member("type", word: "Feature")
        json.key("properties")
        json.beginObject()
        json.member("kind", feature.kind.rawValue)
        json.member("level", level)
        json.endObject()
        json.key("geometry")
        json.beginObject()
        write(feature.shape, into: &json)
        json.endObject()
        json.endObject()
    }

    private static func write(_ shape: PlanFeature.Shape, into json: inout JSONWriter) {
        switch shape {
        case .area(let rings):
            json.member("type", word: "Polygon")
            json.key("coordinates")
            json.beginArray()
            // Rings of GeoJSON repeat their first point.
            for ring in rings { write(ring + ring.prefix(1), into: &json) }
            json.endArray()
        case .line(let points):
            json.member("type", word: "LineString")
            json.key("coordinates")
            write(points, into: &json)
        case .point(let point):
            json.member("type", word: "Point")
            json.key("coordinates")
            write(point, into: &json)
        }
    }

    private static func write(_ points: [PlanPoint], into json: inout JSONWriter) {
        json.beginArray()
        for point in points { write(point, into: &json) }
        json.endArray()
    }

    private static func write(_ point: PlanPoint, into json: inout JSONWriter) {
        json.beginArray()
        json.value(point.longitudeDegrees, .exact)
        json.value(point.latitudeDegrees, .exact)
        json.endArray()
    }
}
