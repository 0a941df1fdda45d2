/// Plan whose levels are drawn as cells.
public struct DrawnPlan: Sendable {
    package let plan: FloorPlan
    /// Levels of the plan, except those whose extent is missing or too large.
    public let grids: [PlanGrid]

    /// Draws all levels, each of which takes up to a tenth of a second. Returns nil if they have too many cells.
    ///
    /// - Parameter maximum: maximum number of cells over all levels.
    public init?(_ plan: FloorPlan, maximum: Int = PlanLibrary.maximumCellCount) {
        self.plan = plan
        var (grids, cells): ([PlanGrid], Int) = ([], 0)
        for level in plan.levels {
            guard let grid = PlanGrid(level, of: plan) else { continue }
            cells += grid.columns * grid.rows
            guard cells <= maximum else { return nil }
            grids.append(grid)
        }
        self.grids = grids
    }

    package var cells: Int { grids.reduce(0) { $0 + $1.columns * $1.rows } }
}
