import Estimation
import Geometry
import Model
import PlanMatching

/// Follows the dead reckoning of a wearer on the plans at hand, and gives the filter the position on them.
struct PlanFollower: Sendable, Codable {
    /// Plans at hand.
    private(set) var library = PlanLibrary()
    private(set) var matcher: PlanMatcher?
    /// Way of all steps that the matcher has followed. Unit: metres.
    private var followed = Vector2()
    /// Rotation of the way to ENU from the gyro frame at the newest step that the matcher has followed.
    private var followedDirection = GyroDirection()
    /// Time of that step.
    private var followedAt: BootTime?
    /// Sum of the variances of the newest match. Unit: m².
    private var matchedVariance = 0.0
    /// Level of the newest match, and its time.
    private var known: KnownLevel?
    private var knownAt: BootTime?
    /// Time at which plans were last looked for.
    private var soughtAt: BootTime?
    /// Time at which the matcher began.
    private var beganAt: BootTime?

    /// Standard deviation of a position that is too vague to begin with. Unit: metres.
    private static let vague = 20.0
    /// Share of the variance of the newest match below which something else has shown the position.
    private static let shownShare = 0.95
    /// Time between two begins, so that frequent positions of others are not interrupted for nothing. Unit: seconds.
    private static let beginSeconds = 5.0
    /// Time after which plans are looked for again. Unit: seconds.
    private static let seekingSeconds = 0.5
    /// Time for which a level is known after the last match on it. Unit: seconds.
    private static let knownSeconds = 120.0
    /// Probability of a level that is known.
    private static let knownShare = 0.5
    /// Ratio to the variance of the newest match beyond which the way in between is not known.
    private static let widening = 9.0
    /// Variance below which that does not matter. Unit: m².
    private static let leastVariance = 9.0
    /// Way between two steps beyond which dead reckoning has begun anew. Unit: metres.
    private static let longestStep = 50.0

    /// Has other plans at hand from now on. Levels that are followed are followed on if they are among them, and plans
    /// that come are looked for where none is followed.
    mutating func use(_ library: PlanLibrary) {
        let isSame = library == self.library
        self.library = library
        guard !isSame else { return }
        soughtAt = nil
        if matcher?.stays(on: library) == false { matcher = nil }
    }

    /// Forgets where the wearer was.
    mutating func restart() {
        matcher = nil
        soughtAt = nil
    }

    mutating func shift(by offset: Vector3) { matcher?.shift(by: Vector2(offset)) }

    /// Whether there is something to do: a step to follow, or plans to look for.
    @inline(__always)
    func isDue(_ walked: Vector2, at time: BootTime) -> Bool {
        guard !library.grids.isEmpty else { return false }
        guard matcher == nil else { return walked != followed }
        return soughtAt.map { time.seconds(since: $0) >= Self.seekingSeconds } ?? true
    }

    /// Follows the newest step.
    ///
    /// - Parameter reckoned: dead reckoning; nil where it is not what the position is by.
    /// - Returns: position to be given to the filter; nil where plans have nothing new to say.
    mutating func follow(_ reckoned: ReckonedPosition?, on plane: LocalTangentPlane?, at time: BootTime)
        -> MatchedPosition?
    {
        guard let reckoned, let plane else {
            matcher = nil
            soughtAt = time
            return nil
        }
        let way = reckoned.way - followed
        followed = reckoned.way
        let correction = reckoned.direction.correction(since: followedDirection) ?? 0
        followedDirection = reckoned.direction
        let pause = followedAt.map { time.seconds(since: $0) } ?? 0
        followedAt = time
        let variance = reckoned.variance.x + reckoned.variance.y
        guard matcher != nil, way.norm < Self.longestStep, continues(variance) else {
            begin(reckoned, on: plane, at: time)
            return nil
        }
        guard
            let match = matcher?.walk(
                way, correction: correction, byPlans: reckoned.planTurn, height: reckoned.height, after: pause)
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

    /// Whether the accuracy is that of the newest match, and of the steps since then.
    private func continues(_ variance: Double) -> Bool {
        variance >= Self.shownShare * matchedVariance
            && variance <= max(Self.leastVariance, Self.widening * matchedVariance)
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
    /// Gives up what was followed on plans that are not at hand.
    mutating func settle() -> Bool {
        if matcher?.hasAllLevels == false { restart() }
        return true
    }
}
