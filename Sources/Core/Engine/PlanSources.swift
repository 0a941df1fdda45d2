import PlanMatching
import Scene

/// What the plans in use are made of: plans that were given, and the line of the route.
public struct PlanSources: Sendable {
    /// Plans that were given.
    public internal(set) var given = PlanLibrary()
    /// Route whose line is among the plans in use; nil for none.
    public internal(set) var route: Route?

    /// Makes the plans to be used. Beside a route all paths are put into order anew, which takes up to half a second:
    /// work for another thread than that of the samples.
    public func library() -> PlanLibrary {
        let corridor = route.map(RouteCorridor.plans) ?? []
        guard !corridor.isEmpty else { return given }
        // The plans of a recording have the route too.
        let others = given.plans.filter { !FloorPlan.isOfRoute($0.plan.id) }
        return PlanLibrary(Array((corridor + others).prefix(PlanLibrary.mostPlans)))
    }
}
