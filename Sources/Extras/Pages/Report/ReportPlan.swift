import Geometry
import Model
import PlanMatching

/// A level of a floor plan, which is drawn beneath the tracks.
package struct ReportPlan: Sendable {
    package let plan: String
    package let level: String
    /// Name of the plan that the user sees.
    private let name: String
    /// Largest probability, over the walk, that the wearer was on the level.
    package private(set) var probability: Double
    /// Position to which the points of the lines are relative.
    let center: GeodeticPosition
    package let lines: [PlanLine]

    /// Radius around the wearer within which a level is drawn. Unit: metres.
    private static let radius = 500.0
    /// Maximum number of levels of a report.
    private static let maximumLevelCount = 8
    /// Interval at which the plan in use is checked. Unit: seconds.
    private static let interval = 1.0
    /// Smallest probability at which a level is drawn.
    private static let likely = 0.1

    private init?(_ use: PlanUse, _ library: PlanLibrary, about center: GeodeticPosition) {
        let plan = library.plans.first { $0.plan.id == use.plan }?.plan
        guard let level = plan?.levels.first(where: { $0.name == use.level }) else { return nil }
        (self.plan, self.level, self.center) = (use.plan, use.level, center)
        (name, probability) = (use.title, use.levelProbability)
        lines = PlanLines(level, about: center, within: Self.radius).lines
    }

    /// Title that the user sees, such as "Station, level F1, up to 93 %".
    package var title: String { "\(name), level \(level), up to \((100 * probability).text(0)) %" }

    /// Levels on which the wearer has probably been.
    struct Collection: Sendable {
        private(set) var plans: [ReportPlan] = []
        private var lookedAt: Double?

        /// Whether the next check is due.
        func isDue(_ time: Double) -> Bool { lookedAt.map { !(0..<interval).contains(time - $0) } ?? true }

        /// Adds the level if the wearer is probably on it.
        mutating func add(_ time: Double, _ use: PlanUse?, of library: PlanLibrary, at position: GeodeticPosition?) {
            lookedAt = time
            guard let use, let position, use.levelProbability >= likely else { return }
            if let index = plans.firstIndex(where: { $0.plan == use.plan && $0.level == use.level }) {
                plans[index].probability = max(plans[index].probability, use.levelProbability)
                return
            }
            guard plans.count < maximumLevelCount, let plan = ReportPlan(use, library, about: position) else { return }
            plans.append(plan)
        }
    }

    /// Converts the points of a line to another plane. Frame: east and north. Unit: metres.
    func points(of line: PlanLine, on plane: LocalTangentPlane) -> [Vector2] {
        let offset = Vector2(plane.pointENU(of: center))
        return line.points.map { $0 + offset }
    }
}
