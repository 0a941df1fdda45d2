/// Most probable plan and level of a wearer.
package struct LevelEstimate: Hashable, Sendable {
    /// Identifier of the plan.
    package var plan: String
    /// Name of the level.
    package var level: String
    /// Probability that the wearer is on the plan.
    package var planProbability: Double
    /// Probability that the wearer is on `level`.
    package var levelProbability: Double
    /// Probability that no plan is right.
    package var noPlanProbability: Double
}
