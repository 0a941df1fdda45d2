import JSON
import PlanMatching

/// Writer of plans as GeoJSON: a FeatureCollection with one feature per line, each with `kind` and `level`.
///
/// ``PlanDocument`` reads back the name, the levels and the parts without any loss of precision.
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
        json.object { json in
            json.member("type", word: "Feature")
            json.object("properties") { json in
                json.member("kind", feature.kind.rawValue)
                json.member("level", level)
            }
            switch feature.shape {
            case .area(let rings):
                // Rings of GeoJSON repeat their first point.
                json.geometry("Polygon") { $0.array(rings) { write($0 + $0.prefix(1), into: &$1) } }
            case .line(let points): json.geometry("LineString") { write(points, into: &$0) }
            case .point(let point): json.geometry("Point") { $0.value(point.coordinates, .exact) }
            }
        }
    }

    private static func write(_ points: [PlanPoint], into json: inout JSONWriter) {
        json.array(points) { $1.value($0.coordinates, .exact) }
    }
}

extension PlanPoint {
    /// Coordinates in the order of GeoJSON.
    fileprivate var coordinates: [Double] { [longitudeDegrees, latitudeDegrees] }
}
