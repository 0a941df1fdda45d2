import Geometry

/// A half-line, such as the line of sight or what a controller points along.
public struct Ray: Hashable, Sendable {
    /// Frame: scene. Unit: metres.
    public let origin: Vector3
    /// Of length 1. Frame: scene.
    public let direction: Vector3

    /// Nil where the direction has no direction or anything is not finite.
    public init?(origin: Vector3, direction: Vector3) {
        guard origin.isFinite, let unit = direction.normalized else { return nil }
        self.origin = origin
        self.direction = unit
    }

    private init(origin: Vector3, unit: Vector3) {
        self.origin = origin
        direction = unit
    }

    /// Straight ahead of the wearer, which is body −z.
    public static func lineOfSight(of viewpoint: Viewpoint) -> Ray {
        Ray(
            origin: viewpoint.positionInScene, unit: viewpoint.rotationSceneFromBody * Vector3(0, 0, -1))
    }
}
