import Geometry
import Measurements

/// Scene at one instant, the same for all displays.
public struct SceneContent: Sendable {
    /// Time of the pose around which it was composed.
    public var time: BootTime
    /// Generation of the scene frame; positions of other generations are not comparable.
    public var generation: UInt32
    /// Position of the wearer's eye. Frame: scene. Unit: metres.
    public var eye: Vector3
    /// Attitude of the wearer: rotation from the body frame to the scene frame.
    public var rotationSceneFromBody: Rotation3
    /// Heading of the line of sight, clockwise from true north; nil while unknown, and for a vertical line of sight.
    /// Unit: radians.
    public var heading: Double?
    /// Readiness of the scene frame for placements.
    public var readiness: FrameReadiness
    /// Summary of the progress along the route; nil without a route.
    public var route: RouteStatus?
    /// Motion of the arrows; nil without a route.
    public var motion: ArrowMotion?
    /// Sun; nil while position or UTC are unknown.
    public var sun: Sun?
    /// Placements in order of their unique identifiers.
    public var placements: [Placement]
    /// Label slots of the placements, in their order, for label sizes other than the settings'.
    public var slots: [LabelSize: [LabelSlot?]] = [:]
    /// Number of placements left out because of the limit.
    public var left = 0
}
