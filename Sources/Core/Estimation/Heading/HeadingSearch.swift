import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// State of the search for the heading: weights of the hypotheses, and the motion that was observed.
///
/// The last entry of each array is that of the primary filter.
package struct HeadingSearch: Sendable, Codable {
    /// Whether hypotheses are being compared.
    package private(set) var isOpen = false
    /// Whether the primary filter has a heading, and so is one of the hypotheses.
    package private(set) var primaryIsHypothesis = false
    /// Whether that heading was the compass's alone when the search began.
    private var primaryIsCompassAlone = false
    /// Whether the motion has turned it away from its compass since: either the compass is off by more, or the
    /// receiver's velocity is, and one start of a walk does not show which.
    package private(set) var primaryIsBent = false
    /// When the hypotheses were last weighed.
    private var weighedAt: BootTime?
    /// Slot in which the members of this snapshot are kept.
    package var place = 0
    /// Variance of the yaw over the hypotheses near the leader, their own variances included; at first that of any yaw.
    /// Unit: rad².
    package private(set) var variance = Double.pi * .pi / 3
    /// Whether the comparison has ended with an answer.
    package private(set) var isDecided = false

    /// Mean yaw of the hypotheses near the leader, less that of the leader. Unit: radians.
    private(set) var offset = 0.0
    private var alive: UInt16 = 0
    private var leader = HeadingSearch.primary
    private var clearLeader = HeadingSearch.primary
    /// Number of successive fixes with the same conclusive answer.
    private var clearFixes = 0
    private var priors = InlineArray<9, Double>(repeating: 0)
    private var evidence = InlineArray<9, Double>(repeating: 0)
    private var excesses = InlineArray<9, Double>(repeating: 1)
    private var weights = InlineArray<9, Double>(repeating: 0)
    /// Yaws less that of the primary filter. Unit: radians.
    private var yaws = InlineArray<9, Double>(repeating: 0)
    private var variances = InlineArray<9, Double>(repeating: 0)
    private var velocities = InlineArray<9, Vector3>(repeating: .zero)
    /// Least components of the leader's velocity. Frame: ENU. Unit: m/s.
    private var least = Vector3.zero
    /// Largest components of the leader's velocity. Frame: ENU. Unit: m/s.
    private var most = Vector3.zero

    package init() {}

    private static let primary = HypothesisBank.size
    /// Standard deviation of the primary filter's yaw from which on it is vague: that of a hypothesis at its start,
    /// 22.5°. Unit: radians.
    private static let vague = Double.pi / Double(HypothesisBank.size)
    /// Least time between two weighings by offers. Unit: seconds.
    private static let offerInterval = 0.9
    /// Prior probability of a heading by a field that passes its gates at a known place.
    private static let trustInGoodField = 0.7
    /// Prior probability of a heading by any other field.
    private static let trustInAnyField = 0.5
    /// Weight below which a hypothesis is dropped.
    private static let negligible = 1e-6
    /// Weight of the hypotheses near the leader that is conclusive.
    private static let decisive = 0.99
    /// The same beside a compass alone: its yaw is doubted already, and misleads for as long as it stands.
    private static let decisiveBesideCompass = 0.95
    /// Weight of the hypotheses near the leader, by the motion without their priors, that shows something.
    private static let shown = 0.9
    /// Largest difference in yaw from the leader of hypotheses that agree with it: 20°. Unit: radians.
    private static let nearness = 0.35
    /// Largest difference between a compass and the mean yaw by the motion that confirms it: 7°. Unit: radians.
    private static let agreement = 0.12
    /// Largest difference in yaw from the primary filter of a hypothesis that does not replace it. Unit: radians.
    private static let replacing = 0.175
    /// Standard deviation of a yaw that is conclusive. Unit: radians.
    private static func neededStandardDeviation(by evidence: MotionEvidence) -> Double {
        switch evidence {
        case .velocities: 0.262  // 15°
        // Positions wander for a minute: 10°.
        case .positions: 0.175
        // They show the direction of walking alone, and the board's by way of that: 20°.
        case .places: 0.35
        }
    }
    /// Number of successive conclusive answers that confirm a published yaw, or replace that of a compass alone.
    private static let fixesToConfirm = 2
    /// Number of successive conclusive answers that replace a published yaw, or confirm a bent compass.
    private static let fixesToReplace = 8
    /// The same number once every other yaw is all but impossible.
    private static let fixesToReplaceSurely = 3
    /// Weight of those others then.
    private static let impossible = 1e-4
    /// Azimuth of the local field by the motion from which on a compass is bent: 8°, which few places and mounts reach.
    /// Unit: radians.
    static let bend = 0.14
    /// Least standard deviation of a yaw that contradicts the compass: 15°. Unit: radians.
    private static let leastDoubt = 0.26
    /// Least standard deviation of a first yaw, without a compass: 9°. Unit: radians.
    private static let leastFirst = 0.15
    /// Least observed change of velocity that shows a yaw. Unit: m/s.
    private static let neededChange = 1.0
    /// Least such change that is motion at all, and may confirm a compass. Unit: m/s.
    private static let leastChange = 0.6

    /// Whether the body has moved since the search began: at rest no yaw is better than another.
    var hasMoved: Bool { (most - least).norm > Self.leastChange }

    func isAlive(_ index: Int) -> Bool { alive >> UInt16(index) & 1 == 1 }

    /// Whether the heading of the primary filter is that of a compass, too uncertain to be one hypothesis among others;
    /// one that is compared is never dropped. Of an open search only.
    private var primaryIsVague: Bool { primaryIsHypothesis && !isAlive(Self.primary) }

    /// Index of the member that replaces the primary filter; nil where the primary filter is right.
    var winner: Int? {
        leader == Self.primary || primaryIsHypothesis && !primaryIsVague && yaws[leader].magnitude < Self.replacing
            ? nil : leader
    }

    /// Least variance of the yaw that is found. Where compass and receiver contradict each other, one of them has an
    /// error beyond what it is known for, and the receiver's may be the one; without a compass its error lasts for the
    /// one turn or start that has shown the yaw. Unit: rad².
    var leastVariance: Double {
        let contradictsCompass = winner == nil ? primaryIsBent : primaryIsCompassAlone
        if contradictsCompass { return Self.leastDoubt * Self.leastDoubt }
        return primaryIsHypothesis ? 0 : Self.leastFirst * Self.leastFirst
    }

    mutating func open(around filter: ErrorStateKalmanFilter) {
        let place = place
        self = HeadingSearch()
        self.place = place
        weighedAt = filter.state.time
        isOpen = true
        primaryIsHypothesis = filter.rules.hasYaw
        primaryIsCompassAlone = filter.heading.isCompassAlone
        let isVague = primaryIsCompassAlone && filter.standing.yawStandardDeviation > Self.vague
        // A primary filter with a heading takes the place of the first member.
        let isCompared = primaryIsHypothesis && !isVague
        alive = isCompared ? 0x1FE : 0xFF
        let isGood = filter.magnetics.verdict == .good && filter.site?.field != nil
        let trust = isCompared ? (isGood ? Self.trustInGoodField : Self.trustInAnyField) : 0
        let others = Double(HypothesisBank.size - (isCompared ? 1 : 0))
        priors = InlineArray(repeating: log((1 - trust) / others))
        priors[Self.primary] = log(max(trust, 1e-300))
        least = filter.state.velocity
        most = least
    }

    mutating func close() {
        isOpen = false
        isDecided = false
        alive = 0
    }

    /// Takes the weight and yaw of a member after a fix.
    ///
    /// - Parameter north: rotation from ENU to the body by the primary filter.
    mutating func note(_ index: Int, _ standing: Standing, against north: Rotation3) {
        yaws[index] = (standing.rotationENUFromBody * north).yawAboutZ
        note(index, standing)
    }

    mutating func note(primary standing: Standing) {
        guard primaryIsHypothesis else { return }
        guard !primaryIsVague else { return }
        note(Self.primary, standing)
        primaryIsBent = primaryIsCompassAlone && standing.fieldOffset.magnitude > Self.bend
    }

    private mutating func note(_ index: Int, _ standing: Standing) {
        evidence[index] = standing.evidence
        excesses[index] = max(1, standing.excess)
        variances[index] = standing.yawStandardDeviation * standing.yawStandardDeviation
        velocities[index] = standing.velocity
    }

    /// Weighs the hypotheses, drops the negligible ones, and decides.
    ///
    /// - Parameter evidence: what shows the motion.
    mutating func conclude(by evidence: MotionEvidence, at time: BootTime) {
        weighedAt = time
        // If even the best hypothesis fits badly, the noise is larger than assumed.
        weigh()
        leader = leading()
        normalize()
        noteMotion(velocities[leader])
        let isClear = isConclusive(Self.neededStandardDeviation(by: evidence))
        // Multipath lasts for seconds: a published heading is replaced only by one that stays better.
        clearFixes = isClear && (clearFixes == 0 || leader == clearLeader) ? clearFixes + 1 : isClear ? 1 : 0
        clearLeader = leader
        isDecided = clearFixes >= neededFixes
    }

    /// Whether the primary filter, with the heading of a compass, has become vague since the search began: all must be
    /// compared anew, since no member is near its yaw.
    func isNewlyVague(_ standing: Standing) -> Bool {
        primaryIsCompassAlone && isAlive(Self.primary) && standing.yawStandardDeviation > Self.vague
    }

    /// Whether offers are to be weighed again.
    func isDue(at time: BootTime) -> Bool {
        weighedAt.map { time.seconds(since: $0) > Self.offerInterval } ?? true
    }

    /// Number of successive conclusive answers that end the search.
    private var neededFixes: Int {
        guard primaryIsHypothesis else { return 1 }
        guard winner != nil else { return primaryIsBent ? Self.fixesToReplace : Self.fixesToConfirm }
        if primaryIsCompassAlone { return Self.fixesToConfirm }
        return cluster { weights[$0] }.weight > 1 - Self.impossible ? Self.fixesToReplaceSurely : Self.fixesToReplace
    }

    /// Computes the logarithmic weights from evidence and priors.
    ///
    /// Equation: docs/filter.md (47).
    private mutating func weigh() {
        var temper = Double.infinity
        for k in 0...Self.primary where isAlive(k) { temper = min(temper, excesses[k]) }
        for k in 0...Self.primary { weights[k] = priors[k] + evidence[k] / temper }
    }

    private func leading() -> Int {
        var best = -1
        for k in 0...Self.primary where isAlive(k) && (best < 0 || weights[k] > weights[best]) { best = k }
        return best
    }

    /// Normalises the weights to a sum of 1.
    private mutating func normalize() {
        let top = weights[leader]
        var sum = 0.0
        for k in 0...Self.primary where isAlive(k) {
            weights[k] = exp(weights[k] - top)
            sum += weights[k]
        }
        for k in 0...Self.primary where isAlive(k) {
            weights[k] /= sum
            if weights[k] < Self.negligible, k != Self.primary { alive &= ~(1 << UInt16(k)) }
        }
    }

    private mutating func noteMotion(_ velocity: Vector3) {
        least = Vector3(min(least.x, velocity.x), min(least.y, velocity.y), 0)
        most = Vector3(max(most.x, velocity.x), max(most.y, velocity.y), 0)
    }

    private mutating func isConclusive(_ neededStandardDeviation: Double) -> Bool {
        let found = cluster { weights[$0] }
        offset = found.mean
        variance = found.variance * excesses[leader]
        let decisive = primaryIsCompassAlone ? Self.decisiveBesideCompass : Self.decisive
        guard found.weight > decisive, variance < neededStandardDeviation * neededStandardDeviation,
            hasMoved
        else { return false }
        guard primaryIsHypothesis else { return (most - least).norm > Self.neededChange }
        // A prior confirms nothing: the motion must have shown the yaw by itself.
        let seen = cluster { weights[$0] / exp(priors[$0]) }
        return seen.weight > Self.shown && (leader != Self.primary || seen.mean.magnitude < Self.agreement)
    }

    /// Hypotheses near the leader: their share of all weights, and mean and variance of their yaws less that of the
    /// leader.
    private func cluster(
        _ weight: (Int) -> Double
    ) -> (weight: Double, mean: Double, variance: Double) {
        var (all, near, mean, square) = (0.0, 0.0, 0.0, 0.0)
        for k in 0...Self.primary where isAlive(k) {
            let (own, away) = (weight(k), Angle.wrapped(yaws[k] - yaws[leader]))
            all += own
            guard away.magnitude < Self.nearness else { continue }
            near += own
            mean += own * away
            square += own * (away * away + variances[k])
        }
        mean /= near
        return (near / all, mean, square / near - mean * mean)
    }
}

/// What shows the motion by which hypotheses of the heading are compared.
enum MotionEvidence {
    /// Velocities of fixes.
    case velocities
    /// Positions of fixes, or ranges.
    case positions
    /// Single places, between which the steps alone show the motion.
    case places
}

/// Evidence and yaw of a hypothesis, read in place: its filter would be copied as a whole.
struct Standing {
    let rotationENUFromBody: Rotation3
    /// Log-likelihood of the fixes.
    let evidence: Double
    /// Mean normalised innovation squared.
    let excess: Double
    /// Standard deviation of the yaw. Unit: radians.
    let yawStandardDeviation: Double
    /// Frame: ENU. Unit: m/s.
    let velocity: Vector3
    /// Azimuth of the local field less that of the model, clockwise. Unit: radians.
    let fieldOffset: Double
}

extension ErrorStateKalmanFilter {
    @inline(__always)
    var motionEvidence: MotionEvidence {
        guard rules.measuresMotion else { return .places }
        return gnss.lastVelocity == gnss.lastAiding ? .velocities : .positions
    }

    @inline(__always)
    var standing: Standing {
        Standing(
            rotationENUFromBody: state.rotationENUFromBody, evidence: heading.evidence, excess: heading.excess,
            yawStandardDeviation: standardDeviation(ErrorState.yaw), velocity: state.velocity,
            fieldOffset: state.magneticOffset)
    }
}

extension HeadingSearch: CheckedState {
    package mutating func settle() -> Bool {
        // The hypotheses that are compared are those alive, at least one of them.
        (0..<FilterTimeline.snapshotCount).contains(place) && leader <= Self.primary && clearLeader <= Self.primary
            && variance >= 0 && alive < 1 << (Self.primary + 1) && isOpen == (alive != 0)
            && (primaryIsHypothesis || !isAlive(Self.primary))
            && (!isOpen || !primaryIsVague || primaryIsCompassAlone)
    }
}
