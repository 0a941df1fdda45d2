import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Whether the odometry of a camera is used: while it agrees with the motion by the other sensors.
///
/// A camera that is new, or has contradicted the motion, is watched: over a second at a time its displacement and
/// rotation are compared and correct nothing. Some seconds that agree make it trusted.
package struct CameraTrust: Sendable, Codable {
    /// Whether its poses correct the state.
    package private(set) var isTrusted = false
    /// Reason why it is not trusted, or was not before.
    package private(set) var doubt = Doubt.new
    /// Whether it has repeated its pose while the wearer moved, and not reported another one since.
    package private(set) var isRepeating = false
    /// Number of successive seconds that agreed.
    private var agreed = 0
    /// Mean normalised innovation squared per component, over about two seconds.
    private var surprise = 1.0
    /// The same over a minute, from which the scale follows.
    private var excess = 1.0
    /// Rotation of the camera's frame against the board that its poses have shown of late: their drift, or that of a
    /// yaw that runs away. Unit: radians.
    private var drift = 0.0
    /// Number of seconds that must agree.
    private var needed = CameraTrust.fewest

    /// Length of a comparison. Unit: seconds.
    static let watchSeconds = 0.99
    /// Standard deviations per component beyond which a pose contradicts.
    static let gate = 2.5
    /// Least and largest number of seconds that must agree; it doubles with each contradiction.
    private static let fewest = 2
    private static let most = 16
    /// Mean normalised square beyond which successive poses contradict.
    private static let largestSurprise = 3.0
    /// Number of poses in that mean.
    private static let memory = 8.0
    /// Number of poses from which the scale is learned: a minute.
    private static let scaleMemory = 240.0
    /// Largest factor of the standard deviations.
    private static let largestScale = 4.0

    /// Time of the newest pose that corrected the state.
    package private(set) var lastUsed: BootTime?

    package init() {}

    /// Factor of the standard deviations of the camera, by its innovations so far; at least 1.
    package var scale: Double { min(Self.largestScale, max(1, excess).squareRoot()) }

    /// Time constant with which the drift is forgotten. Unit: seconds.
    private static let driftSeconds = 4.0
    /// Standard deviations of the drift beyond which the yaw runs away.
    private static let largestDrift = 6.0

    /// Notes an update by a trusted camera.
    ///
    /// - Parameters:
    ///   - turn: rotation of the camera's frame against the board by the update. Unit: radians.
    ///   - walk: drift of the camera's yaw. Unit: rad/√s.
    ///   - gyroDrift: standard deviation of the board's yaw rate, whose error looks like a drift of the camera. Unit:
    ///     rad/s.
    mutating func note(
        _ outcome: CorrectionOutcome, turn: Double, walk: Double, gyroDrift: Double, over span: Double,
        at time: BootTime
    ) {
        isRepeating = false
        drift = drift * exp(-span / Self.driftSeconds) + turn
        let (own, gyro) = (walk * scale, gyroDrift * Self.driftSeconds)
        let usual = (own * own * Self.driftSeconds / 2 + gyro * gyro).squareRoot()
        let square = outcome.normalizedInnovationSquared / Double(outcome.dimensions)
        surprise += (min(25, square) - surprise) / Self.memory
        if outcome.isAccepted { lastUsed = time }
        if outcome.isAccepted { excess += (square * scale * scale - excess) / Self.scaleMemory }
        let runsAway = drift.magnitude > Self.largestDrift * usual
        guard !outcome.isAccepted || surprise > Self.largestSurprise || runsAway else { return }
        doubt = runsAway ? .turnsAway : outcome.isAccepted ? .contradictsMotion : .jumps
        isTrusted = false
        agreed = 0
        surprise = 1
        drift = 0
        needed = min(Self.most, 2 * needed)
    }

    /// Notes that a camera repeats its pose to the bit.
    ///
    /// - Parameters:
    ///   - distance: distance that the board has moved since the frame was placed, or a pose corrected. Unit: metres.
    ///   - span: time since the pose was new. Unit: seconds.
    mutating func noteRepeated(over distance: Double, for span: Double) {
        if distance > Self.repeatedDistance, span > Self.repeatedSeconds { isRepeating = true }
    }

    /// Time for which a camera may repeat its pose. Unit: seconds.
    private static let repeatedSeconds = 0.5

    /// Distance beyond which a board whose camera repeats its pose has moved: less may be an error of the estimate of
    /// one that is at rest. Unit: metres.
    private static let repeatedDistance = 0.5

    /// Standard deviations of the drift beyond which a second of a camera that is watched does not agree.
    private static let watchedDrift = 4.0

    /// Notes a second of a camera that is watched.
    ///
    /// - Parameters:
    ///   - square: normalised innovation squared per component; nil for none.
    ///   - turn: rotation of the camera's frame against the board over that time, and its standard deviation. Unit:
    ///     radians.
    ///   - gyroDrift: as above.
    mutating func noteWatched(
        _ square: Double?, turn: Double, standardDeviation: Double, gyroDrift: Double, over span: Double,
        at time: BootTime
    ) {
        isRepeating = false
        let kept = exp(-span / Self.driftSeconds)
        drift = drift * kept + turn
        let gyro = gyroDrift * Self.driftSeconds
        let usual = (standardDeviation * standardDeviation / (1 - kept * kept) + gyro * gyro).squareRoot()
        let runsAway = drift.magnitude >= Self.watchedDrift * usual
        guard let square, square < Self.gate * Self.gate, !runsAway else {
            doubt = runsAway ? .turnsAway : .contradictsMotion
            agreed = 0
            return
        }
        agreed += 1
        guard agreed >= needed else { return }
        isTrusted = true
        surprise = 1
        drift = 0
    }
}

extension CameraTrust {
    /// Reason why a camera is not trusted.
    package enum Doubt: UInt8, Sendable, Codable {
        case new, jumps, contradictsMotion, turnsAway
    }
}
