import Estimation
import Geodesy
import Geometry
import Measurements

/// Position of the wearer: the best estimate propagated by the displacement in the scene since then, by the published
/// alignment.
///
/// Its accuracy is that of the fix, increased by the error of the displacement.
public struct CurrentPosition: Hashable, Sendable {
    /// Time of the position.
    public var time: BootTime
    /// Position of the wearer.
    public var position: GeodeticPosition
    /// Vertical datum of the height: that of the fix.
    public var heightKind: GNSSFix.HeightKind
    /// Horizontal accuracy as a 68 % radius. Unit: metres.
    public var horizontalAccuracy: Double
    /// Epoch of the fix from which the position is propagated.
    public var epoch: BootTime
    /// Straight-line distance over ground since that fix. Unit: metres.
    public var travel: Double

    /// Position propagated from an estimate; nil for an estimate of another scene frame or without accuracy.
    ///
    /// With the standard deviations per axis σ² = σ_fix² + (k·way)² + (travel·σ_yaw)².
    ///
    /// - Parameters:
    ///   - yawDeviation: standard deviation of the yaw of the scene's axes, radians; nil if unknown.
    ///   - map: transformation by the published alignment.
    public init?(
        _ estimate: PositionFixEstimate, at now: SceneTrack.Moment, generation: UInt32, map: SceneMap,
        yawDeviation: Double?, settings: SceneSettings.Frame
    ) {
        guard estimate.generation == generation, let accuracy = estimate.accuracy else { return nil }
        let move = now.position - estimate.positionInScene
        guard let position = map.position(ofScene: map.pointInScene(of: estimate.position) + move) else { return nil }
        time = now.time
        self.position = position
        heightKind = estimate.heightKind
        epoch = estimate.epoch
        travel = SceneAxes.horizontalNorm(move)
        let byFix = accuracy / PoseAccuracy.radius68
        let byWay = settings.travelErrorShare * max(travel, now.way - estimate.way)
        let byYaw = travel * min(Self.unknownYaw, yawDeviation ?? Self.unknownYaw)
        horizontalAccuracy =
            PoseAccuracy.radius68 * (byFix * byFix + byWay * byWay + byYaw * byYaw).squareRoot()
    }

    /// Standard deviation of a uniformly distributed direction: π/√3. Unit: radians.
    private static let unknownYaw = 1.8138
}
