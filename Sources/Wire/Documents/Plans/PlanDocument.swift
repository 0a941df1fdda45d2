import JSON
import PlanMatching

/// Reader of floor plans from GeoJSON or from OpenStreetMap extracts with indoor tags. The format is detected from the
/// content.
///
/// Source: RFC 7946; OpenStreetMap, "Simple Indoor Tagging" and "OSM XML".
public enum PlanDocument {
    /// Maximum size of a document. Unit: bytes.
    public static let maximumSize = 16 << 20
    /// Maximum number of vertices. The vertices of a part on several levels count once per level.
    public static let maximumVertexCount = 65_536
    package static let maximumLevelCount = 64
    /// Maximum number of parts. A part on several levels counts once per level.
    public static let maximumFeatureCount = 10_000
    /// Maximum extent from west to east, and from south to north. Unit: metres.
    public static let maximumWidth = 5_000.0
    /// Length to which the name is truncated. Unit: bytes.
    public static let maximumNameLength = 200
    /// Length to which names of levels are truncated. Unit: bytes.
    public static let maximumLevelNameLength = 40

    private static let limits = JSONLimits(values: 1_000_000, text: maximumSize)

    /// Reads the plan of a document.
    ///
    /// - Parameters:
    ///   - id: identifier of the plan.
    ///   - name: name of the plan; nil for the name in the document, or for the id if the document has no name.
    /// - Throws: a problem, with its path or line, if the document is invalid or has another format.
    public static func read(_ bytes: [UInt8], id: String, name: String? = nil) throws(DocumentProblem) -> FloorPlan {
        guard bytes.count <= maximumSize else {
            throw DocumentProblem("larger than the limit of \(maximumSize >> 20) MiB for a plan")
        }
        let text = PlainText.trimmed(bytes)
        guard let first = text.first else { throw DocumentProblem("an empty document") }
        let builder: PlanBuilder
        switch first {
        case UInt8(ascii: "<"): builder = try OSMPlan.read(text)
        case UInt8(ascii: "{"): builder = try GeoJSONPlan.read(try JSONReader.read(text, limits: limits))
        default:
            throw DocumentProblem("no plan; understood are a FeatureCollection of GeoJSON and the XML of OpenStreetMap")
        }
        return try builder.plan(id: id, name: name)
    }
}
