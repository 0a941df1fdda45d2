import PlanMatching
import Scene

/// Sources of the plans in use: the given plans, and the line of the route.
public struct PlanSources: Sendable {
    /// Given plans.
    public internal(set) var given = PlanLibrary()
    /// Route whose line is among the plans in use; nil without a route.
    public internal(set) var route: Route?

    /// Makes the plans to use. With a route all paths are sorted again, which takes up to half a second, so do not call
    /// it on the thread that processes the samples.
    public func library() -> PlanLibrary {
        let corridor = route.map(RouteCorridor.plans) ?? []
        guard !corridor.isEmpty else { return given }
        // Given plans that come from a recording may contain the line of a route as well.
        let others = given.plans.filter { !FloorPlan.isOfRoute($0.plan.id) }
        return PlanLibrary(Array((corridor + others).prefix(PlanLibrary.maximumPlanCount)))
    }
}
