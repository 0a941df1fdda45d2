import Estimation
import Geometry
import Model
import PlanMatching

/// Tracks the wearer's dead reckoning on the plans in use, and provides the resulting position to the filter.
struct PlanFollower: Sendable, Codable {
    private(set) var library = PlanLibrary()
    private(set) var matcher: PlanMatcher?
    /// Total displacement of all steps that the matcher has processed. Unit: metres.
    private var followed = Vector2()
    /// Rotation of the track from the gyro frame to ENU at the newest step that the matcher has processed.
    private var followedDirection = GyroDirection()
    /// Time of the newest step that the matcher has processed.
    private var followedAt: BootTime?
    /// Sum of the variances of the newest match. Unit: m².
    private var matchedVariance = 0.0
    /// Level of the newest match; its time is `knownAt`.
    private var known: KnownLevel?
    private var knownAt: BootTime?
    private var soughtAt: BootTime?
    /// Time at which the matcher started.
    private var beganAt: BootTime?

    /// Standard deviation beyond which a position is too uncertain for the matcher to start from. Unit: metres.
    private static let vague = 20.0
    /// Share of the newest match's variance below which the variance of the position shows that another source has
    /// measured it.
    private static let shownShare = 0.95
    /// Shortest time between two starts of the matcher. It prevents useless restarts when other sources provide
    /// frequent positions. Unit: seconds.
    private static let beginSeconds = 5.0
    /// Time between two searches for plans. Unit: seconds.
    private static let seekingSeconds = 0.5
    /// Time for which a level counts as known after the last match on it. Unit: seconds.
    private static let knownSeconds = 120.0
    /// Probability beyond which a level counts as known.
    private static let knownShare = 0.5
    /// Ratio to the newest match's variance beyond which a variance shows that the track since the match is unknown.
    private static let widening = 9.0
    /// Variance below which `widening` is ignored. Unit: m².
    private static let minimumVariance = 9.0
    /// Displacement between two steps beyond which dead reckoning must have restarted. Unit: metres.
    private static let maximumStep = 50.0

    /// Replaces the plans in use. Tracking continues on levels that the new plans contain. If no plan is being
    /// followed, the new plans are searched.
    mutating func use(_ library: PlanLibrary) {
        let isSame = library == self.library
        self.library = library
        guard !isSame else { return }
        soughtAt = nil
        if matcher?.stays(on: library) == false { matcher = nil }
    }

    /// Discards the wearer's position on the plans.
    mutating func restart() {
        matcher = nil
        soughtAt = nil
    }

    /// Most probable plan and its most probable level; nil while the wearer is on no plan.
    var use: PlanUse? {
        guard let matcher else { return nil }
        let best = matcher.best
        return PlanUse(
            plan: best.plan, name: library.plans.first { $0.plan.id == best.plan }?.plan.name ?? "", level: best.level,
            planProbability: best.planProbability, levelProbability: best.levelProbability,
            noPlanProbability: best.noPlanProbability, distance: matcher.distance)
    }

    mutating func shift(by offset: Vector3) { matcher?.shift(by: Vector2(offset)) }

    /// Whether there is a step to process, or a search for plans is due. `mutating` avoids a copy of the matcher.
    @inline(__always)
    mutating func isDue(_ walked: Vector2, at time: BootTime) -> Bool {
        guard !library.grids.isEmpty else { return false }
        guard matcher == nil else { return walked != followed }
        return soughtAt.map { time.seconds(since: $0) >= Self.seekingSeconds } ?? true
    }

    /// Processes the newest step.
    ///
    /// - Parameter reckoned: dead reckoning; nil if another source determines the position.
    /// - Returns: position for the filter; nil if the plans provide no new information.
    mutating func follow(_ reckoned: ReckonedPosition?, on plane: LocalTangentPlane?, at time: BootTime)
        -> MatchedPosition?
    {
        guard let reckoned, let plane else {
            matcher = nil
            soughtAt = time
            return nil
        }
        let displacement = reckoned.displacement - followed
        followed = reckoned.displacement
        let correction = reckoned.direction.correction(since: followedDirection) ?? 0
        followedDirection = reckoned.direction
        let pause = followedAt.map { time.seconds(since: $0) } ?? 0
        followedAt = time
        let variance = reckoned.variance.x + reckoned.variance.y
        guard matcher != nil, displacement.norm < Self.maximumStep, continues(variance) else {
            begin(reckoned, on: plane, at: time)
            return nil
        }
        guard
            let match = matcher?.walk(
                displacement, correction: correction, byPlans: reckoned.planTurn, height: reckoned.height, after: pause)
        else {
            return nil
        }
        if let level = matcher?.level(of: match) {
            (known, knownAt) = (match.levelProbability > Self.knownShare ? level : nil, time)
        }
        matchedVariance = match.eastVariance + match.northVariance
        return MatchedPosition(
            time: time, position: match.position, variance: Vector2(match.eastVariance, match.northVariance),
            covariance: match.eastNorthCovariance, direction: reckoned.direction, turn: match.turn,
            turnVariance: match.turnDeviation * match.turnDeviation)
    }

    /// Whether the newest match and the steps since then explain the variance of the position.
    private func continues(_ variance: Double) -> Bool {
        variance >= Self.shownShare * matchedVariance
            && variance <= max(Self.minimumVariance, Self.widening * matchedVariance)
    }

    private mutating func begin(_ reckoned: ReckonedPosition, on plane: LocalTangentPlane, at time: BootTime) {
        restart()
        soughtAt = time
        if let beganAt, (0..<Self.beginSeconds).contains(time.seconds(since: beganAt)) { return }
        let deviation = Vector2(reckoned.variance.x.squareRoot(), reckoned.variance.y.squareRoot())
        guard max(deviation.x, deviation.y) < Self.vague else { return }
        if let knownAt, time.seconds(since: knownAt) > Self.knownSeconds { known = nil }
        matcher = PlanMatcher(
            library, on: plane, position: reckoned.position, deviation: deviation,
            directionDeviation: reckoned.directionVariance.squareRoot(), byPlans: reckoned.planTurn, knowing: known)
        matchedVariance = reckoned.variance.x + reckoned.variance.y
        if matcher != nil { beganAt = time }
    }
}

extension PlanFollower: CheckedState {
    /// Discards the tracking on plans that are no longer in use.
    mutating func settle() -> Bool {
        if matcher?.hasAllLevels == false { restart() }
        return true
    }
}

/// Corrects the published position according to the paths on which the wearer walks.
///
/// The filter does not use this correction, because a position that paths have corrected must not confirm the paths.
struct PathCorrection: Sendable, Codable {
    private var follower = PathFollower()
    private var paths = PathsAtHand()
    /// Checksum of the paths that the follower uses; 0 without paths.
    private var followed: UInt32 = 0
    /// Time of the last update of the follower.
    private var lookedAt: BootTime?
    private var steppedAt: BootTime?
    /// Correction of the published position. It settles towards the follower's correction. Frame: ENU, horizontal.
    /// Unit: metres.
    private(set) var shift = Vector3.zero
    /// Ratio of the accuracy of the corrected position to the accuracy of the filter's position.
    private(set) var accuracyRatio = 1.0

    /// Time between two updates of the follower. Unit: seconds.
    private static let lookSeconds = 0.2
    /// Time constant with which the published correction settles. Unit: seconds. Origin: a fix corrects an error of a
    /// metre about as quickly.
    private static let followSeconds = 1.0
    /// Size below which a remaining correction is set to zero when no paths are in use. Unit: metres.
    private static let slight = 1e-3

    mutating func use(_ network: PathNetwork?) {
        paths = PathsAtHand(network: network)
        let checksum = network?.checksum ?? 0
        guard checksum != followed else { return }
        follower.changeNetwork()
        followed = checksum
    }

    /// Discards the estimated error of the position, because a floor plan has corrected the position.
    mutating func forget() {
        follower.forget()
        accuracyRatio = 1
    }

    /// Guesses of all hypotheses; empty without paths.
    var guesses: [PathFollower.Guess] { paths.network == nil ? [] : follower.guesses }

    /// Discards all knowledge of the position.
    mutating func restart() {
        let network = paths
        self = PathCorrection()
        paths = network
        followed = paths.network?.checksum ?? 0
    }

    /// Whether paths are in use, or a correction from earlier paths remains.
    @inline(__always)
    var isInUse: Bool { paths.network != nil || shift.squaredNorm > 0 }

    /// Updates the correction at the newest inertial step.
    ///
    /// - Parameters:
    ///   - position: position without the correction; nil while unknown.
    ///   - accuracy: accuracy (68 % radius) of that position. Unit: metres.
    ///   - isMeasured: whether satellites measure the motion.
    mutating func step(
        to position: @autoclosure () -> GeodeticPosition?, accuracy: @autoclosure () -> Double?, isMeasured: Bool,
        at time: BootTime
    ) {
        let duration = steppedAt.map { max(0, time.seconds(since: $0)) } ?? 0
        steppedAt = time
        let elapsed = lookedAt.map { time.seconds(since: $0) } ?? Self.lookSeconds
        if elapsed < 0 || elapsed >= Self.lookSeconds {
            lookedAt = time
            look(at: position(), accuracy: accuracy(), isMeasured: isMeasured, after: max(0, elapsed))
        }
        let target = paths.network == nil ? Vector2() : follower.correction
        let rest = Vector3(target.x, target.y, 0) - shift
        shift += rest * min(1, duration / Self.followSeconds)
        if paths.network == nil, shift.norm < Self.slight { shift = .zero }
    }

    private mutating func look(
        at position: GeodeticPosition?, accuracy: Double?, isMeasured: Bool, after duration: Double
    ) {
        guard let network = paths.network, let position, let accuracy else {
            forget()
            return
        }
        let deviation = accuracy / PoseAccuracy.radius68
        let variance = deviation * deviation
        if isMeasured {
            follower.follow(network.point(of: position), variance: variance, after: duration, on: network)
        } else {
            follower.wait(duration, variance: variance)
        }
        accuracyRatio = follower.hasBegun ? follower.accuracyRatio : 1
    }
}

extension PathCorrection: CheckedState {
    /// Largest published correction allowed in a saved state. Unit: metres.
    private static let maximumDistance = 1e5

    /// Discards the tracking on paths that are no longer in use.
    mutating func settle() -> Bool {
        use(paths.network)
        return shift.norm <= Self.maximumDistance && (0...1e3).contains(accuracyRatio)
    }
}

/// Paths in use. The caller provides them, so they are not part of a saved state.
struct PathsAtHand: Sendable, Unsaved {
    var network: PathNetwork?
}
