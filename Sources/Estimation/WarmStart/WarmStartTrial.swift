import Geometry
import Model

/// Watches, for the first minutes, whether measurements speak against what a warm start gave.
package struct WarmStartTrial: Sendable {
    /// As it was taken, with the deviations that it had then.
    var taken: WarmStart
    private let began: BootTime
    private var lastLook: BootTime
    /// How much worse the strength of the field comes out with the hard iron than without. Unit: squared parts of it.
    private var excess = 0.0

    /// Units: seconds.
    private static let length = 300.0
    private static let interval = 0.5
    /// Of a squared distance in three dimensions, in units of the variance: one in a thousand lies beyond.
    private static let gate = 16.3
    /// Noise and iron beside the way, in parts of the field.
    private static let strengthMargin = 0.03
    /// How long strengths are compared: later a disturbance would decide by chance. Unit: seconds.
    private static let strengthSeconds = 10.0

    init(_ taken: WarmStart, at time: BootTime) {
        self.taken = taken
        began = time
        lastLook = time
    }

    /// Whether it is time to look again.
    mutating func isDue(at time: BootTime) -> Bool {
        guard time.seconds(since: lastLook) >= Self.interval, time.seconds(since: began) <= Self.length else {
            return false
        }
        lastLook = time
        return true
    }

    /// Parts from which the estimate has moved farther than they allowed.
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

    /// Adds a magnetic sample, and says whether the strength of the field came out better if the hard iron were not there.
    mutating func contradicts(_ field: Vector3, at time: BootTime) -> Bool {
        guard let iron = taken.hardIron, let norm = taken.fieldNorm, time.seconds(since: began) <= Self.strengthSeconds
        else { return false }
        let (warm, cold) = ((field - iron.value).norm / norm - 1, field.norm / norm - 1)
        excess += warm * warm - cold * cold - Self.strengthMargin * Self.strengthMargin
        return excess > 0
    }
}
