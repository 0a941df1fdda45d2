import Geodesy
import Geometry
import State

#if canImport(Glibc)
    import Glibc
#endif

/// Position of a walking wearer by plans: hypotheses that each may be right, and one that none is.
///
/// Frame: east and north on the tangent plane of the positions that it is given. The same ways in the same order give
/// the same result to the last bit.
public struct PlanMatcher: Sendable, Codable {
    /// Levels that may be where the wearer is.
    private var grids: [PlacedGrid]
    private let settings: PlanMatchingSettings
    private var unaided: UnaidedTrack
    private var hypotheses: [PlanHypothesis]
    private var scratch: PlanScratch
    /// Way since the particles were last moved.
    private var pending = Vector2()
    /// Number of moves so far, by which the random numbers of each are drawn.
    private var moves: UInt64 = 0

    /// Begins at a position; nil where no plan is near.
    ///
    /// - Parameters:
    ///   - plane: tangent plane of the position.
    ///   - deviation: standard deviation of the position, east and north. Unit: metres.
    public init?(
        _ library: PlanLibrary, on plane: LocalTangentPlane, position: Vector2, deviation: Vector2,
        settings: PlanMatchingSettings = PlanMatchingSettings()
    ) {
        let margin = 2 * max(deviation.x, deviation.y)
        let grids = library.around(position, on: plane, margin: margin, most: settings.mostLevels)
        guard !grids.isEmpty else { return nil }
        self.grids = grids
        self.settings = settings
        unaided = UnaidedTrack(position: position, deviation: deviation, settings: settings)
        var random = RandomSource(seed: 0, stream: 1)
        let count = max(1, settings.particles / grids.count)
        hypotheses = grids.map { placed in
            PlanHypothesis(
                count: count, about: position - placed.center, deviation: deviation, settings: settings,
                random: &random)
        }
        scratch = PlanScratch(for: hypotheses[0])
    }

    /// Plan and level that a match names by its index.
    public func name(of index: Int) -> (plan: String, level: String) {
        (grids[index].grid.plan, grids[index].grid.level)
    }

    /// Follows a way as published. Frame: east and north. Unit: metres.
    ///
    /// - Parameter correction: rotation by which the published direction was corrected since the way before. The
    ///   particles turn with the gyroscope alone. Unit: radians, counter-clockwise.
    /// - Returns: the position after it; nil while the way is too short to show anything.
    public mutating func walk(_ way: Vector2, correction: Double = 0) -> PlanMatch? {
        for index in hypotheses.indices { hypotheses[index].followCorrection(by: correction) }
        pending = pending + way
        guard pending.norm >= settings.stride else { return nil }
        moves += 1
        var random = RandomSource(seed: moves, stream: 2)
        unaided.move(by: pending, settings: settings)
        for index in hypotheses.indices {
            hypotheses[index].move(
                by: pending, on: grids[index].grid, settings: settings, random: &random, scratch: &scratch)
        }
        pending = Vector2()
        return match
    }

    /// Moves to another origin, at `-offset` in the old one.
    public mutating func shift(by offset: Vector2) {
        unaided.shift(by: offset)
        for index in grids.indices { grids[index].center = grids[index].center + offset }
    }

    /// Whether all levels that it follows are on a library.
    package func stays(on library: PlanLibrary) -> Bool {
        grids.allSatisfy { placed in library.grids.contains { $0.checksum == placed.grid.checksum } }
    }

    /// Whether the levels were at hand when it was restored.
    package var hasAllLevels: Bool { !grids.contains { $0.grid.isMissing } }

    /// Mean over all hypotheses, each with its share.
    private var match: PlanMatch {
        // "No plan" weighs as much as all levels together, so that more levels do not make a plan more probable.
        let none = Double(hypotheses.count)
        let sum = hypotheses.reduce(none) { $0 + weight(of: $1) }
        var mixture = PlanarMixture()
        mixture.add(unaided.moments, share: none / sum)
        var best = (plan: Int?.none, share: none / sum)
        for index in hypotheses.indices {
            let share = weight(of: hypotheses[index]) / sum
            var moments = hypotheses[index].cloud.moments
            moments.mean = moments.mean + grids[index].center
            mixture.add(moments, share: share)
            if share > best.share { best = (index, share) }
        }
        return PlanMatch(mixture.moments, plan: best.plan, probability: best.share)
    }

    private func weight(of hypothesis: PlanHypothesis) -> Double {
        exp(settings.priorEvidence + settings.evidenceShare * hypothesis.evidence)
    }
}

extension PlanMatcher: CheckedState {
    /// Longest way that waits in a state. Unit: metres.
    private static let longestPending = 10.0

    package mutating func settle() -> Bool {
        guard let first = hypotheses.first, hypotheses.count == grids.count, grids.count <= settings.mostLevels,
            pending.norm <= Self.longestPending, unaided.isPossible,
            hypotheses.allSatisfy({ $0.isPossible(beside: first, settings) })
        else { return false }
        scratch = PlanScratch(for: first)
        return true
    }
}
