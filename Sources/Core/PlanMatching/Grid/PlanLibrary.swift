import Geometry
import Model

/// Plans at hand: their levels drawn on cells, and the paths on them. They are given from outside, and are no part of a
/// saved state.
public struct PlanLibrary: Sendable {
    /// Plans, in the order in which they were given.
    public let plans: [DrawnPlan]
    /// Levels of all of them.
    public let grids: [PlanGrid]
    /// Paths on the ground of all of them; nil without any.
    public let paths: PathNetwork?

    /// Maximum number of cells of all levels, a byte and a quarter each: sixteen levels of a mall, 10 MB.
    public static let mostCells = 1 << 23

    /// Maximum number of plans: as many as a recording has.
    public static let mostPlans = 100

    /// Plans that are drawn already. Those beyond `mostCells` are left out.
    public init(_ plans: [DrawnPlan] = []) {
        var cells = 0
        self.plans = Array(
            plans.prefix { plan in
                cells += plan.cells
                return cells <= Self.mostCells
            })
        grids = self.plans.flatMap(\.grids)
        paths = PathNetwork(self.plans.flatMap(\.plan.paths))
    }

    /// Draws plans, up to `mostCells`.
    ///
    /// - Parameter earlier: library whose drawings are used again for the plans that it has.
    public init(_ plans: [FloorPlan], reusing earlier: PlanLibrary = PlanLibrary()) {
        var drawn: [DrawnPlan] = []
        var cells = 0
        for plan in plans {
            let known = earlier.plans.first { $0.plan == plan }
            guard let next = known ?? DrawnPlan(plan, most: Self.mostCells - cells) else { break }
            cells += next.cells
            guard cells <= Self.mostCells else { break }
            drawn.append(next)
        }
        self.init(drawn)
    }

    /// Plans with levels that may be where the wearer is, nearest first; none where there are more than are followed,
    /// because the right one may be missing among them.
    ///
    /// - Parameter margin: distance beyond the border of a drawing that still counts. Unit: metres.
    func around(_ position: Vector2, on plane: LocalTangentPlane, margin: Double, most: Int) -> [PlacedPlan] {
        let near = plans.compactMap { plan -> (placed: PlacedPlan, distance: Double)? in
            let levels = plan.grids.map { PlacedGrid(grid: $0, center: Vector2(plane.pointENU(of: $0.center))) }
            let holding = levels.filter { $0.holds(position, margin: margin) }
            guard let distance = holding.map({ (position - $0.center).norm }).min() else { return nil }
            return (PlacedPlan(levels: Array(levels.prefix(PlacedPlan.mostLevels))), distance)
        }
        guard near.count <= most else { return [] }
        return near.sorted { $0.distance < $1.distance }.map(\.placed)
    }
}

/// Libraries are the same if their levels and their paths have the same checksums in the same order.
extension PlanLibrary: Equatable {
    /// Compares the checksums.
    public static func == (a: PlanLibrary, b: PlanLibrary) -> Bool {
        a.paths?.checksum == b.paths?.checksum
            && a.grids.elementsEqual(b.grids) { $0 === $1 || $0.checksum == $1.checksum }
    }
}

extension PlanLibrary: Unsaved {}
