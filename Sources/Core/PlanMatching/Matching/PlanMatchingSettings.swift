import Geometry
import Model

/// Assumptions about walks and plans.
public struct PlanMatchingSettings: Hashable, Sendable {
    /// Number of particles over all plans. Raise it to follow more possible tracks at once, at higher cost.
    public var particles = 2000
    /// Standard deviation of a first position for which `particles` suffice. If the position is less certain, the
    /// number of particles grows with the square of its standard deviation. Raise it to use fewer particles for such a
    /// position. Unit: metres.
    public var particleDeviation = 4.0
    /// Largest factor by which the number of particles grows. Raise it to find the wearer sooner after a gap, at the
    /// cost of more particles.
    public var maximumGrowth = 4.0
    /// Largest number of plans that are followed at once. Raise it to consider more plans, each with fewer particles.
    public var maximumPlanCount = 4
    /// Number of other directions in which the track is compared with the plan. Raise it to estimate more accurately
    /// how well a track fits by chance.
    public var rotations = 8
    /// Number of particles for each of the other directions, as a fraction of the number for the track itself. Raise it
    /// to estimate more accurately how well a track fits by chance.
    public var rotatedShare = 0.25
    /// Standard deviation of the published walking direction at the start. The directions of the particles are spread
    /// around it. Raise it where headings indoors are worse. Unit: radians. Origin: 25°, twice the value measured on
    /// walks from surveyed marks, because the directions of some walks are far worse.
    public var turnDeviation = 0.44
    /// Standard deviation of the published walking direction at the start, if no plan helps. Raise it to claim less
    /// accuracy without a plan. Unit: radians. Origin: 12°, from walks between surveyed marks in malls.
    public var unaidedTurnDeviation = 0.21
    /// Random walk of the direction without a plan. Raise it to claim less accuracy without a plan. Unit: rad/√m.
    /// Origin: 9° over six metres, as above.
    public var unaidedTurnWalk = 0.05
    /// Random walk of the direction that the gyroscope measures and with which particles turn. Raise it to follow a
    /// worse gyroscope, or a board that slips. Unit: rad/√m.
    public var turnWalk = 0.035
    /// Standard deviation of the published direction. It constrains the particles, which turn with the gyroscope. Raise
    /// it where headings indoors are worse. Unit: radians. Origin: 20°, as above.
    public var directionDeviation = 0.35
    /// Distance over which the published direction counts as one measurement, because its error persists. Raise it to
    /// constrain particles less. Unit: metres.
    public var directionLength = 15.0
    /// Standard deviation at the start of the ratio of true to published length. Raise it where the step length is less
    /// certain. Origin: as above.
    public var scaleDeviation = 0.06
    /// Random walk of the ratio of true to published length. Raise it to follow step lengths that change. Unit: 1/√m.
    public var scaleWalk = 0.005
    /// Random walk of the position. Raise it to give borders less weight. Unit: m/√m.
    public var positionWalk = 0.06
    /// Probability that a wearer crosses a border, relative to taking an open way. Raise it where plans are drawn
    /// roughly. Origin: plans are accurate to a few decimetres.
    public var crossing = 0.005
    /// Factor that multiplies `crossing` for walls, and for rooms that are entered without a door. Raise it where
    /// wearers enter rooms without drawn doors.
    public var entering = 0.1
    /// Probability per metre that a wearer moves to an adjacent level without being noticed. Raise it to detect a wrong
    /// level sooner. Unit: 1/m.
    public var levelWalk = 0.001
    /// Probability that a wearer arrives at a level that is not drawn, relative to a drawn level. Raise it where plans
    /// lack levels.
    public var undrawnLevel = 0.2
    /// Distance after which the particles are moved. Raise it to compute less often. Unit: metres. Origin: the length
    /// of a step.
    public var stride = 0.6
    /// Evidence for a plan before the first step, as the logarithm of its odds. Raise it to trust plans sooner. Unit:
    /// 1. Origin: two of three plans are right; the others are outdated, wrongly drawn, or of another level.
    public var priorEvidence = 0.7
    /// Weight of the evidence from the track. Raise it to accept or reject plans sooner. Unit: 1. Origin: successive
    /// borders along a track are correlated. A wrong plan therefore fits by chance more often than the particles
    /// indicate.
    public var evidenceShare = 0.5
    /// Limit of the evidence for or against a plan. Raise it to react more slowly when a plan becomes right or wrong.
    /// Unit: 1.
    public var maximumEvidence = 8.0
    package init() {}

    /// Returns the number of particles, over all plans, for a first position with a given standard deviation.
    func particles(about deviation: Vector2) -> Int {
        let ratio = max(deviation.x, deviation.y) / particleDeviation
        return Int(Double(particles) * min(maximumGrowth, max(1, ratio * ratio)))
    }

    var maximumParticleCount: Int { Int(Double(particles) * maximumGrowth) }
}

extension PlanMatchingSettings: Unsaved {}
