import WaymarkClient

/// Floor plans, in words.
public enum PlanText {
    /// A table of stored plans.
    public static func table(_ plans: [Waymark.Plan]) -> [String] {
        guard !plans.isEmpty else { return ["No stored plans; `waymark plan import FILE` stores one."] }
        var table = Table([
            ("id", .left), ("levels", .right), ("features", .right), ("points", .right), ("imported", .left),
            ("name", .left),
        ])
        for plan in plans {
            table.append([
                Words.line(plan.id), "\(plan.levels)", "\(plan.features)", "\(plan.vertices)", day(plan),
                Words.line(plan.name),
            ])
        }
        return table.lines
    }

    /// All that is known of a plan without its document.
    public static func lines(_ plan: Waymark.Plan) -> [String] {
        let extent = plan.extent
        let rows = [
            ("plan", Words.line(plan.name)), ("id", Words.line(plan.id)), ("levels", "\(plan.levels)"),
            ("features", "\(plan.features), with \(plan.vertices) points"),
            ("extent", "\(corner(extent.south, extent.west)) to \(corner(extent.north, extent.east))"),
            ("imported", day(plan)),
        ]
        return rows.map { $0.0.left(10) + $0.1 }
    }

    /// Result of an import, in one line.
    public static func line(_ plan: Waymark.Plan) -> String {
        "\(Words.line(plan.name)) stored as '\(Words.line(plan.id))': \(plan.levels) level\(plan.levels == 1 ? "" : "s"), "
            + "\(plan.features) feature\(plan.features == 1 ? "" : "s"), \(plan.vertices) points"
    }

    private static func corner(_ latitude: Double, _ longitude: Double) -> String {
        "\(latitude.fixed(7))° \(longitude.fixed(7))°"
    }

    /// Date of the import in UTC.
    private static func day(_ plan: Waymark.Plan) -> String { String("\(plan.imported)".prefix(10)) }
}
