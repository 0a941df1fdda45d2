/// What is assumed of walks and plans.
public struct PlanMatchingSettings: Hashable, Sendable {
    /// Number of particles, of all plans and levels together.
    public var particles = 2000
    /// Largest number of levels that are followed at once, the nearest.
    public var mostLevels = 4
    /// Number of other directions in which the way is compared with the plan.
    public var rotations = 5
    /// Number of particles of each of these, in parts of those of the way itself.
    public var rotatedShare = 0.3
    /// Standard deviation of the direction of the published way at the start, about which particles are spread. Raise
    /// it where headings indoors are worse. Unit: radians. Origin: 20°, twice what walks from surveyed marks show,
    /// because some are far worse.
    public var turnDeviation = 0.35
    /// Standard deviation of that direction where no plan helps. Unit: radians. Origin: 12°, walks between surveyed
    /// marks in malls.
    public var unaidedTurnDeviation = 0.21
    /// Random walk of the direction. Unit: rad/√m. Origin: 9° over six metres, as above.
    public var turnWalk = 0.05
    /// Standard deviation of the ratio of true to published length at the start. Origin: as above.
    public var scaleDeviation = 0.06
    /// Random walk of that ratio. Unit: 1/√m.
    public var scaleWalk = 0.005
    /// Random walk of the position. Unit: m/√m.
    public var positionWalk = 0.06
    /// Probability of a crossed border, relative to an open way: plans are drawn to a few decimetres.
    public var crossing = 0.005
    /// Factor of that probability for a room without a door there, and for a wall.
    public var entering = 0.1
    /// Way after which particles are moved. Unit: metres.
    public var stride = 0.6
    /// Largest evidence for or against a plan that is kept, so that a change is noticed. Unit: nats.
    public var mostEvidence = 8.0
    /// Makes the defaults.
    public init() {}
}
