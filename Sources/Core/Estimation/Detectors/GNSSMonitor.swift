import Geometry
import Model

/// Monitors the fixes: adapts their error model and detects jumps and wrong positions.
package struct GNSSMonitor: Sendable, Codable {
    /// Part of the position variance, per axis, that averaging any number of fixes does not reduce. It is added to
    /// published accuracies. Unit: m².
    package private(set) var lastingVariance = 0.0
    /// Epoch of the last fix that was not weak.
    package var lastAiding: BootTime?
    /// Last GNSS speed over ground. Unit: m/s.
    package var lastSpeed = 0.0
    /// Running mean of the square root of the interval between fixes; 1 at 1 Hz. The rarer the fixes are, the less
    /// their slow errors average out.
    private var rarity = 1.0
    /// Stationary standard deviation of the slowly varying position error, per axis. Frame: ENU. Unit: metres.
    package var errorStandardDeviation = Vector3.zero
    /// Stationary standard deviation of the slowly varying velocity error, per axis. Frame: ENU. Unit: m/s.
    package var velocityErrorStandardDeviation = Vector3.zero
    /// Jumps of the receiver's error that are subtracted from its positions. Frame: ENU, horizontal. Unit: metres.
    var jumpOffset = Vector3.zero
    package private(set) var lastPosition: BootTime?
    package var hasPosition = false
    package private(set) var lastVelocity: BootTime?
    package var motion = ReceiverMotion()
    /// Evidence that the receiver's velocities wander (`VelocityErrorMonitor`), 0…1.
    var wandering = 0.0
    package var velocityConsistency = VelocityConsistency()
    package var velocityNoise = VelocityNoise()
    /// Normalised innovation squared (NIS) of the last position, with three degrees of freedom.
    package private(set) var positionSquare = 0.0
    /// NIS of the last velocity, with three degrees of freedom.
    package var velocitySquare = 0.0
    /// Epoch of the first position in the current series of positions beyond the gate.
    private var outlierSince: BootTime?
    private var outliers = 0
    /// Time since which the receiver's estimated error has been larger than usual.
    private var largeErrorSince: BootTime?
    /// Time since which positions have arrived without a gap.
    private var steadySince: BootTime?
    /// Scale of the reported horizontal accuracy.
    package var positionScale = AccuracyScale()
    /// Scale of the reported vertical accuracy.
    package var heightScale = AccuracyScale()
    /// Whether a detected jump still has to be handled. A weak fix does not handle it, but leaves it to the next
    /// regular fix.
    private var isJumpPending = false

    enum PositionVerdict: Hashable, Sendable {
        /// The position is as expected, or is a single outlier.
        case usual
        /// Several successive outliers followed a steady stream, so that multipath is likely.
        case jump
        /// Several successive outliers show that the estimated position is wrong.
        case reset
    }

    /// Checks an applied position against earlier positions.
    ///
    /// - Parameters:
    ///   - distance: norm of the innovation; nil for a weak fix, which cannot reveal a jump. Unit: metres.
    ///   - error: estimated slow error of the receiver. Unit: metres.
    mutating func notePosition(
        _ outcome: CorrectionOutcome, distance: Double?, error: Vector3, at time: BootTime,
        settings: EstimatorSettings.GNSS
    ) -> PositionVerdict {
        if time.seconds(since: lastPosition ?? time) > Self.maximumSteadyInterval { steadySince = nil }
        steadySince = steadySince ?? time
        if let lastPosition {
            let interval = max(1, min(Self.rarestInterval, time.seconds(since: lastPosition)))
            rarity += Self.rarityShare * (interval.squareRoot() - rarity)
        }
        lastPosition = time
        positionSquare = outcome.normalizedInnovationSquared
        if hasLargeErrorLasted(error, at: time, settings) { return reset() }
        guard outcome.isOutlier else {
            forgetOutliers()
            return .usual
        }
        outliers += 1
        let since = outlierSince ?? time
        outlierSince = since
        guard time.seconds(since: since) < settings.resetSeconds else { return reset() }
        if outliers % settings.outliersToJump == 0 { isJumpPending = true }
        guard isJumpPending, let distance else { return .usual }
        let wasSteady = steadySince.map { since.seconds(since: $0) >= settings.steadySeconds } ?? false
        guard wasSteady, distance <= Self.maximumMultipath else { return reset() }
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

    /// Whether the receiver's estimated error has been unusually large for long enough that the estimated position must
    /// be wrong.
    private mutating func hasLargeErrorLasted(
        _ error: Vector3, at time: BootTime, _ settings: EstimatorSettings.GNSS
    ) -> Bool {
        let size = error.horizontalNorm
        let usual = Self.largeErrorGate * max(errorStandardDeviation.x, errorStandardDeviation.y)
        guard size > max(settings.resetDistance, usual) else {
            largeErrorSince = nil
            return false
        }
        return largeErrorSince.lasting(at: time) >= settings.resetSeconds
    }

    /// Upper limit of an interval between fixes in `rarity`. Unit: seconds.
    private static let rarestInterval = 4.0
    /// Weight of one fix in `rarity`.
    private static let rarityShare = 0.2
    /// Longest interval between fixes of a steady stream. Unit: seconds.
    private static let maximumSteadyInterval = 3.0
    /// Limit of the receiver's error without a jump, in standard deviations.
    private static let usualGate = 2.0
    /// Limit beyond which the receiver's error is unusually large, in standard deviations.
    private static let largeErrorGate = 4.0
    /// Largest position error that multipath causes. Unit: metres.
    private static let maximumMultipath = 1000.0

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) { motion.shift(by: offset) }

    mutating func note(_ fix: LocalFix, settings: EstimatorSettings.GNSS) {
        motion.note(fix, settings: settings)
        if fix.velocity != nil { lastVelocity = fix.time }
    }

    /// Standard deviation per axis that is added to the published accuracy after a jump, because the positions either
    /// before or after the jump are wrong.
    ///
    /// - Parameter error: estimated slow error of the receiver. Frame: ENU. Unit: metres.
    package func doubt(_ error: Vector3) -> Double {
        let size = (error + jumpOffset).horizontalNorm
        let share = jumpOffset == .zero ? Self.unexplainedShare : Self.jumpShare
        return share * max(0, size - Self.usualGate * max(errorStandardDeviation.x, errorStandardDeviation.y))
    }

    /// Ratio of the standard deviation `doubt` to the estimated error, if the velocities do not explain the error:
    /// √(p/2), where p = ½ is the probability that the wearer has moved.
    private static let unexplainedShare = 0.5
    /// Same ratio as `unexplainedShare`, but for a jump that contradicts the receiver's own velocities: p = ⅕.
    private static let jumpShare = 0.316

    /// Updates `lastingVariance` after a fix that reduced the position variance to `variance` (per axis, m²).
    mutating func noteLasting(_ fix: LocalFix, variance: Double, settings: EstimatorSettings.GNSS) {
        let standardDeviation = fix.horizontalStandardDeviation
        let minimum = settings.minimumShare * standardDeviation
        let lasting = settings.lastingShare * standardDeviation * rarity
        lastingVariance = max(lasting * lasting, minimum * minimum - variance)
    }

    /// Whether at least two successive positions were beyond the gate.
    package var isContradicted: Bool { outliers >= 2 }

    /// Time since the last fix that was not weak; nil before the first. Unit: seconds.
    package func age(at time: BootTime) -> Double? {
        lastAiding.map { time.seconds(since: $0) }
    }
}

/// Position of an earlier fix. Frame: ENU. Unit: metres.
struct FixPoint: Sendable, Codable {
    var position: Vector3
    var time: BootTime
}

/// Detects motion from a receiver's velocities or, if it measures none, from its positions.
package struct ReceiverMotion: Sendable, Codable {
    /// Horizontal norm of the last velocity. Unit: m/s.
    private var speed = 0.0
    /// Standard deviation of the last velocity. Unit: m/s.
    private var speedStandardDeviation = 0.0
    private var lastVelocity: BootTime?
    /// Mean velocity computed from the positions only; older positions fade over `paceSeconds`. Frame: ENU. Unit: m/s.
    private var pace = Vector3.zero
    private var paceStandardDeviation = 0.0
    private var lastPoint: FixPoint?

    package init() {}

    /// Age beyond which a fix contains no information about motion, because a body can stop or start in this time.
    /// Unit: seconds.
    static let freshSeconds = 3.0
    /// Time constant of the mean velocity from positions. Unit: seconds.
    private static let paceSeconds = 4.0
    /// Number of standard deviations of the pace that count as noise.
    private static let paceGate = 4.0
    /// Number of standard deviations of the velocity that count as noise.
    private static let speedGate = 2.0
    /// Noise beyond which a velocity cannot show rest, because a walking speed would be within the noise. Unit: m/s.
    private static let maximumNoise = 1.3

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) { lastPoint?.position += offset }

    package mutating func note(_ fix: LocalFix, settings: EstimatorSettings.GNSS) {
        if let velocity = fix.velocity {
            speed = velocity.horizontalNorm
            speedStandardDeviation = fix.velocityStandardDeviation
            lastVelocity = fix.time
        }
        defer { lastPoint = FixPoint(position: fix.position, time: fix.time) }
        guard let lastPoint else { return }
        let interval = fix.time.seconds(since: lastPoint.time)
        guard interval > 0, interval < Self.freshSeconds else { return pace = .zero }
        // In the sum, the white errors of all positions cancel, except those of the first and the last.
        let share = interval / (Self.paceSeconds + interval)
        pace += ((fix.position - lastPoint.position) / interval - pace) * share
        let standardDeviation = fix.horizontalStandardDeviation
        paceStandardDeviation = standardDeviation * settings.whiteShare / Self.paceSeconds
    }

    /// Whether the body moves; nil if there is no recent fix or the noise is too large.
    ///
    /// - Parameter limit: speed up to which the body counts as being at rest. Unit: m/s.
    package func isMoving(at time: BootTime, beyond limit: Double) -> Bool? {
        if let lastVelocity, time.seconds(since: lastVelocity) < Self.freshSeconds {
            let noise = Self.speedGate * speedStandardDeviation
            if speed > max(limit, noise) { return true }
            if noise < Self.maximumNoise { return false }
        }
        guard let lastPoint, time.seconds(since: lastPoint.time) < Self.freshSeconds else { return nil }
        return pace.horizontalNorm > max(limit, Self.paceGate * paceStandardDeviation) ? true : nil
    }
}
