import Geometry
import Model

/// What is assumed of walks and plans.
public struct PlanMatchingSettings: Hashable, Sendable {
    /// Number of particles, of all plans together. Raise it to follow more ways at once, at their cost.
    public var particles = 2000
    /// Standard deviation of a first position about which that number is enough. Raise it to need fewer particles for a
    /// vague one, whose number grows with the square. Unit: metres.
    public var particleDeviation = 4.0
    /// Largest factor by which it grows. Raise it to find the wearer sooner after a gap, at the cost of particles.
    public var mostGrowth = 4.0
    /// Largest number of plans that are followed at once. Raise it to consider more, with fewer particles for each.
    public var mostPlans = 4
    /// Number of other directions in which the way is compared with the plan. Raise it to know better what chance
    /// gives.
    public var rotations = 8
    /// Number of particles of each of these, in parts of those of the way itself. Raise it to know better what chance
    /// gives.
    public var rotatedShare = 0.25
    /// Standard deviation of the direction of the published way at the start, about which particles are spread. Raise
    /// it where headings indoors are worse. Unit: radians. Origin: 25°, twice what walks from surveyed marks show,
    /// because some are far worse.
    public var turnDeviation = 0.44
    /// Standard deviation of that direction where no plan helps. Raise it to claim less there. Unit: radians. Origin:
    /// 12°, walks between surveyed marks in malls.
    public var unaidedTurnDeviation = 0.21
    /// Random walk of the direction without a plan. Raise it to claim less there. Unit: rad/√m. Origin: 9° over six
    /// metres, as above.
    public var unaidedTurnWalk = 0.05
    /// Random walk of the direction by the gyroscope, with which particles turn. Raise it to follow a worse gyroscope,
    /// or a board that slips. Unit: rad/√m.
    public var turnWalk = 0.035
    /// Standard deviation of the published direction, which holds particles that turn by the gyroscope. Raise it where
    /// headings indoors are worse. Unit: radians. Origin: 20°, as above.
    public var directionDeviation = 0.35
    /// Way over which the published direction counts once, because its error stays. Raise it to let it hold particles
    /// less. Unit: metres.
    public var directionLength = 15.0
    /// Standard deviation of the ratio of true to published length at the start. Raise it where steps are known worse.
    /// Origin: as above.
    public var scaleDeviation = 0.06
    /// Random walk of that ratio. Raise it to follow steps that change. Unit: 1/√m.
    public var scaleWalk = 0.005
    /// Random walk of the position. Raise it to let borders count less. Unit: m/√m.
    public var positionWalk = 0.06
    /// Probability of a crossed border, relative to an open way. Raise it where plans are drawn roughly. Origin: plans
    /// are right to a few decimetres.
    public var crossing = 0.005
    /// Factor of that probability for a room without a door there, and for a wall. Raise it where wearers enter rooms
    /// that have no doors drawn.
    public var entering = 0.1
    /// Probability per metre that a wearer comes to a level beside this one unnoticed. Raise it to find a wrong level
    /// sooner. Unit: 1/m.
    public var levelWalk = 0.001
    /// Probability that a wearer comes to a level that is not drawn, relative to one that is. Raise it where plans lack
    /// levels.
    public var undrawnLevel = 0.2
    /// Way after which particles are moved. Raise it to compute less often. Unit: metres. Origin: a step.
    public var stride = 0.6
    /// Evidence for a plan before any step, as the logarithm of its odds. Raise it to trust plans
    /// sooner. Unit: 1. Origin: two of three plans are right; the others are old, drawn wrong, or of another level.
    public var priorEvidence = 0.7
    /// Share of the evidence by the way that counts. Raise it to trust or doubt sooner. Unit: 1. Origin: borders that
    /// a way passes depend on each other, so that a wrong plan fits by chance more often than particles say.
    public var evidenceShare = 0.5
    /// Largest evidence for or against a plan that is kept. Raise it to be slower to notice that a plan is right or
    /// wrong after all. Unit: 1.
    public var mostEvidence = 8.0
    /// Makes the defaults.
    public init() {}

    /// Number of particles about a first position with a standard deviation, all plans together.
    func particles(about deviation: Vector2) -> Int {
        let ratio = max(deviation.x, deviation.y) / particleDeviation
        return Int(Double(particles) * min(mostGrowth, max(1, ratio * ratio)))
    }

    /// Largest number of particles of all plans.
    var mostParticles: Int { Int(Double(particles) * mostGrowth) }
}

extension PlanMatchingSettings: Unsaved {}
