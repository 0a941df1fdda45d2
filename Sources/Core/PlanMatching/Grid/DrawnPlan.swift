/// A plan, and its levels as cells.
public struct DrawnPlan: Sendable {
    /// The plan that was drawn.
    public let plan: FloorPlan
    /// Its levels, without those that have no extent, or too large a one.
    public let grids: [PlanGrid]

    /// Draws all levels, which takes up to a tenth of a second each; nil where they have too many cells.
    ///
    /// - Parameter most: maximum number of cells of all levels.
    public init?(_ plan: FloorPlan, most: Int = PlanLibrary.mostCells) {
        self.plan = plan
        var (grids, cells): ([PlanGrid], Int) = ([], 0)
        for level in plan.levels {
            guard let grid = PlanGrid(level, of: plan) else { continue }
            cells += grid.columns * grid.rows
            guard cells <= most else { return nil }
            grids.append(grid)
        }
        self.grids = grids
    }

    /// Number of cells of all levels.
    public var cells: Int { grids.reduce(0) { $0 + $1.columns * $1.rows } }
}
