import WaymarkClient

package enum PlanText {
    package static func table(_ plans: [Waymark.Plan]) -> [String] {
        guard !plans.isEmpty else { return ["No stored plans; `waymark plan import FILE` stores one."] }
        let titles: [(title: String, alignment: Table.Alignment)] = [
            ("id", .left), ("levels", .right), ("features", .right), ("points", .right), ("imported", .left),
            ("name", .left),
        ]
        let rows = plans.map {
            [Words.line($0.id), "\($0.levels)", "\($0.features)", "\($0.vertices)", day($0), Words.line($0.name)]
        }
        return Table(titles, rows).lines
    }

    /// All properties of a plan that are known without its document.
    package static func lines(_ plan: Waymark.Plan) -> [String] {
        let extent = plan.extent
        let rows = [
            ("plan", Words.line(plan.name)), ("id", Words.line(plan.id)), ("levels", "\(plan.levels)"),
            ("features", "\(plan.features), with \(plan.vertices) points"),
            ("extent", "\(corner(extent.south, extent.west)) to \(corner(extent.north, extent.east))"),
            ("imported", day(plan)),
        ]
        return rows.map { $0.0.left(10) + $0.1 }
    }

    package static func line(_ plan: Waymark.Plan) -> String {
        "\(Words.line(plan.name)) stored as '\(Words.line(plan.id))': \(plan.levels) level\(plan.levels == 1 ? "" : "s"), "
            + "\(plan.features) feature\(plan.features == 1 ? "" : "s"), \(plan.vertices) points"
    }

    /// Text for `waymark status` about the plan on which the wearer is tracked.
    static func state(_ use: Waymark.PlanUse) -> String {
        let level = "level \(Words.line(use.level))"
        let plan = "\(percent(use.planProbability)), \(level) \(percent(use.levelProbability))"
        return switch use.state {
        case .known(.used): "on \(title(use)): \(plan)"
        case .known(.unfit): "\(title(use)) does not fit: not used, no plan \(percent(use.noPlanProbability))"
        case .known(.uncertain), .unknown:
            "perhaps on \(title(use)): \(plan), no plan \(percent(use.noPlanProbability))"
        }
    }

    /// Explanation for `waymark explain`; nil while it is unknown whether the plan is right.
    static func explanation(_ use: Waymark.PlanUse) -> String? {
        switch use.state {
        case .known(.used): "The wearer is on level \(Words.line(use.level)) of the plan '\(title(use))'."
        case .known(.unfit): "The plan '\(title(use))' does not fit: not used."
        case .known(.uncertain), .unknown: nil
        }
    }

    /// Names the plan and level as the cause of a correction.
    static func cause(_ use: Waymark.PlanUse) -> String {
        "the plan '\(title(use))', level \(Words.line(use.level))"
    }

    private static func title(_ use: Waymark.PlanUse) -> String { Words.line(use.name.isEmpty ? use.plan : use.name) }

    private static func percent(_ probability: Double) -> String { "\((100 * probability).fixed(0)) %" }

    private static func corner(_ latitude: Double, _ longitude: Double) -> String {
        "\(latitude.fixed(7))° \(longitude.fixed(7))°"
    }

    /// Date of the import in UTC.
    private static func day(_ plan: Waymark.Plan) -> String { String("\(plan.imported)".prefix(10)) }
}
