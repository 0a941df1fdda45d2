import Geometry

/// Point in the scene on an arrow's path to the next arrow's point.
public struct PathPoint: Hashable, Sendable {
    /// Share of that path, in [0, 1].
    public var share: Double
    /// Position. Frame: scene. Unit: metres.
    public var position: Vector3
    /// Direction of the route there, as `Placement.course`. Unit: radians.
    public var course: Double
}
