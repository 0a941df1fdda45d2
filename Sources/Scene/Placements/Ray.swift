import Geometry

/// Half-line, such as the line of sight or the direction of a controller.
public struct Ray: Hashable, Sendable {
    /// Origin. Frame: scene. Unit: metres.
    public let origin: Vector3
    /// Unit vector of the direction. Frame: scene.
    public let direction: Vector3

    /// Ray from an origin in a direction; nil if the direction is zero or a value is not finite.
    public init?(origin: Vector3, direction: Vector3) {
        guard origin.isFinite, let unit = direction.normalized else { return nil }
        self.origin = origin
        self.direction = unit
    }

    private init(origin: Vector3, unit: Vector3) {
        self.origin = origin
        direction = unit
    }

    /// Line of sight of the wearer, which is body −z.
    public static func lineOfSight(of viewpoint: Viewpoint) -> Ray {
        Ray(
            origin: viewpoint.positionInScene, unit: viewpoint.rotationSceneFromBody * Vector3(0, 0, -1))
    }
}
