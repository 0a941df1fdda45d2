import Geodesy
import Geometry
import Model

/// Where the wearer is: the best estimate, and the way in the scene since then, by the published alignment.
///
/// Its accuracy is that of the fix grown by what the way since adds, never that of the fix as it was.
public struct CurrentPosition: Hashable, Sendable {
    public var time: BootTime
    public var position: GeodeticPosition
    /// What the height counts from; that of the fix.
    public var heightKind: GNSSFix.HeightKind
    /// Radius of 68 %. Unit: metres.
    public var horizontalAccuracy: Double
    /// Of the fix that it is carried on from.
    public var epoch: BootTime
    /// Since that fix, in a straight line over ground. Unit: metres.
    public var travel: Double

    /// Nil for an estimate of another frame, or one without accuracy.
    ///
    /// With the standard deviations per axis σ² = σ_fix² + (k·way)² + (travel·σ_yaw)².
    ///
    /// - Parameters:
    ///   - yawDeviation: of the scene's axes, radians; nil is not known.
    ///   - map: by the published alignment.
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
        travel = SceneAxes.level(move)
        let byFix = accuracy / PoseAccuracy.radius68
        let byWay = settings.travelErrorShare * max(travel, now.way - estimate.way)
        let byYaw = travel * min(Self.unknownYaw, yawDeviation ?? Self.unknownYaw)
        horizontalAccuracy =
            PoseAccuracy.radius68 * (byFix * byFix + byWay * byWay + byYaw * byYaw).squareRoot()
    }

    /// Of a direction of which nothing is known: π/√3. Unit: radians.
    private static let unknownYaw = 1.8138
}
