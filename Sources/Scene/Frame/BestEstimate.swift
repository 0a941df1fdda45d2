import Geodesy
import Model

/// The estimate that the wearer's position is carried on from: the one of the smallest horizontal accuracy, the newest
/// among equal ones, none that is far from here.
public struct BestEstimate: Sendable {
    public private(set) var estimate: PositionFixEstimate?
    private var chosen: BootTime?
    private let settings: SceneSettings.Frame

    public init(settings: SceneSettings.Frame) { self.settings = settings }

    /// Whether it is time to choose anew without a new fix: what was best has been left behind.
    public func isDue(at time: BootTime) -> Bool {
        guard let chosen else { return false }
        return time.seconds(since: chosen) >= settings.estimateSeconds || time < chosen
    }

    /// Chooses anew.
    ///
    /// - Parameter here: where the wearer is thought to be; nil is not known, then none is too far.
    public mutating func choose(from buffer: EstimateBuffer, here: GeodeticPosition?, at time: BootTime) {
        chosen = time
        estimate = nil
        var smallest = Double.infinity
        for index in 0..<buffer.count {
            let candidate = buffer[index]
            // An accuracy that is not known is never the best.
            guard let accuracy = candidate.accuracy else { continue }
            let bucket = (accuracy / settings.estimateBucketMetres).rounded(.down)
            // From the oldest to the newest: an equal one is newer.
            guard bucket <= smallest, isNear(candidate.position, here) else { continue }
            smallest = bucket
            estimate = candidate
        }
    }

    public mutating func forget() {
        estimate = nil
        chosen = nil
    }

    private func isNear(_ position: GeodeticPosition, _ here: GeodeticPosition?) -> Bool {
        guard let here else { return true }
        return Geodesic(from: here, to: position).distance <= settings.estimateRangeMetres
    }
}
