/// What is known of a wearer who is followed on floor plans: the most probable plan, and its most probable level.
public struct PlanUse: Hashable, Sendable {
    /// What becomes of the plan.
    public enum State: UInt8, Hashable, Sendable, CaseIterable {
        /// It may be right: it moves positions as far as it is probable.
        case uncertain
        /// It is probably right, and positions follow it.
        case used
        /// No plan fits the way that was walked: positions are those of steps alone.
        case unfit
    }

    /// Identifier of the plan.
    public var plan: String
    /// Name of the plan for people.
    public var name: String
    /// Name of its most probable level.
    public var level: String
    /// Probability that the wearer is on the plan, whatever the level.
    public var planProbability: Double
    /// Probability that the wearer is on that level of it.
    public var levelProbability: Double
    /// Probability that no plan is right.
    public var noPlanProbability: Double
    /// Way for which plans have been followed. Unit: metres.
    public var way: Double
    /// What becomes of the plan.
    public var state: State

    /// Makes a use that is uncertain; unit of `way`: metres.
    public init(
        plan: String, name: String, level: String, planProbability: Double, levelProbability: Double,
        noPlanProbability: Double, way: Double, state: State = .uncertain
    ) {
        self.plan = plan
        self.name = name
        self.level = level
        self.planProbability = planProbability
        self.levelProbability = levelProbability
        self.noPlanProbability = noPlanProbability
        self.way = way
        self.state = state
    }

    /// Name of the plan for people, or else its identifier.
    public var title: String { name.isEmpty ? plan : name }
}
