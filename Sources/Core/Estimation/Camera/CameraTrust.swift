import Geometry
import Glibc
import Model

/// Decides whether a camera's odometry is used. The odometry must agree with the motion that the other sensors measure.
///
/// A camera that is new, or that has contradicted the motion, is only watched: its displacement and rotation over each
/// second are compared with the motion of the filter, without a correction. A camera that agrees for several seconds
/// becomes trusted.
package struct CameraTrust: Sendable, Codable {
    /// Whether the camera's poses correct the state.
    package private(set) var isTrusted = false
    /// Latest reason why the camera is not trusted.
    package private(set) var doubt = Doubt.new
    /// Whether the camera has repeated its pose while the wearer moved, and has not reported a new pose since.
    package private(set) var isRepeating = false
    /// Number of successive seconds in which the camera agreed with the motion.
    private var agreed = 0
    /// Mean normalised innovation squared per component, over about two seconds.
    private var surprise = 1.0
    /// Mean normalised innovation squared per component, over a minute. It determines `scale`.
    private var excess = 1.0
    /// Recent rotation of the camera's frame relative to the board, as measured by the camera's poses. The cause is the
    /// drift of the poses or a diverging yaw. Unit: radians.
    private var drift = 0.0
    /// Number of successive seconds that must agree before the camera is trusted.
    private var needed = CameraTrust.minimumNeeded

    /// Duration of a comparison. Unit: seconds.
    static let watchSeconds = 0.99
    /// Number of standard deviations per component beyond which a pose contradicts the motion.
    static let gate = 2.5
    /// Limits of `needed`, which doubles with each contradiction.
    private static let minimumNeeded = 2
    private static let maximumNeeded = 16
    /// Value of `surprise` beyond which successive poses contradict the motion.
    private static let maximumSurprise = 3.0
    /// Number of poses over which `surprise` is averaged.
    private static let memory = 8.0
    /// Number of poses from which the scale is learned: the poses of a minute.
    private static let scaleMemory = 240.0
    /// Upper limit of `scale`.
    private static let maximumScale = 4.0

    /// Time of the newest pose that corrected the state.
    package private(set) var lastUsed: BootTime?

    /// Factor by which the camera's standard deviations are multiplied, derived from its innovations; at least 1.
    package var scale: Double { min(Self.maximumScale, max(1, excess).squareRoot()) }

    /// Time constant with which the drift decays. Unit: seconds.
    private static let driftSeconds = 4.0
    /// Number of standard deviations of the drift beyond which the yaw counts as diverging.
    private static let maximumDrift = 6.0

    /// Records an update by a trusted camera.
    ///
    /// - Parameters:
    ///   - turn: rotation of the camera's frame relative to the board in the update. Unit: radians.
    ///   - walk: drift of the camera's yaw. Unit: rad/√s.
    ///   - gyroDrift: standard deviation of the board's yaw rate. An error of this rate looks like a drift of the
    ///     camera. Unit: rad/s.
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
        let runsAway = drift.magnitude > Self.maximumDrift * usual
        guard !outcome.isAccepted || surprise > Self.maximumSurprise || runsAway else { return }
        doubt = runsAway ? .turnsAway : outcome.isAccepted ? .contradictsMotion : .jumps
        isTrusted = false
        agreed = 0
        surprise = 1
        drift = 0
        needed = min(Self.maximumNeeded, 2 * needed)
    }

    /// Records that a camera repeats exactly the same pose.
    ///
    /// - Parameters:
    ///   - distance: distance that the board has moved since the frame was placed or last corrected by a pose. Unit:
    ///     metres.
    ///   - span: time since the pose last changed. Unit: seconds.
    mutating func noteRepeated(over distance: Double, for span: Double) {
        if distance > Self.repeatedDistance, span > Self.repeatedSeconds { isRepeating = true }
    }

    /// Longest time for which a camera may repeat its pose. Unit: seconds.
    private static let repeatedSeconds = 0.5

    /// Distance that the board must have moved before a repeated pose counts as a failure. A shorter distance may be an
    /// estimation error at rest. Unit: metres.
    private static let repeatedDistance = 0.5

    /// Number of standard deviations of the drift up to which a second of a watched camera counts as agreeing.
    private static let watchedDrift = 4.0

    /// Records a second of a watched camera.
    ///
    /// - Parameters:
    ///   - square: normalised innovation squared per component; nil if unknown.
    ///   - turn: rotation of the camera's frame relative to the board over that second. Unit: radians.
    ///   - standardDeviation: standard deviation of `turn`. Unit: radians.
    ///   - gyroDrift: standard deviation of the board's yaw rate. Unit: rad/s.
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
