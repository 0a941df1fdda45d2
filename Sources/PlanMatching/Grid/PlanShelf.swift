import Geodesy
import Geometry
import State

/// Levels of plans that are at hand. They are given from outside, and are no part of a saved state.
public struct PlanShelf: Sendable {
    /// Levels, of any number of plans.
    public let grids: [PlanGrid]

    /// Levels of plans at hand; none by default.
    public init(_ grids: [PlanGrid] = []) { self.grids = grids }

    /// All levels of plans, drawn on cells.
    public init(_ plans: [FloorPlan]) {
        grids = plans.flatMap { plan in plan.levels.compactMap { PlanGrid($0, of: plan) } }
    }

    /// Levels that may be where the wearer is, nearest first.
    ///
    /// - Parameter margin: distance beyond the border of a drawing that still counts. Unit: metres.
    func around(_ position: Vector2, on plane: LocalTangentPlane, margin: Double, most: Int) -> [PlacedGrid] {
        let near = grids.compactMap { grid -> (placed: PlacedGrid, distance: Double)? in
            let center = Vector2(plane.pointENU(of: grid.center))
            let (away, half) = (position - center, grid.half)
            guard away.x.magnitude < half.x + margin, away.y.magnitude < half.y + margin else { return nil }
            return (PlacedGrid(grid: grid, center: center), away.norm)
        }
        return near.sorted { $0.distance < $1.distance }.prefix(most).map(\.placed)
    }
}

extension PlanShelf: Unsaved {}

/// Level of a plan, with the position of its center on a tangent plane. Unit: metres.
struct PlacedGrid: Sendable {
    let grid: PlanGrid
    var center: Vector2
}
