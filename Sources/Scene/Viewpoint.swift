import Geodesy
import Geometry
import Model

/// The wearer at one instant, as the scene is composed around: where, turned how, how well known.
public struct Viewpoint: Sendable {
    public var time: BootTime
    public var generation: UInt32
    /// Frame: scene. Unit: metres.
    public var positionInScene: Vector3
    public var rotationSceneFromBody: Rotation3
    /// Frame: scene. Unit: m/s.
    public var velocityInScene: Vector3
    /// By the published alignment.
    public var map: SceneMap
    /// Of the wearer, by the published alignment.
    public var position: GeodeticPosition
    /// Radius of 68 %, metres; nil is not known.
    public var horizontalAccuracy: Double?
    /// Standard deviation, radians; nil is not known.
    public var yawDeviation: Double?
    /// What the heights of positions count from; unknown until a fix has told a height.
    public var heightKind: GNSSFix.HeightKind
    /// Of mean sea level above the ellipsoid, metres; nil is not known.
    public var geoidSeparation: Double?

    public init(
        time: BootTime, generation: UInt32, positionInScene: Vector3, rotationSceneFromBody: Rotation3,
        velocityInScene: Vector3, map: SceneMap, position: GeodeticPosition, horizontalAccuracy: Double?,
        yawDeviation: Double?, heightKind: GNSSFix.HeightKind = .ellipsoidal, geoidSeparation: Double? = nil
    ) {
        self.time = time
        self.generation = generation
        self.positionInScene = positionInScene
        self.rotationSceneFromBody = rotationSceneFromBody
        self.velocityInScene = velocityInScene
        self.map = map
        self.position = position
        self.horizontalAccuracy = horizontalAccuracy
        self.yawDeviation = yawDeviation
        self.heightKind = heightKind
        self.geoidSeparation = geoidSeparation
    }
}
