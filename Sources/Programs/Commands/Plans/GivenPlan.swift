import Documents
import JSON
import Configuration
import PlanMatching

/// Floor plan from a file, which a replay uses in place of the recording's plans.
enum GivenPlan {
    static let option = Option.text(
        "plan", value: "FILE",
        help: "Follow the steps on the floor plan of FILE: GeoJSON, or an extract of OpenStreetMap")

    /// Reads a plan from a file, and makes a library that contains only this plan.
    static func library(_ path: String) throws(CommandError) -> PlanLibrary {
        let bytes = try InputFile(path).allBytes(maximumLength: PlanDocument.maximumSize, kind: "plan")
        do throws(DocumentProblem) {
            return PlanLibrary([try PlanDocument.read(bytes, id: "plan")])
        } catch {
            throw .failed("\(path) is no plan: \(error)")
        }
    }
}
