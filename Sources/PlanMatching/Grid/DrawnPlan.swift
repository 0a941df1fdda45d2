/// A plan, and its levels as cells.
public struct DrawnPlan: Sendable {
    /// The plan that was drawn.
    public let plan: FloorPlan
    /// Its levels, without those that have no extent, or too large a one.
    public let grids: [PlanGrid]

    /// Draws all levels, which takes up to tens of milliseconds each.
    public init(_ plan: FloorPlan) {
        self.plan = plan
        grids = plan.levels.compactMap { PlanGrid($0, of: plan) }
    }

    /// Number of cells of all levels.
    var cells: Int { grids.reduce(0) { $0 + $1.columns * $1.rows } }
}
