import JSON
import PlanMatching

/// Reader of floor plans: GeoJSON, and extracts of OpenStreetMap with indoor tags.
public enum PlanDocument {
    /// Reads the plan of a document.
    ///
    /// - Throws: a problem with its path, or its line, for a document in another format or with a flaw.
    public static func read(_ bytes: [UInt8], id: String, name: String? = nil) throws(DocumentProblem) -> FloorPlan {
        throw DocumentProblem(path: "", message: "no plan")
    }
}
