import Geometry

/// Source of the sound, which is one placement of the scene.
package struct BeaconTarget: Hashable, Sendable {
    package var id: String
    /// Generation of the scene frame in which `position` is given.
    package var generation: Int
    /// Position. Frame: scene. Unit: metres.
    package var position: Vector3
    /// Standard deviation of the direction from the wearer to the target; nil while heading or position are unknown.
    /// Unit: radians.
    package var directionStandardDeviation: Double?
    /// Distance within which the wearer has arrived; 0 if the route determines the arrival. Unit: metres.
    package var arrivalRadius: Double

    package init(
        id: String, generation: Int, position: Vector3, directionStandardDeviation: Double?, arrivalRadius: Double = 0
    ) {
        self.id = id
        self.generation = generation
        self.position = position
        self.directionStandardDeviation = directionStandardDeviation
        self.arrivalRadius = arrivalRadius
    }
}
