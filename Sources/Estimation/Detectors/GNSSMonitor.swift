import Geometry
import Model

/// What the filter remembers of the fixes.
package struct GNSSMonitor: Sendable {
    /// Variance of the position, per axis, beside the covariance: what fixes like these leave open however many there are.
    /// Unit: m².
    package private(set) var lastingVariance = 0.0
    /// When a fix last told how the body moves.
    package var lastAiding: BootTime?
    /// Over ground, as a receiver last measured it. Unit: m/s.
    package var lastSpeed = 0.0
    /// Fewer fixes show less of what wanders: root of the interval between them, 1 at a second.
    private var rarity = 1.0
    /// Stationary deviation of the slowly varying position error. Unit: metres.
    package var errorDeviation = Vector3.zero
    /// Stationary deviation of the slowly varying velocity error. Unit: m/s.
    package var velocityErrorDeviation = Vector3.zero
    package private(set) var lastPosition: BootTime?
    /// A position has been taken.
    package var hasPosition = false
    package private(set) var lastVelocity: BootTime?
    package private(set) var motion = ReceiverMotion()
    /// Evidence that the receiver's velocities wander, 0…1.
    var wandering = 0.0
    package var velocityConsistency = VelocityConsistency()
    package var velocityNoise = VelocityNoise()
    /// Normalised innovations squared (NIS) of the last position and velocity, each of three degrees of freedom.
    package private(set) var positionSquare = 0.0
    package var velocitySquare = 0.0
    /// The first of the positions in a row that lay beyond the gate.
    private var outlierSince: BootTime?
    private var outliers = 0
    /// Since when the receiver's error is thought to be larger than any usual one.
    private var largeErrorSince: BootTime?
    /// Since when positions have come without a gap.
    private var steadySince: BootTime?
    package var positionScale = AccuracyScale()
    package var heightScale = AccuracyScale()
    /// A jump of the positions has not been acted upon: weak fixes leave it to the next other fix.
    private var isJumpPending = false

    package init() {}

    /// What a position that has been applied shows.
    enum PositionVerdict: Hashable, Sendable {
        /// Nothing new, or a single outlier.
        case usual
        /// Several outliers in a row after a steady stream: multipath.
        case jump
        /// Several outliers in a row, and it is the estimated position that was wrong.
        case reset
    }

    /// Compares a position that has been applied with those before.
    ///
    /// - Parameters:
    ///   - distance: from the estimate before it was applied; nil for a weak fix, which shows no jump. Unit: metres.
    ///   - error: estimated error of the receiver now. Unit: metres.
    mutating func notePosition(
        _ outcome: CorrectionOutcome, distance: Double?, error: Vector3, at time: BootTime,
        settings: EstimatorSettings.GNSS
    ) -> PositionVerdict {
        if time.seconds(since: lastPosition ?? time) > Self.longestSteadyInterval { steadySince = nil }
        steadySince = steadySince ?? time
        if let lastPosition {
            let interval = max(1, min(Self.rarestInterval, time.seconds(since: lastPosition)))
            rarity += Self.rarityShare * (interval.squareRoot() - rarity)
        }
        lastPosition = time
        positionSquare = outcome.normalizedSquare
        if hasLargeErrorLasted(error, at: time, settings) { return reset() }
        guard outcome.isOutlier else {
            forgetOutliers()
            return .usual
        }
        outliers += 1
        let since = outlierSince ?? time
        outlierSince = since
        guard time.seconds(since: since) < settings.resetSeconds else { return reset() }
        if outliers % settings.outliersToLeap == 0 { isJumpPending = true }
        guard isJumpPending, let distance else { return .usual }
        let wasSteady = steadySince.map { since.seconds(since: $0) >= settings.steadySeconds } ?? false
        guard wasSteady, distance <= Self.farthestMultipath else { return reset() }
        isJumpPending = false
        return .jump
    }

    private mutating func reset() -> PositionVerdict {
        largeErrorSince = nil
        forgetOutliers()
        return .reset
    }

    private mutating func forgetOutliers() {
        isJumpPending = false
        outlierSince = nil
        outliers = 0
    }

    /// Whether the receiver's error has been estimated larger than any usual one for so long that it cannot be.
    private mutating func hasLargeErrorLasted(
        _ error: Vector3, at time: BootTime, _ settings: EstimatorSettings.GNSS
    ) -> Bool {
        let size = (error.x * error.x + error.y * error.y).squareRoot()
        let usual = Self.largeErrorGate * max(errorDeviation.x, errorDeviation.y)
        guard size > max(settings.resetDistance, usual) else {
            largeErrorSince = nil
            return false
        }
        let since = largeErrorSince ?? time
        largeErrorSince = since
        return time.seconds(since: since) >= settings.resetSeconds
    }

    /// Unit: seconds, and how quickly the mean follows, a fix.
    private static let rarestInterval = 4.0
    private static let rarityShare = 0.2
    /// Unit: seconds.
    private static let longestSteadyInterval = 3.0
    /// Deviations of the receiver's error that happen without a jump.
    private static let usualGate = 2.0
    /// Deviations of the receiver's error beyond which it is none of the usual ones.
    private static let largeErrorGate = 4.0
    /// No reflection reaches farther. Unit: metres.
    private static let farthestMultipath = 1000.0

    /// Follows a new origin of ENU, which lies at `-offset` in the old one.
    mutating func shift(by offset: Vector3) { motion.shift(by: offset) }

    mutating func note(_ fix: LocalFix, settings: EstimatorSettings.GNSS) {
        motion.note(fix, settings: settings)
        if fix.velocity != nil { lastVelocity = fix.time }
    }

    /// Standard deviation that a jump of the positions leaves: as likely as not, they were wrong before and are right now.
    ///
    /// Frame: ENU. Unit: metres, per axis.
    package func doubt(_ error: Vector3) -> Double {
        let size = (error.x * error.x + error.y * error.y).squareRoot()
        return 0.5 * max(0, size - Self.usualGate * max(errorDeviation.x, errorDeviation.y))
    }

    /// Takes a fix that was applied, and the position's variance after it (per axis, m²).
    mutating func noteLasting(_ fix: LocalFix, variance: Double, settings: EstimatorSettings.GNSS) {
        let deviation = max(fix.positionDeviation.x, fix.positionDeviation.y)
        let least = settings.leastShare * deviation
        let lasting = settings.lastingShare * deviation * rarity
        lastingVariance = max(lasting * lasting, least * least - variance)
    }

    /// Whether positions disagree with the estimate just now.
    package var isContradicted: Bool { outliers >= 2 }

    /// Seconds since the last fix of any kind; nil before the first.
    package func age(at time: BootTime) -> Double? {
        lastAiding.map { time.seconds(since: $0) }
    }
}
