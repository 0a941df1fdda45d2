import Geometry
import Glibc

/// Hypothesis that the wearer is on one plan, on any of its levels, with the evidence for it.
///
/// Copies of the wearer's track are rotated and followed on the same plan, to measure how well a track fits by chance.
/// If the plan is right, the actual track fits better than the rotated copies. If it is wrong, it fits no better.
struct PlanHypothesis: Sendable, Codable {
    private(set) var cloud: ParticleCloud
    private var rotated: [ParticleCloud]

    fileprivate var rotatedParticles: [Particle] { rotated.first?.particles ?? [] }

    init(
        count: Int, about mean: Vector2, deviation: Vector2, direction: DirectionSpread, on plan: PlacedPlan,
        levels: [Double], settings: PlanMatchingSettings, random: inout RandomSource
    ) {
        cloud = ParticleCloud(
            count: count, about: mean, deviation: deviation, direction: direction, turn: 0, on: plan, levels: levels,
            settings: settings, random: &random)
        let others = settings.rotations
        rotated = (1...others).map { other in
            ParticleCloud(
                count: max(1, Int(Double(count) * settings.rotatedShare)), about: mean, deviation: deviation,
                direction: direction, turn: 2 * .pi * Double(other) / Double(others + 1), on: plan, levels: levels,
                settings: settings,
                random: &random)
        }
    }

    /// Compensates all particles for a correction that rotated the published direction by an angle.
    mutating func followCorrection(by angle: Double) {
        cloud.followCorrection(by: angle)
        for index in rotated.indices { rotated[index].followCorrection(by: angle) }
    }

    mutating func move(
        by displacement: Vector2, published turn: Double, on plan: PlacedPlan, settings: PlanMatchingSettings,
        random: inout RandomSource, scratch: inout PlanScratch
    ) {
        cloud.move(
            by: displacement, published: turn, on: plan, settings: settings, random: &random,
            scratch: &scratch.particles)
        for index in rotated.indices {
            rotated[index].move(
                by: displacement, published: turn, on: plan, settings: settings, random: &random,
                scratch: &scratch.rotated)
        }
        // The evidence is limited, because an hour's evidence must not persist for another hour after the wearer has
        // left.
        let kept = min(settings.maximumEvidence, max(-settings.maximumEvidence, evidence))
        cloud.add(evidence: kept - evidence)
        cloud.weighLevels(of: plan)
    }

    mutating func climb(
        by height: Double, on plan: PlacedPlan, settings: PlanMatchingSettings, random: inout RandomSource
    ) {
        cloud.climb(by: height, on: plan, settings, &random)
        for index in rotated.indices { rotated[index].climb(by: height, on: plan, settings, &random) }
    }

    /// Logarithm of the ratio of two likelihoods: that of the track on the plan, and that of a fit by chance.
    var evidence: Double {
        let best = rotated.reduce(-Double.infinity) { max($0, $1.evidence) }
        let sum = rotated.reduce(0) { $0 + exp($1.evidence - best) }
        return cloud.evidence - best - log(sum / Double(rotated.count))
    }

    /// Whether the numbers of particles are within the limits and equal to those of another hypothesis, and all
    /// particles are possible.
    func isPossible(beside other: PlanHypothesis, on plan: PlacedPlan, _ settings: PlanMatchingSettings) -> Bool {
        (1...max(1, settings.rotations)).contains(rotated.count)
            && cloud.particles.count == other.cloud.particles.count
            && rotated.allSatisfy { $0.particles.count == other.rotatedParticles.count }
            && ([cloud] + rotated).allSatisfy {
                $0.isPossible(maximum: settings.maximumParticleCount, levels: plan.levels.count)
            }
    }

    mutating func shift(by offset: Vector2) {
        cloud.shift(by: offset)
        for index in rotated.indices { rotated[index].shift(by: offset) }
    }
}

/// Particle buffers that are overwritten at each step, so that no step allocates memory.
struct PlanScratch: Sendable {
    var particles: [Particle]
    var rotated: [Particle]

    init(for hypothesis: PlanHypothesis) {
        particles = hypothesis.cloud.particles
        rotated = hypothesis.rotatedParticles
    }
}

/// The buffers are not saved, because they can be allocated again.
extension PlanScratch: Codable {
    init(from decoder: any Decoder) { (particles, rotated) = ([], []) }
    func encode(to encoder: any Encoder) {}
}
