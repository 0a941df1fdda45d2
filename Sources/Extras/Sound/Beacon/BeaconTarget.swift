import Geometry

/// What sounds: one placement of the scene.
public struct BeaconTarget: Hashable, Sendable {
    /// Id of the placement.
    public var id: String
    /// Number of the scene frame that `position` is in.
    public var generation: Int
    /// Frame: scene. Unit: metres.
    public var position: Vector3
    /// Standard deviation of its direction as the wearer sees it; nil while heading or position are unknown.
    /// Unit: radians.
    public var directionStandardDeviation: Double?
    /// Distance within which the wearer has arrived; 0 where the route says so. Unit: metres.
    public var arrivalRadius: Double

    /// Target of the given properties.
    public init(
        id: String, generation: Int, position: Vector3, directionStandardDeviation: Double?, arrivalRadius: Double = 0
    ) {
        self.id = id
        self.generation = generation
        self.position = position
        self.directionStandardDeviation = directionStandardDeviation
        self.arrivalRadius = arrivalRadius
    }
}
