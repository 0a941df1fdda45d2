import Geometry
import Model

/// Position of the wearer, which is the best estimate plus the displacement in the scene since its epoch. The
/// displacement is converted with the published alignment. The accuracy is that of the fix, increased by the error of
/// the displacement.
public struct CurrentPosition: Hashable, Sendable {
    package var time: BootTime
    package var position: GeodeticPosition
    /// Horizontal accuracy as a 68 % radius. Unit: metres.
    public var horizontalAccuracy: Double
    /// Epoch of the fix from which the position is propagated.
    public var epoch: BootTime
    /// Straight-line horizontal distance from that fix. Unit: metres.
    public var travel: Double

    /// Propagates the position from an estimate; nil for an estimate that has no accuracy or is of another scene frame.
    ///
    /// The standard deviation along each axis is given by σ² = σ_fix² + (k·s)² + (travel·σ_yaw)², where k is
    /// `travelErrorShare`, and s is the distance walked since the fix, at least `travel`.
    ///
    /// - Parameters:
    ///   - yawStandardDeviation: standard deviation of the yaw of the scene's axes, in radians; nil if unknown.
    ///   - map: transformation by the published alignment.
    public init?(
        _ estimate: PositionFixEstimate, at now: SceneTrack.Moment, generation: UInt32, map: SceneMap,
        yawStandardDeviation: Double?, settings: SceneSettings.Frame
    ) {
        guard estimate.generation == generation, let accuracy = estimate.accuracy else { return nil }
        let move = now.position - estimate.positionInScene
        guard let position = map.position(ofScene: map.pointInScene(of: estimate.position) + move) else { return nil }
        time = now.time
        self.position = position
        epoch = estimate.epoch
        travel = SceneAxes.horizontalNorm(move)
        let byFix = accuracy / PoseAccuracy.radius68
        let byDistance = settings.travelErrorShare * max(travel, now.distance - estimate.distance)
        let byYaw = travel * min(Self.unknownYaw, yawStandardDeviation ?? Self.unknownYaw)
        horizontalAccuracy =
            PoseAccuracy.radius68 * (byFix * byFix + byDistance * byDistance + byYaw * byYaw).squareRoot()
    }

    /// Standard deviation of a uniformly distributed direction: π/√3. Unit: radians.
    private static let unknownYaw = 1.8138
}

/// Estimate from which the wearer's position is propagated. It is the estimate with the smallest horizontal accuracy
/// radius, or the newest of several with equal radii. Estimates far from the wearer are excluded.
public struct BestEstimate: Sendable {
    /// Selected estimate; nil if no estimate qualifies.
    public private(set) var estimate: PositionFixEstimate?
    private var chosen: BootTime?
    private let settings: SceneSettings.Frame

    package init(settings: SceneSettings.Frame) { self.settings = settings }

    /// Whether a new selection is due without a new fix, because the wearer may have walked away from the selected
    /// estimate.
    public func isDue(at time: BootTime) -> Bool {
        guard let chosen else { return false }
        return time.seconds(since: chosen) >= settings.estimateSeconds || time < chosen
    }

    /// Selects the best estimate from a buffer.
    ///
    /// - Parameter here: assumed position of the wearer; nil if unknown. Estimates at any distance are then admitted.
    public mutating func choose(from buffer: EstimateBuffer, here: GeodeticPosition?, at time: BootTime) {
        chosen = time
        estimate = nil
        var smallest = Double.infinity
        // Candidates are visited from the newest to the oldest, so that the newest of equal estimates is selected, and
        // the geodesic to the others, which is expensive, is not needed.
        for index in (0..<buffer.count).reversed() {
            let candidate = buffer[index]
            // An estimate of unknown accuracy is never selected.
            guard let accuracy = candidate.accuracy else { continue }
            let bucket = (accuracy / settings.estimateBucketMetres).rounded(.down)
            guard bucket < smallest, isNear(candidate.position, here) else { continue }
            smallest = bucket
            estimate = candidate
        }
    }

    package mutating func forget() {
        estimate = nil
        chosen = nil
    }

    private func isNear(_ position: GeodeticPosition, _ here: GeodeticPosition?) -> Bool {
        guard let here else { return true }
        return Geodesic(from: here, to: position).distance <= settings.estimateRangeMetres
    }
}
