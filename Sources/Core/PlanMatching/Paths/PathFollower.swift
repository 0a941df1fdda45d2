import Geometry
import Glibc
import Model

/// Estimator of the error of a wearer's position, from the surrounding paths. Its hypotheses are that the wearer walks
/// on a path, beside a path, or anywhere.
///
/// The error changes slowly. What is known of it across one path is therefore still known after a turn, along the next
/// path. However long the wearer walks on a path, the accuracy is limited by how the path is drawn, because the offset
/// of the map is estimated too. The given positions must not contain the correction. Otherwise, the correction would
/// confirm itself.
///
/// Source: Blom and Bar-Shalom, "The interacting multiple model algorithm for systems with Markovian switching
/// coefficients", 1988; Bar-Shalom and Tse, "Tracking in a cluttered environment with probabilistic data association",
/// 1975.
public struct PathFollower: Sendable, Codable {
    /// Hypothesis that the wearer walks on a path.
    private var on = Hypothesis()
    /// Hypothesis that the wearer walks along a path that is drawn tens of metres off, or along something beside a
    /// path.
    private var beside = Hypothesis()
    /// Hypothesis that the wearer walks anywhere.
    private var free = Hypothesis()
    /// Variance per axis of the given positions, as last adopted by `take`. Unit: m².
    private var variance = 0.0
    /// Position at the last comparison. Frame: that of the network. Unit: metres.
    private var last: Vector2?
    /// Unit vector in the direction of the displacement that was compared last; zero before the first.
    private var direction = Vector2()
    /// Time since the position `last`, and since the last comparison. Unit: seconds.
    private var sinceLast = 0.0, sinceCompared = 0.0

    private struct Hypothesis: Codable {
        var share = 0.0
        var belief = OffsetBelief(variance: 0, mapVariance: 0)
    }

    /// Time constant of the error of the given positions. Unit: seconds. Origin: 60 s for receivers. It is longer for a
    /// filter that averages them: 150 to 230 s in simulated walks.
    static let errorSeconds = 90.0
    /// Distance after which the position is compared with the paths. Unit: metres. Origin: a shorter displacement does
    /// not determine a direction.
    static let stride = 4.0
    /// Time after which the position of a standing wearer is compared with the paths. Unit: seconds.
    private static let standingSeconds = 8.0
    /// Displacement between two comparisons above which the position is considered to have jumped. Unit: metres.
    private static let maximumStep = 20.0
    /// Speed above which footways are not followed. Unit: m/s.
    private static let maximumSpeed = 8.0
    /// Standard deviation of the wearer's position across the width of a path. Unit: metres.
    private static let sway = 0.6
    /// Standard deviation of the offset of a line that the wearer walks beside a path. Unit: metres.
    private static let besideDeviation = 12.0
    /// Random walk of the offset of the map along a path, and of the offset of a line beside a path. Unit: m²/m.
    /// Origin: it reaches the variance of `PathLine.usualDeviation` after 150 m.
    private static let mapWalk = 0.03
    /// Standard deviation of the sine of the angle between the walking direction and the path.
    private static let sideways = 0.25
    /// Smallest factor for the weight of a path that is at an angle to the walking direction. It is not zero, because
    /// the wearer may turn within a displacement.
    private static let anyDirection = 0.02
    /// Standard deviation of how far the wearer walks beyond the end of a segment. Unit: metres.
    private static let endDeviation = 2.0
    /// Transition probabilities within `stride`: from the path to beside it or anywhere, from beside it to the path or
    /// anywhere, and from anywhere to the path or beside it. Origin: large offsets of the map, and walks on a pavement
    /// other than the drawn one, are more frequent than a normal distribution of the offset predicts. The likelihood of
    /// the observed paths makes up for transitions that did not happen.
    private static let leavesAside = 0.015, leaves = 0.008
    private static let joins = 0.016, turnsAway = 0.01
    private static let comes = 0.1, comesAside = 0.2
    /// Maximum number of strides for which one comparison applies the transition probabilities.
    private static let maximumPart = 3.0
    /// Initial probability that the wearer walks on a path.
    private static let expected = 0.4
    /// Least probability of each hypothesis, so that none is dropped.
    private static let minimumShare = 1e-6
    /// Share of a path below which it is ignored.
    private static let slight = 1e-4
    /// Limits for the ratio of a given variance to the adopted variance. Beyond them, the given variance is adopted,
    /// because the error of the positions has changed.
    private static let otherVariance = (less: 0.8, more: 1.25)
    private static let besideVariance = besideDeviation * besideDeviation
    private static let mapVariance = PathLine.usualDeviation * PathLine.usualDeviation

    package init() {}

    // MARK: Results

    /// Probability that the wearer walks on a path.
    public var onPath: Double { on.share }

    /// Whether a position has been given.
    public var hasBegun: Bool { last != nil }

    /// True position minus given position. Frame: east and north. Unit: metres.
    public var correction: Vector2 {
        on.share * on.belief.correction + beside.share * beside.belief.correction
            + free.share * free.belief.correction
    }

    /// Accuracy (68 % radius) of the corrected position, divided by the accuracy of the given position.
    public var accuracyRatio: Double {
        var mixture = BeliefMixture()
        mixture.add(on.belief, share: on.share)
        mixture.add(beside.belief, share: beside.share)
        mixture.add(free.belief, share: free.share)
        guard variance > 0, let spread = mixture.belief?.spread else { return 1 }
        let (mean, half) = ((spread[0, 0] + spread[1, 1]) / 2, (spread[0, 0] - spread[1, 1]) / 2)
        let apart = (half * half + spread[0, 1] * spread[0, 1]).squareRoot()
        // The 68 % radius of a normal distribution. It is exact if the distribution is a line or a circle. In between,
        // it is interpolated by the variance of the shorter axis.
        let square = (mean + apart) + Self.circle * max(0, mean - apart)
        return (square / ((1 + Self.circle) * variance)).squareRoot()
    }

    /// Square of the 68 % radius of a circular distribution of variance 1 per axis, minus 1.
    private static let circle = 1.28

    /// Position under one hypothesis.
    public struct Guess: Hashable, Sendable {
        package var probability: Double
        /// True position minus given position. Frame: east and north. Unit: metres.
        public var correction: Vector2
        /// Standard deviation per axis of the corrected position. Unit: metres.
        public var deviation: Double
    }

    /// Position under each hypothesis. The probabilities add up to 1. Empty before the first position.
    public var guesses: [Guess] {
        guard hasBegun else { return [] }
        return [on, beside, free].map { each in
            let spread = each.belief.spread
            return Guess(
                probability: each.share, correction: each.belief.correction,
                deviation: ((spread[0, 0] + spread[1, 1]) / 2).squareRoot())
        }
    }

    // MARK: Following

    /// Restarts with other paths, but keeps what was learned. Most paths are the same as before, and the kept estimate
    /// already contains the evidence from them, which must not count twice.
    public mutating func changeNetwork() { last = nil }

    /// Discards what was learned, because another source has corrected the position.
    public mutating func forget() { self = PathFollower() }

    private mutating func start() {
        let belief = OffsetBelief(variance: variance, mapVariance: Self.mapVariance)
        on = Hypothesis(share: Self.expected, belief: belief)
        beside = Hypothesis(share: 0, belief: belief)
        free = Hypothesis(share: 1 - Self.expected, belief: belief)
    }

    /// Processes a position.
    ///
    /// - Parameters:
    ///   - position: position without the correction. Frame: that of the network. Unit: metres.
    ///   - variance: variance per axis of the position. Unit: m².
    ///   - duration: time since the last call. Unit: seconds.
    public mutating func follow(
        _ position: Vector2, variance: Double, after duration: Double, on network: PathNetwork
    ) {
        wait(duration, variance: variance)
        guard let last else { return begin(at: position) }
        let displacement = position - last
        let length = displacement.norm
        guard length >= Self.stride || sinceCompared >= Self.standingSeconds else { return }
        sinceCompared = 0
        guard length >= Self.stride else { return stand(at: position, on: network) }
        guard length <= min(Self.maximumStep, Self.maximumSpeed * sinceLast) else {
            changeNetwork()
            return begin(at: position)
        }
        (self.last, sinceLast) = (position, 0)
        direction = 1 / length * displacement
        compare(at: position, distance: length, with: network)
    }

    /// Advances time without a comparison.
    ///
    /// - Parameter variance: variance per axis of the position. Unit: m².
    public mutating func wait(_ duration: Double, variance: Double) {
        take(variance: variance)
        sinceLast += duration
        sinceCompared += duration
        let kept = exp(-duration / Self.errorSeconds)
        relax(to: kept, adding: self.variance * (1 - kept * kept))
    }

    private mutating func relax(to kept: Double, adding variance: Double) {
        on.belief.relax(to: kept, adding: variance)
        beside.belief.relax(to: kept, adding: variance)
        free.belief.relax(to: kept, adding: variance)
    }

    private mutating func begin(at position: Vector2) {
        if on.share + beside.share + free.share == 0 { start() }
        (last, sinceLast, sinceCompared) = (position, 0, 0)
    }

    /// Adopts a variance. A position that has become more accurate has lost a part of its error; one that has become
    /// less accurate has gained error.
    private mutating func take(variance next: Double) {
        guard next < Self.otherVariance.less * variance || next > Self.otherVariance.more * variance else { return }
        let kept = variance > next ? (next / variance).squareRoot() : 1
        relax(to: kept, adding: max(0, next - variance))
        variance = next
    }

    /// Processes a displacement, along which the wearer may have changed from one hypothesis to another. Then compares
    /// each hypothesis with the paths.
    private mutating func compare(at position: Vector2, distance length: Double, with network: PathNetwork) {
        on.belief.relaxMap(along: length, variance: Self.mapVariance, walk: Self.mapWalk)
        beside.belief.relaxMap(along: length, variance: Self.besideVariance, walk: Self.mapWalk)
        let (on, beside, free, part) = (on, beside, free, min(Self.maximumPart, length / Self.stride))
        let kept = max(0, 1 - part * (Self.comes + Self.comesAside))
        self.free = Self.merged(
            (kept * free.share, free.belief), (part * Self.leaves * on.share, on.belief),
            (part * Self.turnsAway * beside.share, beside.belief))
        let comers = Self.comers(
            (part * Self.joins * beside.share, beside.belief), (part * Self.comes * free.share, free.belief),
            mapVariance: Self.mapVariance)
        let stays = Hypothesis(share: (1 - part * (Self.leaves + Self.leavesAside)) * on.share, belief: on.belief)
        self.on = joined(stays, comers, at: position, on: network, isOn: true)
        let besideComers = Self.comers(
            (part * Self.leavesAside * on.share, on.belief), (part * Self.comesAside * free.share, free.belief),
            mapVariance: Self.besideVariance)
        let staysBeside = Hypothesis(
            share: (1 - part * (Self.joins + Self.turnsAway)) * beside.share, belief: beside.belief)
        self.beside = joined(staysBeside, besideComers, at: position, on: network, isOn: false)
        // The sideways component of the displacement of a wearer who walks anywhere is uniformly distributed, up to its
        // length on either side. This is its probability density, in 1/m as for paths.
        self.free.share /= 2 * length
        normalize()
    }

    private mutating func normalize() {
        let sum = on.share + beside.share + free.share
        on.share = max(Self.minimumShare, on.share / sum)
        beside.share = max(Self.minimumShare, beside.share / sum)
        free.share = max(Self.minimumShare, free.share / sum)
        let raised = on.share + beside.share + free.share
        on.share /= raised
        beside.share /= raised
        free.share /= raised
    }

    private typealias Part = (share: Double, belief: OffsetBelief)

    private static func merged(_ first: Part, _ second: Part, _ third: Part) -> Hypothesis {
        var mixture = BeliefMixture()
        mixture.add(first.belief, share: first.share)
        mixture.add(second.belief, share: second.share)
        mixture.add(third.belief, share: third.share)
        return Hypothesis(share: first.share + second.share + third.share, belief: mixture.belief ?? first.belief)
    }

    /// Merges the shares that move from two hypotheses to a third. These shares know nothing of the third one's map
    /// offset.
    private static func comers(_ first: Part, _ second: Part, mapVariance: Double) -> Hypothesis {
        var mixture = BeliefMixture()
        mixture.add(first.belief, share: first.share)
        mixture.add(second.belief, share: second.share)
        let belief = (mixture.belief ?? first.belief).onOtherMap(variance: mapVariance)
        return Hypothesis(share: first.share + second.share, belief: belief)
    }

    /// Compares the paths with two shares separately: the share that stays in a hypothesis, and the share that joins
    /// it. Only the former has learned the offset of the map.
    private func joined(
        _ stays: Hypothesis, _ comers: Hypothesis, at position: Vector2, on network: PathNetwork, isOn: Bool
    ) -> Hypothesis {
        var (first, second) = (stays, comers)
        first.share *= update(&first.belief, at: position, on: network, isOn: isOn)
        second.share *= update(&second.belief, at: position, on: network, isOn: isOn)
        var mixture = BeliefMixture()
        mixture.add(first.belief, share: first.share)
        mixture.add(second.belief, share: second.share)
        return Hypothesis(share: first.share + second.share, belief: mixture.belief ?? stays.belief)
    }

    /// Compares the paths with the position of a standing wearer. The shares of the hypotheses do not change, because
    /// standing is no evidence of where the wearer will walk.
    private mutating func stand(at position: Vector2, on network: PathNetwork) {
        guard direction.squaredNorm > 0 else { return }
        _ = update(&on.belief, at: position, on: network, isOn: true)
        _ = update(&beside.belief, at: position, on: network, isOn: false)
    }

    /// Updates a belief with all paths, weighted by their probabilities.
    ///
    /// - Parameter isOn: whether this belief assumes that the wearer is on a path rather than beside one.
    /// - Returns: mean probability density of the paths, in which the most probable paths count most; 0 if there are no
    ///   paths. Unit: 1/m.
    private func update(
        _ belief: inout OffsetBelief, at position: Vector2, on network: PathNetwork, isOn: Bool
    ) -> Double {
        let before = belief
        let there = position + before.correction + before.mapOffset
        var (sum, squares) = (0.0, 0.0)
        network.forEach(near: position) { segment in
            let weight = weight(of: segment, before, at: position, expectedAt: there, isOn)
            sum += weight
            squares += weight * weight
        }
        guard sum > .leastNormalMagnitude else { return 0 }
        var mixture = BeliefMixture()
        network.forEach(near: position) { segment in
            let share = weight(of: segment, before, at: position, expectedAt: there, isOn) / sum
            guard share >= Self.slight else { return }
            let comparison = compare(segment, before, at: position, isOn)
            mixture.add(before.updated(by: comparison), share: share)
        }
        belief = mixture.belief ?? before
        // Adjacent paths must not make each other less probable.
        return squares / sum
    }

    @inline(__always)
    private func compare(
        _ segment: PathSegment, _ belief: OffsetBelief, at position: Vector2, _ isOn: Bool
    ) -> OffsetBelief.Comparison {
        // How accurately a line is drawn does not matter to a wearer who walks beside it.
        belief.compare(
            segment, spread: isOn ? segment.spread : 1, with: position, noise: Self.sway * Self.sway)
    }

    @inline(__always)
    private func weight(
        of segment: PathSegment, _ belief: OffsetBelief, at position: Vector2, expectedAt there: Vector2, _ isOn: Bool
    ) -> Double {
        let excess = segment.excess(of: there) / Self.endDeviation
        let sine = direction.cross(segment.direction) / Self.sideways
        let along = max(Self.anyDirection, exp(-sine * sine / 2))
        let comparison = compare(segment, belief, at: position, isOn)
        return along * exp(-excess * excess / 2) * comparison.likelihood
    }
}

extension OffsetBelief {
    /// Processes a displacement, along which the offset of the map may change. Its variance tends to `variance`.
    fileprivate mutating func relaxMap(along length: Double, variance: Double, walk: Double) {
        let kept = exp(-length * walk / (2 * variance))
        relaxMap(to: kept, adding: variance * (1 - kept * kept))
    }
}

extension PathFollower: CheckedState {
    /// Largest distance between a position and the origin of its network that a saved state may contain. Unit: metres.
    private static let maximumDistance = 1e7

    package mutating func settle() -> Bool {
        let sum = on.share + beside.share + free.share
        return min(on.share, beside.share, free.share) >= 0 && (sum == 0 || (sum - 1).magnitude < 1e-6)
            && (0...1e10).contains(variance) && (last?.norm ?? 0) <= Self.maximumDistance
            && direction.norm <= 1 + 1e-9 && min(sinceLast, sinceCompared) >= 0
    }
}
