import Geometry

/// Source of the sound: one placement of the scene.
public struct BeaconTarget: Hashable, Sendable {
    /// Id of the placement.
    public var id: String
    /// Generation of the scene frame of `position`.
    public var generation: Int
    /// Position. Frame: scene. Unit: metres.
    public var position: Vector3
    /// Standard deviation of its direction from the wearer; nil while heading or position are unknown. Unit: radians.
    public var directionStandardDeviation: Double?
    /// Distance within which the wearer has arrived; 0 if the route determines the arrival. Unit: metres.
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
