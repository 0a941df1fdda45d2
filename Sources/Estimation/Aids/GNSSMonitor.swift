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
    /// Unit: m/s.
    package private(set) var horizontalSpeed = 0.0
    /// The first of the positions in a row that lay beyond the gate.
    private var outlierSince: BootTime?
    private var outliers = 0
    package var mustInflate = false
    package var mustReset = false

    package init() {}

    mutating func notePosition(_ outcome: CorrectionOutcome, at time: BootTime, settings: EstimatorSettings.GNSS) {
        lastPosition = time
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

    mutating func noteVelocity(_ velocity: Vector3, _ outcome: CorrectionOutcome, at time: BootTime) {
        lastVelocity = time
        horizontalSpeed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
    }

    /// Whether positions disagree with the estimate just now.
    package var isContradicted: Bool { outliers >= 2 }

    /// Seconds since the last fix of any kind; nil before the first.
    package func age(at time: BootTime) -> Double? {
        guard let lastPosition else { return nil }
        return time.seconds(since: max(lastPosition, lastVelocity ?? lastPosition))
    }
}
