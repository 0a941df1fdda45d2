import Geometry
import Model
import PlanMatching

/// Level of a floor plan that is drawn beneath the tracks.
package struct ReportPlan: Sendable {
    package let plan: String
    package let level: String
    /// Name of the plan for the user.
    private let name: String
    /// Maximum probability that the wearer was on the level.
    package private(set) var probability: Double
    /// Position relative to which the points of the lines are given.
    let center: GeodeticPosition
    package let lines: [PlanLine]

    /// Radius around the wearer within which a level is drawn. Unit: metres.
    private static let radius = 500.0
    /// Maximum number of levels of a report.
    private static let maximumLevelCount = 8
    /// Interval between checks of the plan in use. Unit: seconds.
    private static let interval = 1.0
    /// Minimum probability of a level that is drawn.
    private static let likely = 0.1

    private init?(_ use: PlanUse, _ library: PlanLibrary, about center: GeodeticPosition) {
        let plan = library.plans.first { $0.plan.id == use.plan }?.plan
        guard let level = plan?.levels.first(where: { $0.name == use.level }) else { return nil }
        (self.plan, self.level, self.center) = (use.plan, use.level, center)
        (name, probability) = (use.title, use.levelProbability)
        lines = PlanLines(level, about: center, within: Self.radius).lines
    }

    /// Name for the user, such as "Station, level F1, up to 93 %".
    package var title: String { "\(name), level \(level), up to \((100 * probability).text(0)) %" }

    /// Levels of a walk so far.
    struct Collection: Sendable {
        private(set) var plans: [ReportPlan] = []
        private var lookedAt: Double?

        /// Whether the next check is due.
        func isDue(_ time: Double) -> Bool { lookedAt.map { !(0..<interval).contains(time - $0) } ?? true }

        /// Adds the level on which the wearer probably is.
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

    /// Points of a line on another plane. Frame: east and north. Unit: metres.
    func points(of line: PlanLine, on plane: LocalTangentPlane) -> [Vector2] {
        let offset = Vector2(plane.pointENU(of: center))
        return line.points.map { $0 + offset }
    }
}
