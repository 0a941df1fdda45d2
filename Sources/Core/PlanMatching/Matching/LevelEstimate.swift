/// Most probable plan and level of a wearer.
package struct LevelEstimate: Hashable, Sendable {
    package var plan: String
    package var level: String
    package var planProbability: Double
    package var levelProbability: Double
    package var noPlanProbability: Double
}
