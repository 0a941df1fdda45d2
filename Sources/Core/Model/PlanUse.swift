/// How floor plans are used for a wearer: the most probable plan and its most probable level.
public struct PlanUse: Hashable, Sendable {
    /// How the plan is used for positions.
    public enum State: UInt8, Hashable, Sendable, CaseIterable {
        /// The plan may be right: it corrects positions in proportion to its probability.
        case uncertain
        /// The plan is probably right, and positions follow it.
        case used
        /// No plan fits the path that was walked: positions come from steps alone.
        case unfit
    }

    /// Identifier of the plan.
    public var plan: String
    /// Name of the plan, as shown to people.
    public var name: String
    /// Name of the most probable level of the plan.
    public var level: String
    /// Probability that the wearer is on the plan, on any level.
    public var planProbability: Double
    /// Probability that the wearer is on the plan's most probable level.
    public var levelProbability: Double
    /// Probability that no plan is right.
    public var noPlanProbability: Double
    /// Distance over which plans have been followed. Unit: metres.
    public var distance: Double
    /// How the plan is used for positions.
    public var state: State

    /// Makes a use in the state `uncertain`. Unit of `distance`: metres.
    public init(
        plan: String, name: String, level: String, planProbability: Double, levelProbability: Double,
        noPlanProbability: Double, distance: Double, state: State = .uncertain
    ) {
        self.plan = plan
        self.name = name
        self.level = level
        self.planProbability = planProbability
        self.levelProbability = levelProbability
        self.noPlanProbability = noPlanProbability
        self.distance = distance
        self.state = state
    }

    /// Name of the plan as shown to people, or its identifier if it has no name.
    public var title: String { name.isEmpty ? plan : name }
}
