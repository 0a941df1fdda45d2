import Model
import PlanMatching

extension PlanFollower {
    /// Most probable plan and its most probable level; nil while the wearer is not on a plan.
    var use: PlanUse? {
        guard let matcher else { return nil }
        let best = matcher.best
        return PlanUse(
            plan: best.plan, name: library.plans.first { $0.plan.id == best.plan }?.plan.name ?? "", level: best.level,
            planProbability: best.planProbability, levelProbability: best.levelProbability,
            noPlanProbability: best.noPlanProbability, distance: matcher.distance)
    }
}
