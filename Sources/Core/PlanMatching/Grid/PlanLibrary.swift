import Geometry
import Model

/// Plans in use, with their levels drawn as cells and their paths. The caller provides them. They are not part of a
/// saved state.
public struct PlanLibrary: Sendable {
    /// Plans, in the given order.
    public let plans: [DrawnPlan]
    package let grids: [PlanGrid]
    /// Paths of all plans on the ground; nil if there are none.
    public let paths: PathNetwork?

    /// Maximum number of cells over all levels, at 1¼ bytes each. Sixteen levels of a mall fit, in 10 MB.
    public static let maximumCellCount = 1 << 23

    /// Maximum number of plans, as allowed in a recording.
    public static let maximumPlanCount = 100

    /// Makes a library of drawn plans. Plans beyond `maximumCellCount` are omitted.
    public init(_ plans: [DrawnPlan] = []) {
        var cells = 0
        self.plans = Array(
            plans.prefix { plan in
                cells += plan.cells
                return cells <= Self.maximumCellCount
            })
        grids = self.plans.flatMap(\.grids)
        paths = PathNetwork(self.plans.flatMap(\.plan.paths))
    }

    /// Draws plans, up to `maximumCellCount` cells in total.
    ///
    /// - Parameter earlier: library whose drawings are reused for plans that it contains.
    public init(_ plans: [FloorPlan], reusing earlier: PlanLibrary = PlanLibrary()) {
        var drawn: [DrawnPlan] = []
        var cells = 0
        for plan in plans {
            let known = earlier.plans.first { $0.plan == plan }
            guard let next = known ?? DrawnPlan(plan, maximum: Self.maximumCellCount - cells) else { break }
            cells += next.cells
            guard cells <= Self.maximumCellCount else { break }
            drawn.append(next)
        }
        self.init(drawn)
    }

    /// Returns the plans with levels on which the wearer may be, nearest first. Returns none if there are more plans
    /// than can be followed, because the right plan might then be missing.
    ///
    /// - Parameter margin: distance from a drawing at which a position still counts as on it. Unit: metres.
    func around(_ position: Vector2, on plane: LocalTangentPlane, margin: Double, maximum: Int) -> [PlacedPlan] {
        let near = plans.compactMap { plan -> (placed: PlacedPlan, distance: Double)? in
            let levels = plan.grids.map { PlacedGrid(grid: $0, center: Vector2(plane.pointENU(of: $0.center))) }
            let holding = levels.filter { $0.holds(position, margin: margin) }
            guard let distance = holding.map({ (position - $0.center).norm }).min() else { return nil }
            return (PlacedPlan(levels: Array(levels.prefix(PlacedPlan.maximumLevelCount))), distance)
        }
        guard near.count <= maximum else { return [] }
        return near.sorted { $0.distance < $1.distance }.map(\.placed)
    }
}

/// Two libraries are equal if their levels and paths have the same checksums in the same order.
extension PlanLibrary: Equatable {
    /// Returns whether the checksums are equal.
    public static func == (a: PlanLibrary, b: PlanLibrary) -> Bool {
        a.paths?.checksum == b.paths?.checksum
            && a.grids.elementsEqual(b.grids) { $0 === $1 || $0.checksum == $1.checksum }
    }
}

extension PlanLibrary: Unsaved {}
