import Geometry

/// A place that an arrow passes on its way to the next arrow's place.
public struct PathPoint: Hashable, Sendable {
    /// Of that way, in [0, 1].
    public var share: Double
    /// Frame: scene. Unit: metres.
    public var position: Vector3
    /// In which the route leads there, as `Placement.course`. Unit: radians.
    public var course: Double
}
