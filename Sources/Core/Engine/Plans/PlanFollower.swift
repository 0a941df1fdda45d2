import Estimation
import Geometry
import Model
import PlanMatching

/// Tracks the dead reckoning of a wearer on the plans in use, and provides the resulting position to the filter.
struct PlanFollower: Sendable, Codable {
    private(set) var library = PlanLibrary()
    private(set) var matcher: PlanMatcher?
    /// Displacement by all steps that the matcher has processed. Unit: metres.
    private var followed = Vector2()
    /// Rotation of the track to ENU from the gyro frame at the newest step that the matcher has processed.
    private var followedDirection = GyroDirection()
    /// Time of the newest step that the matcher has processed.
    private var followedAt: BootTime?
    /// Sum of the variances of the newest match. Unit: m².
    private var matchedVariance = 0.0
    /// Level of the newest match; its time is `knownAt`.
    private var known: KnownLevel?
    private var knownAt: BootTime?
    /// Time of the last search for plans.
    private var soughtAt: BootTime?
    /// Time at which the matcher started.
    private var beganAt: BootTime?

    /// Standard deviation beyond which a position is too uncertain to start with. Unit: metres.
    private static let vague = 20.0
    /// Share of the variance of the newest match below which another source must have measured the position.
    private static let shownShare = 0.95
    /// Least time between two starts, so that frequent positions from other sources do not restart the matcher in vain.
    /// Unit: seconds.
    private static let beginSeconds = 5.0
    /// Time between two searches for plans. Unit: seconds.
    private static let seekingSeconds = 0.5
    /// Time for which a level counts as known after the last match on it. Unit: seconds.
    private static let knownSeconds = 120.0
    /// Probability beyond which a level counts as known.
    private static let knownShare = 0.5
    /// Ratio of a variance to the variance of the newest match beyond which the track since the match is unknown.
    private static let widening = 9.0
    /// Variance below which `widening` is ignored. Unit: m².
    private static let minimumVariance = 9.0
    /// Displacement between two steps that indicates a restart of dead reckoning. Unit: metres.
    private static let maximumStep = 50.0

    /// Replaces the plans in use. Tracking continues on levels that are among the new plans; if no plan is being
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

    /// Most probable plan and its most probable level; nil while the wearer is not on a plan.
    var use: PlanUse? {
        guard let matcher else { return nil }
        let best = matcher.best
        return PlanUse(
            plan: best.plan, name: library.plans.first { $0.plan.id == best.plan }?.plan.name ?? "", level: best.level,
            planProbability: best.planProbability, levelProbability: best.levelProbability,
            noPlanProbability: best.noPlanProbability, distance: matcher.distance)
    }

    mutating func shift(by offset: Vector3) { matcher?.shift(by: Vector2(offset)) }

    /// Whether there is a step to process, or a search for plans is due.
    @inline(__always)
    func isDue(_ walked: Vector2, at time: BootTime) -> Bool {
        guard !library.grids.isEmpty else { return false }
        guard matcher == nil else { return walked != followed }
        return soughtAt.map { time.seconds(since: $0) >= Self.seekingSeconds } ?? true
    }

    /// Processes the newest step.
    ///
    /// - Parameter reckoned: dead reckoning; nil if another source determines the position.
    /// - Returns: position for the filter; nil if plans provide no new information.
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

    /// Whether the accuracy is explained by the newest match and the steps since then.
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
    /// Discards what was tracked on plans that are no longer in use.
    mutating func settle() -> Bool {
        if matcher?.hasAllLevels == false { restart() }
        return true
    }
}

/// Correction of the published position from the paths that the wearer walks on.
///
/// The filter does not use this correction: a position that paths have corrected must not confirm the paths.
struct PathCorrection: Sendable, Codable {
    private var follower = PathFollower()
    private var paths = PathsAtHand()
    /// Checksum of the paths that the follower uses; 0 without paths.
    private var followed: UInt32 = 0
    /// Time of the last update of the follower.
    private var lookedAt: BootTime?
    /// Time of the last inertial step.
    private var steppedAt: BootTime?
    /// Correction of the published position, which settles towards the follower's correction. Frame: ENU, horizontal.
    /// Unit: metres.
    private(set) var shift = Vector3.zero
    /// Ratio of the accuracy of the corrected position to the accuracy of the filter's position.
    private(set) var accuracyRatio = 1.0

    /// Time between two updates of the follower. Unit: seconds.
    private static let lookSeconds = 0.2
    /// Time constant with which the published correction settles. Unit: seconds. Origin: as quick as a correction of a
    /// metre by a fix.
    private static let followSeconds = 1.0
    /// Size below which a correction is rounded to zero once no paths are in use. Unit: metres.
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

    /// Guess of each hypothesis; empty without paths.
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

    /// Updates at the newest inertial step.
    ///
    /// - Parameters:
    ///   - position: position without the correction; nil while unknown.
    ///   - accuracy: accuracy of that position, a 68 % radius. Unit: metres.
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

    /// Discards what was tracked on paths that are no longer in use.
    mutating func settle() -> Bool {
        use(paths.network)
        return shift.norm <= Self.maximumDistance && (0...1e3).contains(accuracyRatio)
    }
}

/// Paths in use. They are provided by the caller, and are not part of a saved state.
struct PathsAtHand: Sendable, Unsaved {
    var network: PathNetwork?
}
