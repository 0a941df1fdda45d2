import Geometry
import Glibc
import Model

/// State of the search for the heading: the weights of the hypotheses and the observed motion.
///
/// The last entry of each array belongs to the primary filter.
package struct HeadingSearch: Sendable, Codable {
    /// Whether hypotheses are being compared.
    package private(set) var isOpen = false
    /// Whether the primary filter has a heading, and is therefore one of the hypotheses.
    package private(set) var primaryIsHypothesis = false
    /// Whether the heading of the primary filter depended on the compass alone when the search began.
    private var primaryIsCompassAlone = false
    /// Whether motion has rotated the primary filter away from its compass since the search began. Either the compass
    /// or the receiver's velocity is wrong, and a single start of a walk does not reveal which.
    package private(set) var primaryIsBent = false
    /// Time at which the hypotheses were last weighted.
    private var weighedAt: BootTime?
    /// Slot that holds the snapshots of the members.
    package var place = 0
    /// Variance of the yaw over the hypotheses near the leader, including the variance within each hypothesis.
    /// Initially it is the variance of an unknown yaw. Unit: rad².
    package private(set) var variance = Double.pi * .pi / 3
    /// Whether the comparison has ended with a result.
    package private(set) var isDecided = false

    /// Mean yaw of the hypotheses near the leader minus the leader's yaw. Unit: radians.
    private(set) var offset = 0.0
    private var alive: UInt16 = 0
    private var leader = HeadingSearch.primary
    private var clearLeader = HeadingSearch.primary
    /// Number of successive fixes with the same conclusive result.
    private var clearFixes = 0
    private var priors = InlineArray<9, Double>(repeating: 0)
    private var evidence = InlineArray<9, Double>(repeating: 0)
    private var excesses = InlineArray<9, Double>(repeating: 1)
    private var weights = InlineArray<9, Double>(repeating: 0)
    /// Yaws of the members relative to the primary filter. Unit: radians.
    private var yaws = InlineArray<9, Double>(repeating: 0)
    private var variances = InlineArray<9, Double>(repeating: 0)
    private var velocities = InlineArray<9, Vector3>(repeating: .zero)
    /// Minimum components of the leader's velocity. Frame: ENU. Unit: m/s.
    private var least = Vector3.zero
    /// Maximum components of the leader's velocity. Frame: ENU. Unit: m/s.
    private var most = Vector3.zero

    package init() {}

    private static let primary = HypothesisBank.size
    /// Standard deviation from which the primary filter's yaw is too uncertain to be a hypothesis: 22.5°, the initial
    /// standard deviation of a hypothesis. Unit: radians.
    private static let vague = Double.pi / Double(HypothesisBank.size)
    /// Shortest time between two weightings of the hypotheses with offers. Unit: seconds.
    private static let offerInterval = 0.9
    /// Prior probability of a heading from a field that passes its gates at a known position.
    private static let trustInGoodField = 0.7
    /// Prior probability of a heading from any other field.
    private static let trustInAnyField = 0.5
    /// Weight below which a hypothesis is dropped.
    private static let negligible = 1e-6
    /// Total weight of the hypotheses near the leader from which the result is conclusive.
    private static let decisive = 0.99
    /// Value that replaces `decisive` while the yaw is from a compass alone, because such a yaw is uncertain and
    /// misleads until it is replaced.
    private static let decisiveBesideCompass = 0.95
    /// Smallest total weight that the hypotheses near the leader must have from the motion alone, excluding their
    /// priors.
    private static let shown = 0.9
    /// Largest yaw difference from the leader within which hypotheses agree with it: 20°. Unit: radians.
    private static let nearness = 0.35
    /// Largest difference between a compass and the mean yaw from motion up to which the motion confirms the compass:
    /// 7°. Unit: radians.
    private static let agreement = 0.12
    /// Largest yaw difference between a hypothesis and the primary filter up to which the hypothesis does not replace
    /// the filter. Unit: radians.
    private static let replacing = 0.175
    /// Standard deviation below which a yaw is conclusive. Unit: radians.
    private static func neededStandardDeviation(by evidence: MotionEvidence) -> Double {
        switch evidence {
        case .velocities: 0.262  // 15°
        // 10°. This is less than for velocities, because position errors last for a minute.
        case .positions: 0.175
        // 20°. Single places determine only the walking direction; the board's direction follows only indirectly.
        case .places: 0.35
        }
    }
    /// Number of successive conclusive results that confirm a published yaw, or replace a yaw from the compass alone.
    private static let fixesToConfirm = 2
    /// Number of successive conclusive results that replace a published yaw, or confirm a compass with a large offset.
    private static let fixesToReplace = 8
    /// Number of successive conclusive results that replace a published yaw once all other yaws are nearly impossible.
    private static let fixesToReplaceSurely = 3
    /// Total weight of the other yaws below which they are nearly impossible.
    private static let impossible = 1e-4
    /// Azimuth offset of the local field, as estimated from the motion, beyond which a compass offset counts as large:
    /// 8°. It is reached in few places and with few mounts. Unit: radians.
    static let bend = 0.14
    /// Lower limit of the standard deviation of a yaw that contradicts the compass: 15°. Unit: radians.
    private static let minimumDoubt = 0.26
    /// Lower limit of the standard deviation of a first yaw that was found without a compass: 9°. Unit: radians.
    private static let minimumFirstDeviation = 0.15
    /// Smallest observed change of velocity that determines a yaw. Unit: m/s.
    private static let neededChange = 1.0
    /// Smallest observed change of velocity that counts as motion and may confirm a compass. Unit: m/s.
    private static let minimumChange = 0.6

    /// Whether the body has moved since the search began. At rest no yaw is better than another.
    var hasMoved: Bool { (most - least).norm > Self.minimumChange }

    func isAlive(_ index: Int) -> Bool { alive >> UInt16(index) & 1 == 1 }

    /// Whether the primary filter's heading, in an open search, comes from a compass and is too uncertain to be a
    /// hypothesis. Once this heading is a hypothesis, it is never dropped.
    private var primaryIsVague: Bool { primaryIsHypothesis && !isAlive(Self.primary) }

    /// Index of the member that replaces the primary filter; nil if the primary filter is right.
    var winner: Int? {
        leader == Self.primary || primaryIsHypothesis && !primaryIsVague && yaws[leader].magnitude < Self.replacing
            ? nil : leader
    }

    /// Lower limit of the variance of the resulting yaw. If compass and receiver contradict each other, the error of
    /// one of them, possibly the receiver, exceeds its stated accuracy. Without a compass, a single turn or start
    /// determined the yaw, and the receiver's error was constant meanwhile. Unit: rad².
    var minimumVariance: Double {
        let contradictsCompass = winner == nil ? primaryIsBent : primaryIsCompassAlone
        if contradictsCompass { return Self.minimumDoubt * Self.minimumDoubt }
        return primaryIsHypothesis ? 0 : Self.minimumFirstDeviation * Self.minimumFirstDeviation
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
        // A primary filter with a heading replaces the first member.
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

    /// Records evidence and yaw of a member after a fix.
    ///
    /// - Parameter north: rotation from ENU to the body frame, according to the primary filter.
    mutating func note(_ index: Int, _ standing: Standing, against north: Rotation3) {
        yaws[index] = (standing.rotationENUFromBody * north).yawAboutZ
        note(index, standing)
    }

    mutating func note(primary standing: Standing) {
        guard primaryIsHypothesis, !primaryIsVague else { return }
        note(Self.primary, standing)
        primaryIsBent = primaryIsCompassAlone && standing.fieldOffset.magnitude > Self.bend
    }

    private mutating func note(_ index: Int, _ standing: Standing) {
        evidence[index] = standing.evidence
        excesses[index] = max(1, standing.excess)
        variances[index] = standing.yawStandardDeviation * standing.yawStandardDeviation
        velocities[index] = standing.velocity
    }

    /// Weights the hypotheses, drops the negligible hypotheses, and decides.
    ///
    /// - Parameter evidence: source of the observed motion.
    mutating func conclude(by evidence: MotionEvidence, at time: BootTime) {
        weighedAt = time
        // A poor fit of even the best hypothesis shows that the noise is larger than assumed.
        weigh()
        leader = leading()
        normalize()
        noteMotion(velocities[leader])
        let isClear = isConclusive(Self.neededStandardDeviation(by: evidence))
        // Multipath lasts for seconds, so a published heading is replaced only by a heading that remains better.
        clearFixes = isClear && (clearFixes == 0 || leader == clearLeader) ? clearFixes + 1 : isClear ? 1 : 0
        clearLeader = leader
        isDecided = clearFixes >= neededFixes
    }

    /// Whether the primary filter, whose heading comes from a compass, has become too uncertain since the search began.
    /// All yaws must then be compared again, because no member has a yaw near that of the primary filter.
    func isNewlyVague(_ standing: Standing) -> Bool {
        primaryIsCompassAlone && isAlive(Self.primary) && standing.yawStandardDeviation > Self.vague
    }

    /// Whether it is time for offers to update the weights again.
    func isDue(at time: BootTime) -> Bool {
        weighedAt.map { time.seconds(since: $0) > Self.offerInterval } ?? true
    }

    /// Number of successive conclusive results that end the search.
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
        // A prior does not confirm a yaw, so the motion alone must have determined it.
        let seen = cluster { weights[$0] / exp(priors[$0]) }
        return seen.weight > Self.shown && (leader != Self.primary || seen.mean.magnitude < Self.agreement)
    }

    /// Summarises the hypotheses near the leader: their share of all weights, and the mean and variance of their yaws
    /// relative to the leader.
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

/// Source of the motion that is used to compare the yaw hypotheses.
enum MotionEvidence {
    /// Velocities of fixes.
    case velocities
    /// Positions of fixes, or ranges.
    case positions
    /// Single places. Only the steps measure the motion between them.
    case places
}

/// Evidence and yaw of a hypothesis, copied from its filter because copying the whole filter is slow.
struct Standing {
    let rotationENUFromBody: Rotation3
    /// Log-likelihood of the fixes.
    let evidence: Double
    /// Mean normalised innovation squared.
    let excess: Double
    /// Standard deviation of the yaw. Unit: radians.
    let yawStandardDeviation: Double
    /// Velocity according to the hypothesis. Frame: ENU. Unit: m/s.
    let velocity: Vector3
    /// Azimuth of the local field minus the model azimuth, clockwise. Unit: radians.
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
        // The compared hypotheses are the members alive; there is at least one.
        (0..<FilterTimeline.snapshotCount).contains(place) && leader <= Self.primary && clearLeader <= Self.primary
            && variance >= 0 && alive < 1 << (Self.primary + 1) && isOpen == (alive != 0)
            && (primaryIsHypothesis || !isAlive(Self.primary))
            && (!isOpen || !primaryIsVague || primaryIsCompassAlone)
    }
}
