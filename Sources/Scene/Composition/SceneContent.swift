import Geometry
import Model

/// The scene at one instant, the same for every display.
public struct SceneContent: Sendable {
    /// Of the pose around which it was composed.
    public var time: BootTime
    /// Positions of another generation mean nothing here.
    public var generation: UInt32
    /// The wearer's. Frame: scene. Unit: metres.
    public var eye: Vector3
    public var rotationSceneFromBody: Rotation3
    /// Of the line of sight, clockwise from true north; nil while it is not known, and straight up or down. Unit: radians.
    public var heading: Double?
    public var readiness: FrameReadiness
    /// Nil without a route.
    public var route: RouteStatus?
    /// Of the arrows; nil without a route.
    public var motion: ArrowMotion?
    /// Nil while place or time are not known.
    public var sun: Sun?
    /// In the order of their ids, which are unique.
    public var placements: [Placement]
    /// Of the placements, in their order, for labels of another size than the settings'.
    public var slots: [LabelSize: [LabelSlot?]] = [:]
    /// Placements beyond the most that one scene may have.
    public var left = 0
}
