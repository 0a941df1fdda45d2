import Geometry
import Model

/// Position, attitude and velocity of the wearer at one instant, with their accuracies. A scene is composed relative to
/// it.
public struct Viewpoint: Sendable {
    package var time: BootTime
    /// Generation of the scene frame; coordinates of different generations are not comparable.
    public var generation: UInt32
    /// Position of the wearer. Frame: scene. Unit: metres.
    public var positionInScene: Vector3
    package var rotationSceneFromBody: Rotation3
    /// Velocity of the wearer. Frame: scene. Unit: m/s.
    public var velocityInScene: Vector3
    /// Transformation between earth and scene that the published alignment defines.
    public var map: SceneMap
    /// Geodetic position of the wearer according to the published alignment.
    public var position: GeodeticPosition
    /// Horizontal accuracy of the wearer's position as a 68 % radius in metres; nil if unknown.
    public var horizontalAccuracy: Double?
    /// Standard deviation of the yaw in radians; nil if unknown.
    public var yawStandardDeviation: Double?
    /// Whether the heights of positions are known, because a height has been reported.
    public var hasHeight: Bool
    /// The geoid as the receiver reports it.
    public var geoid: ReceiverGeoid

    package init(
        time: BootTime, generation: UInt32, positionInScene: Vector3, rotationSceneFromBody: Rotation3,
        velocityInScene: Vector3, map: SceneMap, position: GeodeticPosition, horizontalAccuracy: Double?,
        yawStandardDeviation: Double?, hasHeight: Bool = true, geoid: ReceiverGeoid = ReceiverGeoid()
    ) {
        self.time = time
        self.generation = generation
        self.positionInScene = positionInScene
        self.rotationSceneFromBody = rotationSceneFromBody
        self.velocityInScene = velocityInScene
        self.map = map
        self.position = position
        self.horizontalAccuracy = horizontalAccuracy
        self.yawStandardDeviation = yawStandardDeviation
        self.hasHeight = hasHeight
        self.geoid = geoid
    }
}

/// State of the wearer at one instant. A scene is composed from it.
public struct SceneMoment: Sendable {
    package var pose: PoseEstimate
    /// Viewpoint; nil while the position is unknown.
    public var viewpoint: Viewpoint?
    package var readiness: FrameReadiness
    /// Progress along the current route; nil without a route.
    public var progress: RouteProgress?
    /// UTC as seconds since 1970-01-01; nil while no fix has reported it.
    public var utcSeconds: Double?

    package init(
        pose: PoseEstimate, viewpoint: Viewpoint?, readiness: FrameReadiness, progress: RouteProgress? = nil,
        utcSeconds: Double? = nil
    ) {
        self.pose = pose
        self.viewpoint = viewpoint
        self.readiness = readiness
        self.progress = progress
        self.utcSeconds = utcSeconds
    }
}
