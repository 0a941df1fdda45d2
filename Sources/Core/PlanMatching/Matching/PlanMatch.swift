import Geometry

/// Position by plans and steps.
public struct PlanMatch: Hashable, Sendable {
    /// Position. Frame: that of the matcher, east and north. Unit: metres.
    public var position: Vector2
    /// Covariance of the position, east and north. Unit: m².
    public var eastVariance: Double
    /// Unit: m².
    public var northVariance: Double
    /// Unit: m².
    public var eastNorthCovariance: Double
    /// Rotation of the true way from the published one. Unit: radians, counter-clockwise.
    public var turn: Double
    /// Standard deviation of that rotation. Unit: radians.
    public var turnDeviation: Double
    /// Index of the most probable plan among those that were given; nil where none is more probable than no plan.
    public var plan: Int?
    /// Index of the most probable level that the plan has.
    public var level = 0
    /// Probability that the wearer is on that level, if the plan is right. What all lack of 1 is on levels that are not
    /// drawn.
    public var levelProbability = 0.0
    /// Probability that the wearer is on the plan; with a nil plan, that no plan is right.
    public var probability: Double

    /// - Parameter levels: share of each level of the plan.
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

/// Level of a plan, by which the same is found again.
public struct KnownLevel: Hashable, Sendable, Codable {
    let checksum: UInt32

    init(_ grid: PlanGrid) { checksum = grid.checksum }
}
