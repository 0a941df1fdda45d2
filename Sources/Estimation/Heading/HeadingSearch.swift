import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// The state of the search for north: the weights of the hypotheses and the motion that was seen.
///
/// The last of the entries is that of the carrier.
package struct HeadingSearch: Sendable {
    package private(set) var isOpen = false
    /// The carrier has a yaw of its own, which the search is to confirm or to refute.
    package private(set) var carrierIsHypothesis = false
    /// Where the members of this moment are kept.
    package var place = 0
    /// Spread of the yaw among the hypotheses near the leader, their own uncertainty included. Unit: rad².
    package private(set) var variance = Double.infinity
    package private(set) var isDecided = false

    private var alive: UInt16 = 0
    private var leader = HeadingSearch.carrier
    private var clearLeader = HeadingSearch.carrier
    /// Fixes in a row after which the answer was clear, and the same.
    private var clearFixes = 0
    private var priors = InlineArray<9, Double>(repeating: 0)
    private var evidence = InlineArray<9, Double>(repeating: 0)
    private var excesses = InlineArray<9, Double>(repeating: 1)
    private var weights = InlineArray<9, Double>(repeating: 0)
    /// Against the carrier's. Unit: radians.
    private var yaws = InlineArray<9, Double>(repeating: 0)
    private var variances = InlineArray<9, Double>(repeating: 0)
    private var velocities = InlineArray<9, Vector3>(repeating: .zero)
    /// Smallest and largest components of the leader's velocity. Frame: ENU. Unit: m/s.
    private var least = Vector3.zero
    private var most = Vector3.zero

    package init() {}

    private static let carrier = HypothesisBank.size
    /// Of a field that passes its gates with a place known, and of any other.
    private static let trustInGoodField = 0.99
    private static let trustInAnyField = 0.5
    /// A hypothesis of less weight is given up.
    private static let negligible = 1e-6
    /// Weight of the hypotheses near the leader that decides.
    private static let decisive = 0.99
    /// What counts as near the leader: these agree. Unit: radians.
    private static let nearness = 0.26
    /// The deviation that decides: 10°. Unit: radians.
    private static let neededDeviation = 0.175
    /// Clear answers in a row that replace a yaw that is published already.
    private static let fixesToReplace = 8
    /// The change of velocity that must have been seen. Unit: m/s.
    private static let neededChange = 1.0

    func isAlive(_ index: Int) -> Bool { alive >> UInt16(index) & 1 == 1 }

    /// The member that takes the carrier's place; nil where the carrier has proved right.
    var winner: Int? {
        leader == Self.carrier || carrierIsHypothesis && yaws[leader].magnitude < Self.neededDeviation ? nil : leader
    }

    mutating func open(around filter: ErrorStateKalmanFilter) {
        let place = place
        self = HeadingSearch()
        self.place = place
        isOpen = true
        carrierIsHypothesis = filter.heading.isKnown
        // The carrier stands for the first member where it has a yaw.
        alive = carrierIsHypothesis ? 0x1FE : 0xFF
        let isGood = filter.magnetics.verdict == .good && filter.site?.field != nil
        let trust = carrierIsHypothesis ? (isGood ? Self.trustInGoodField : Self.trustInAnyField) : 0
        let others = Double(HypothesisBank.size - (carrierIsHypothesis ? 1 : 0))
        priors = InlineArray(repeating: log((1 - trust) / others))
        priors[Self.carrier] = log(max(trust, 1e-300))
        least = filter.state.velocity
        most = least
    }

    mutating func close() {
        isOpen = false
        isDecided = false
        alive = 0
    }

    /// Takes in how a member stands after a fix.
    ///
    /// - Parameter north: from ENU to the body, as the carrier has it.
    mutating func note(_ index: Int, _ standing: Standing, against north: Rotation3) {
        yaws[index] = (standing.rotationENUFromBody * north).yawAboutZ
        note(index, standing)
    }

    mutating func note(carrier standing: Standing) {
        guard carrierIsHypothesis else { return }
        note(Self.carrier, standing)
    }

    private mutating func note(_ index: Int, _ standing: Standing) {
        evidence[index] = standing.evidence
        excesses[index] = max(1, standing.excess)
        variances[index] = standing.yawDeviation * standing.yawDeviation
        velocities[index] = standing.velocity
    }

    /// Normalises, prunes and decides.
    mutating func conclude() {
        // Where even the best fits badly, the noise is larger than thought.
        weigh()
        leader = leading()
        normalize()
        noteMotion(velocities[leader])
        let isClear = judge()
        // Multipath lasts for seconds: what is published is given up for that which stays better.
        clearFixes = isClear && (clearFixes == 0 || leader == clearLeader) ? clearFixes + 1 : isClear ? 1 : 0
        clearLeader = leader
        isDecided = clearFixes >= (carrierIsHypothesis && winner != nil ? Self.fixesToReplace : 1)
    }

    /// Evidence and priors to weights.
    ///
    /// Equation: docs/filter.md (47).
    private mutating func weigh() {
        var temper = Double.infinity
        for k in 0...Self.carrier where isAlive(k) { temper = min(temper, excesses[k]) }
        for k in 0...Self.carrier { weights[k] = priors[k] + evidence[k] / temper }
    }

    private func leading() -> Int {
        var best = -1
        for k in 0...Self.carrier where isAlive(k) && (best < 0 || weights[k] > weights[best]) { best = k }
        return best
    }

    /// Weights from logarithms to shares.
    private mutating func normalize() {
        let top = weights[leader]
        var sum = 0.0
        for k in 0...Self.carrier where isAlive(k) {
            weights[k] = exp(weights[k] - top)
            sum += weights[k]
        }
        for k in 0...Self.carrier where isAlive(k) {
            weights[k] /= sum
            if weights[k] < Self.negligible, k != Self.carrier { alive &= ~(1 << UInt16(k)) }
        }
    }

    private mutating func noteMotion(_ velocity: Vector3) {
        least = Vector3(min(least.x, velocity.x), min(least.y, velocity.y), 0)
        most = Vector3(max(most.x, velocity.x), max(most.y, velocity.y), 0)
    }

    private mutating func judge() -> Bool {
        var weight = 0.0
        var mean = 0.0
        var square = 0.0
        for k in 0...Self.carrier where isAlive(k) {
            let offset = Angle.wrapped(yaws[k] - yaws[leader])
            guard offset.magnitude < Self.nearness else { continue }
            weight += weights[k]
            mean += weights[k] * offset
            square += weights[k] * (offset * offset + variances[k])
        }
        // About the leader, which is taken as it is.
        variance = square / weight * excesses[leader]
        return weight > Self.decisive && variance < Self.neededDeviation * Self.neededDeviation
            && (most - least).norm > Self.neededChange
    }
}

/// How a hypothesis stands, taken out of its filter: that would be copied as a whole.
struct Standing {
    let rotationENUFromBody: Rotation3
    let evidence: Double
    let excess: Double
    /// Unit: radians.
    let yawDeviation: Double
    /// Frame: ENU. Unit: m/s.
    let velocity: Vector3
}

extension ErrorStateKalmanFilter {
    @inline(__always)
    var standing: Standing {
        Standing(
            rotationENUFromBody: state.rotationENUFromBody, evidence: heading.evidence, excess: heading.excess,
            yawDeviation: deviation(ErrorState.yaw), velocity: state.velocity)
    }
}
