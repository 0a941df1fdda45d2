import Documents
import JSON
import PlanMatching

/// Documents of plans, and what is made of them.
enum PlanSamples {
    static let square = "[[8.5,47.3],[8.501,47.3],[8.501,47.301],[8.5,47.301],[8.5,47.3]]"

    static func feature(_ properties: String, _ type: String, _ coordinates: String) -> String {
        #"{"type":"Feature","properties":{\#(properties)},"geometry":{"type":"\#(type)","coordinates":\#(coordinates)}}"#
    }

    static func collection(_ features: String..., name: String = "") -> String {
        let member = name.isEmpty ? "" : #""name":"\#(name)","#
        return #"{"type":"FeatureCollection",\#(member)"features":[\#(features.joined(separator: ","))]}"#
    }

    static func read(_ text: String, name: String? = nil) throws(DocumentProblem) -> FloorPlan {
        try PlanDocument.read(Array(text.utf8), id: "hall", name: name)
    }

    /// What is said of a document that is refused; "none" of one that is taken.
    static func problem(_ text: String) -> String {
        do {
            _ = try read(text)
            return "none"
        } catch {
            return error.description
        }
    }

    /// Kinds and shapes of all parts, level by level, in short: `floor area 4+3` has a ring of 4 points and one of 3.
    static func outline(_ plan: FloorPlan) -> [String] {
        plan.levels.map { level in
            "\(level.name): " + level.features.map { "\($0.kind.rawValue) \(shape($0.shape))" }.joined(separator: ", ")
        }
    }

    private static func shape(_ shape: PlanFeature.Shape) -> String {
        switch shape {
        case .area(let rings): "area " + rings.map { "\($0.count)" }.joined(separator: "+")
        case .line(let points): "line \(points.count)"
        case .point: "point"
        }
    }
}
