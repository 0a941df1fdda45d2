import Geodesy
import Geometry
import Measurements

/// Where the scene frame lies on the earth. Points: `pointENU = Rz(yaw) · B · pointScene + translation`, with B the fixed
/// map (x, y, z) → (x, −z, y) from scene axes to ENU axes.
///
/// Equation: docs/filter.md (53).
@frozen
public struct SceneAlignment: Hashable, Sendable {
    /// Counter-clockwise about up, ENU from the scene's own east. Unit: radians.
    public var yaw: Double
    /// Of the scene's origin. Frame: ENU at `FrameEstimate.origin`. Unit: metres.
    public var translation: Vector3

    /// Takes both in the frames and units of the properties.
    public init(yaw: Double, translation: Vector3) {
        self.yaw = yaw
        self.translation = translation
    }

    /// Frame of the result: ENU at `FrameEstimate.origin`. Unit: metres.
    public func pointENU(ofScene point: Vector3) -> Vector3 {
        Rotation2(yaw: yaw) * Vector3(point.x, -point.z, point.y) + translation
    }
}

/// The scene frame against the earth: what it is now, where it is going, when it will be there, and why.
public struct FrameEstimate: Hashable, Sendable {
    /// Number of the scene frame: it grows when the frame is set anew and older positions lose their meaning.
    public var generation: UInt32
    /// Of the ENU frame; nil until a position is known.
    public var origin: GeodeticPosition?
    /// Under which placements are laid out.
    public var published: SceneAlignment
    /// The filter's own value, which `published` follows as a low-pass.
    public var target: SceneAlignment
    /// When a large correction will have been made, at the earliest; nil while none is under way.
    public var slewEnd: BootTime?
    /// Accuracy of content around the wearer laid out by `published`: the 68 % radius over ground of `target` and of the
    /// remaining shift together; nil is not known. Unit: metres.
    public var horizontalAccuracy: Double?
    /// The same of its yaw, a half-width. Unit: radians.
    public var yawAccuracy: Double?
    /// The target as it was announced before, by the same origin: what has been corrected since is between the two.
    public var before: SceneAlignment
    /// What has moved the target since it was announced before; empty while only `published` moves.
    public var causes: FrameCauses
    /// That moved it the most.
    public var mainCause: FrameCause?

    /// - Parameter before: nil where nothing was announced before.
    public init(
        generation: UInt32, origin: GeodeticPosition?, published: SceneAlignment, target: SceneAlignment,
        slewEnd: BootTime?, before: SceneAlignment? = nil, causes: FrameCauses = [], mainCause: FrameCause? = nil
    ) {
        self.generation = generation
        self.origin = origin
        self.published = published
        self.target = target
        self.slewEnd = slewEnd
        self.before = before ?? target
        self.causes = causes
        self.mainCause = mainCause
    }
}
