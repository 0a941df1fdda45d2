import Geometry
import Glibc
import Model

/// Position of a walking wearer, estimated from plans. There is one hypothesis for each plan, and one that no plan is
/// right.
///
/// Frame: east and north on the tangent plane of the given positions. The same displacements in the same order give the
/// same result, to the last bit.
public struct PlanMatcher: Sendable, Codable {
    private var plans: [PlacedPlan]
    private let settings: PlanMatchingSettings
    private var unaided: UnaidedTrack
    private var hypotheses: [PlanHypothesis]
    private var scratch: PlanScratch
    private var height = LevelHeight()
    /// Displacement since the particles were last moved.
    private var pending = Vector2()
    /// Number of moves of the particles so far. It also seeds the random numbers of each move.
    private var moves: UInt64 = 0

    /// Ratio of the spread of directions to the published standard deviation, which is often too small indoors. Origin:
    /// as for `PlanMatchingSettings.turnDeviation`.
    private static let caution = 2.0

    /// Starts matching at a position; nil if no plan is near.
    ///
    /// - Parameters:
    ///   - plane: tangent plane of the position.
    ///   - deviation: standard deviation of the position, east and north. Unit: metres.
    ///   - directionDeviation: standard deviation of the walking direction without plans. Unit: radians.
    ///   - planned: rotation by which plans have corrected the walking direction, as in `walk`.
    ///   - known: level where the wearer was recently.
    package init?(
        _ library: PlanLibrary, on plane: LocalTangentPlane, position: Vector2, deviation: Vector2,
        directionDeviation: Double = .infinity, byPlans planned: Double = 0, knowing known: KnownLevel? = nil,
        settings: PlanMatchingSettings = PlanMatchingSettings()
    ) {
        let margin = 2 * max(deviation.x, deviation.y)
        let plans = library.around(position, on: plane, margin: margin, maximum: settings.maximumPlanCount)
        guard !plans.isEmpty else { return nil }
        self.plans = plans
        self.settings = settings
        unaided = UnaidedTrack(
            position: position, deviation: deviation,
            turnDeviation: min(settings.unaidedTurnDeviation, directionDeviation), settings: settings)
        var random = RandomSource(seed: 0, stream: 1)
        let count = max(1, settings.particles(about: deviation) / plans.count)
        hypotheses = plans.map { placed in
            PlanHypothesis(
                count: count, about: position - placed.center, deviation: deviation,
                direction: DirectionSpread(
                    published: -planned, deviation: min(settings.turnDeviation, Self.caution * directionDeviation)),
                on: placed,
                levels: placed.shares(knowing: known?.checksum), settings: settings, random: &random)
        }
        scratch = PlanScratch(for: hypotheses[0])
    }

    package func level(of match: PlanMatch) -> KnownLevel? {
        match.plan.map { KnownLevel(plans[$0].levels[match.level].grid) }
    }

    /// Most probable plan and level, even if it is more probable that no plan is right.
    package var best: LevelEstimate {
        let none = Double(hypotheses.count)
        let sum = hypotheses.reduce(none) { $0 + weight(of: $1) }
        var (best, share) = (0, 0.0)
        for index in hypotheses.indices where weight(of: hypotheses[index]) / sum > share {
            (best, share) = (index, weight(of: hypotheses[index]) / sum)
        }
        let levels = hypotheses[best].cloud.levels
        let level = levels.indices.max { levels[$0] < levels[$1] } ?? 0
        let grid = plans[best].levels[level].grid
        return LevelEstimate(
            plan: grid.plan, level: grid.level, planProbability: share,
            levelProbability: share * Double(min(1, levels[level])), noPlanProbability: none / sum)
    }

    /// Distance followed so far, rounded down to whole strides. Unit: metres.
    package var distance: Double { Double(moves) * settings.stride }

    /// Follows a published displacement. Frame: east and north. Unit: metres.
    ///
    /// - Parameters:
    ///   - correction: rotation by which the published direction was corrected since the previous displacement. The
    ///     particles do not follow it, because they turn with the gyroscope alone. Unit: radians, counter-clockwise.
    ///   - planned: rotation by which plans have corrected the published direction, counter-clockwise. The direction
    ///     without this rotation is evidence that is independent of plans. Unit: radians.
    ///   - height: height by air pressure; nil without a barometer. Only its changes are used. Unit: metres.
    ///   - pause: time since the previous displacement, in which the air pressure may have changed. Unit: seconds.
    /// - Returns: the position after the displacement; nil while the displacement is too short to be compared.
    public mutating func walk(
        _ displacement: Vector2, correction: Double = 0, byPlans planned: Double = 0, height: Double? = nil,
        after pause: Double = 0.5
    ) -> PlanMatch? {
        for index in hypotheses.indices { hypotheses[index].followCorrection(by: correction) }
        pending = pending + displacement
        self.height.pass(pause)
        guard pending.norm >= settings.stride else { return nil }
        moves += 1
        var random = RandomSource(seed: moves, stream: 2)
        unaided.move(by: pending, turn: -planned, settings: settings)
        if let climb = self.height.follow(height, length: pending.norm) {
            unaided.climb(by: climb)
            for index in hypotheses.indices {
                hypotheses[index].climb(by: climb, on: plans[index], settings: settings, random: &random)
            }
        }
        for index in hypotheses.indices {
            hypotheses[index].move(
                by: pending, published: -planned, on: plans[index], settings: settings, random: &random,
                scratch: &scratch)
        }
        pending = Vector2()
        return match
    }

    /// Moves the origin by `-offset`, which adds `offset` to all coordinates.
    public mutating func shift(by offset: Vector2) {
        unaided.shift(by: offset)
        for index in plans.indices { plans[index].shift(by: offset) }
    }

    /// Whether a library contains all levels that are being followed.
    package func stays(on library: PlanLibrary) -> Bool {
        plans.allSatisfy { plan in
            plan.levels.allSatisfy { placed in library.grids.contains { $0.checksum == placed.grid.checksum } }
        }
    }

    /// Whether all levels were in the library when the matcher was restored.
    package var hasAllLevels: Bool { !plans.contains { $0.levels.contains { $0.grid.isMissing } } }

    /// Mean of all hypotheses, weighted by their probabilities.
    private var match: PlanMatch {
        // "No plan" has the same weight as all plans together, because otherwise each plan would become more probable
        // when there are more plans.
        let none = Double(hypotheses.count)
        let sum = hypotheses.reduce(none) { $0 + weight(of: $1) }
        var mixture = PlanarMixture()
        mixture.add(unaided.moments, share: none / sum)
        var best = (plan: Int?.none, share: none / sum)
        for index in hypotheses.indices {
            let share = weight(of: hypotheses[index]) / sum
            var moments = hypotheses[index].cloud.moments
            moments.mean = moments.mean + plans[index].center
            mixture.add(moments, share: share)
            if share > best.share { best = (index, share) }
        }
        return PlanMatch(
            mixture.moments, plan: best.plan, probability: best.share,
            levels: best.plan.map { hypotheses[$0].cloud.levels } ?? [])
    }

    private func weight(of hypothesis: PlanHypothesis) -> Double {
        exp(settings.priorEvidence + settings.evidenceShare * hypothesis.evidence)
    }
}

extension PlanMatcher: CheckedState {
    /// Largest pending displacement that a saved state may contain. Unit: metres.
    private static let maximumPendingDistance = 10.0

    package mutating func settle() -> Bool {
        guard let first = hypotheses.first, hypotheses.count == plans.count, plans.count <= settings.maximumPlanCount,
            pending.norm <= Self.maximumPendingDistance, unaided.isPossible,
            zip(hypotheses, plans).allSatisfy({ $0.isPossible(beside: first, on: $1, settings) })
        else { return false }
        scratch = PlanScratch(for: first)
        return true
    }
}
