import Geometry
import Measurements

/// What the filter remembers of the fixes.
package struct GNSSMonitor: Sendable {
    /// A position has been taken.
    package var hasPosition = false
    /// Stationary deviation of the slowly varying position error. Unit: metres.
    package var errorDeviation = Vector3.zero
    /// Stationary deviation of the slowly varying velocity error. Unit: m/s.
    package var velocityErrorDeviation = Vector3.zero
    package private(set) var lastPosition: BootTime?
    package private(set) var lastVelocity: BootTime?
    package private(set) var motion = ReceiverMotion()
    package var velocityConsistency = VelocityConsistency()
    /// Normalised innovations squared (NIS) of the last position and velocity, each of three degrees of freedom.
    package private(set) var positionSquare = 0.0
    package var velocitySquare = 0.0
    /// The first of the positions in a row that lay beyond the gate.
    private var outlierSince: BootTime?
    private var outliers = 0
    package var mustInflate = false
    package var mustReset = false

    package init() {}

    mutating func notePosition(_ outcome: CorrectionOutcome, at time: BootTime, settings: EstimatorSettings.GNSS) {
        lastPosition = time
        positionSquare = outcome.normalizedSquare
        guard outcome.isOutlier else { return forgetOutliers() }
        outliers += 1
        let since = outlierSince ?? time
        outlierSince = since
        if time.seconds(since: since) >= settings.resetSeconds {
            mustReset = true
        } else if outliers % settings.outliersToInflate == 0 {
            mustInflate = true
        }
    }

    /// What they spoke against is given up.
    mutating func forgetOutliers() {
        mustReset = false
        mustInflate = false
        outlierSince = nil
        outliers = 0
    }

    mutating func note(_ fix: LocalFix, settings: EstimatorSettings.GNSS) {
        motion.note(fix, settings: settings)
        if fix.velocity != nil { lastVelocity = fix.time }
    }

    /// Whether positions disagree with the estimate just now.
    package var isContradicted: Bool { outliers >= 2 }

    /// Seconds since the last fix of any kind; nil before the first.
    package func age(at time: BootTime) -> Double? {
        guard let lastPosition else { return nil }
        return time.seconds(since: max(lastPosition, lastVelocity ?? lastPosition))
    }
}
