import Geometry

/// Position computed from plans and steps.
public struct PlanMatch: Hashable, Sendable {
    /// Position. Frame: that of the matcher, east and north. Unit: metres.
    public var position: Vector2
    /// Variance of the position to the east. Unit: m².
    public var eastVariance: Double
    /// Variance of the position to the north. Unit: m².
    public var northVariance: Double
    /// Covariance of the position to the east and to the north. Unit: m².
    public var eastNorthCovariance: Double
    /// Rotation from the published to the true track. Unit: radians, counter-clockwise.
    public var turn: Double
    /// Standard deviation of the rotation. Unit: radians.
    public var turnDeviation: Double
    /// Index of the most probable plan among the given plans; nil if it is more probable that the wearer is on no plan.
    public var plan: Int?
    /// Index of the most probable level of the plan.
    public var level = 0
    /// Probability that the wearer is on `level`, if the plan is right. The probabilities of the drawn levels may add
    /// up to less than 1, because the wearer may be on a level that is not drawn.
    public var levelProbability = 0.0
    /// Probability that the wearer is on the plan; if `plan` is nil, probability that no plan is right.
    public var probability: Double

    /// - Parameter levels: probability of each level of the plan.
    init(_ moments: PlanarMoments, plan: Int?, probability: Double, levels: [Float]) {
        position = moments.mean
        eastVariance = moments.covariance[0, 0]
        northVariance = moments.covariance[1, 1]
        eastNorthCovariance = moments.covariance[0, 1]
        turn = moments.turn
        turnDeviation = moments.turnVariance.squareRoot()
        self.plan = plan
        self.probability = probability
        for index in levels.indices where Double(levels[index]) > levelProbability {
            (level, levelProbability) = (index, Double(levels[index]))
        }
    }
}

/// Identification of a level of a plan.
public struct KnownLevel: Hashable, Sendable, Codable {
    let checksum: UInt32

    init(_ grid: PlanGrid) { checksum = grid.checksum }
}
