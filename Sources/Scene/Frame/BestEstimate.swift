import Geodesy
import Measurements

/// Estimate from which the wearer's position is propagated: the one with the smallest horizontal accuracy radius, the
/// newest of equal ones, none that is far from the wearer.
public struct BestEstimate: Sendable {
    /// Selected estimate; nil while none qualifies.
    public private(set) var estimate: PositionFixEstimate?
    private var chosen: BootTime?
    private let settings: SceneSettings.Frame

    /// Selection without an estimate.
    public init(settings: SceneSettings.Frame) { self.settings = settings }

    /// Whether a new selection is due without a new fix, because the wearer may have walked away from the selected
    /// estimate.
    public func isDue(at time: BootTime) -> Bool {
        guard let chosen else { return false }
        return time.seconds(since: chosen) >= settings.estimateSeconds || time < chosen
    }

    /// Selects the best estimate from a buffer.
    ///
    /// - Parameter here: assumed position of the wearer; nil if unknown, which admits estimates at any distance.
    public mutating func choose(from buffer: EstimateBuffer, here: GeodeticPosition?, at time: BootTime) {
        chosen = time
        estimate = nil
        var smallest = Double.infinity
        for index in 0..<buffer.count {
            let candidate = buffer[index]
            // An estimate of unknown accuracy is never the best.
            guard let accuracy = candidate.accuracy else { continue }
            let bucket = (accuracy / settings.estimateBucketMetres).rounded(.down)
            // From the oldest to the newest: an equal one is newer.
            guard bucket <= smallest, isNear(candidate.position, here) else { continue }
            smallest = bucket
            estimate = candidate
        }
    }

    /// Discards the selected estimate.
    public mutating func forget() {
        estimate = nil
        chosen = nil
    }

    private func isNear(_ position: GeodeticPosition, _ here: GeodeticPosition?) -> Bool {
        guard let here else { return true }
        return Geodesic(from: here, to: position).distance <= settings.estimateRangeMetres
    }
}
