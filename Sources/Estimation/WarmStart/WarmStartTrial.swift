import Geometry
import Measurements

/// Check, over the first minutes, whether measurements contradict a warm start.
package struct WarmStartTrial: Sendable {
    /// Warm start as used, with its standard deviations at the start.
    var taken: WarmStart
    private let began: BootTime
    private var lastLook: BootTime
    /// Squared errors of the field strength with the hard iron less those without. Unit: squared parts of the field.
    private var excess = 0.0

    /// Duration of the check. Unit: seconds.
    private static let length = 300.0
    /// Interval between two checks. Unit: seconds.
    private static let interval = 0.5
    /// Squared Mahalanobis distance in three dimensions that one in a thousand exceeds.
    private static let gate = 16.3
    /// Noise and nearby iron, in parts of the field.
    private static let strengthMargin = 0.03
    /// Time for which strengths are compared: later a disturbance could decide by chance. Unit: seconds.
    private static let strengthSeconds = 10.0

    init(_ taken: WarmStart, at time: BootTime) {
        self.taken = taken
        began = time
        lastLook = time
    }

    /// Whether the next check is due.
    mutating func isDue(at time: BootTime) -> Bool {
        guard time.seconds(since: lastLook) >= Self.interval, time.seconds(since: began) <= Self.length else {
            return false
        }
        lastLook = time
        return true
    }

    /// Parts from which the estimate has moved beyond their uncertainty.
    func contradicted(by state: NavigationState) -> WarmStart.Parts {
        var parts = WarmStart.Parts()
        if Self.hasLeft(taken.gyroBias, state.gyroBias) { parts.insert(.gyroBias) }
        if Self.hasLeft(taken.accelerometerBias, state.accelerometerBias) { parts.insert(.accelerometerBias) }
        if Self.hasLeft(taken.hardIron, state.hardIron) { parts.insert(.hardIron) }
        return parts
    }

    private static func hasLeft(_ estimate: WarmStart.Estimate<Vector3>?, _ value: Vector3) -> Bool {
        guard let estimate else { return false }
        let (moved, deviation) = (value - estimate.value, estimate.deviation)
        let parts = Vector3(moved.x / deviation.x, moved.y / deviation.y, moved.z / deviation.z)
        return parts.squaredNorm > gate
    }

    /// Adds a magnetic sample; returns whether the field strength is right without the hard iron rather than with it.
    mutating func contradicts(_ field: Vector3, at time: BootTime) -> Bool {
        guard let iron = taken.hardIron, let norm = taken.fieldNorm, time.seconds(since: began) <= Self.strengthSeconds
        else { return false }
        let (warm, cold) = ((field - iron.value).norm / norm - 1, field.norm / norm - 1)
        excess += warm * warm - cold * cold - Self.strengthMargin * Self.strengthMargin
        return excess > 0
    }
}
