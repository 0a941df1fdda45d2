import Geometry
import Glibc
import Model

/// Rotations that turn flat objects towards the wearer. Their front is +z, and their upper edge is +y.
public enum Billboard {
    /// Returns the yaw about the scene's up axis, which keeps the object upright. It is counter-clockwise seen from
    /// above, in radians in [−π, π].
    ///
    /// The yaw is undefined for a point straight above or below the eye, and 0 is returned.
    public static func yaw(of point: Vector3, from eye: Vector3) -> Double {
        let line = eye - point
        // Without this test, the angle of (0, −0) would be half a turn.
        guard line.x != 0 || line.z != 0 else { return 0 }
        return atan2(line.x, line.z)
    }

    /// Returns the rotation about two axes that also turns the object towards an eye above or below it. The upper edge
    /// stays horizontal.
    ///
    /// Frames: scene from billboard.
    public static func fullRotation(of point: Vector3, from eye: Vector3) -> Rotation3 {
        let line = eye - point
        let elevation = atan2(line.y, hypot(line.x, line.z))
        let upright = Rotation3.exp(Vector3(0, yaw(of: point, from: eye), 0))
        return upright * Rotation3.exp(Vector3(-elevation, 0, 0))
    }

    /// Returns the rotation of a label on the display that makes it horizontal in the scene, counter-clockwise, in
    /// radians in [−π, π].
    ///
    /// The rotation is `atan2(−U_x, U_y)`, where U is the scene's up axis in body axes. With the scene's X axis in
    /// place of U, the label would be upside down for half of all headings, since X points left as often as right. For
    /// a vertical line of sight, no rotation makes the label horizontal. `LabelRoll` passes through this case without a
    /// jump.
    public static func labelRoll(_ rotationSceneFromBody: Rotation3) -> Double {
        let up = rotationSceneFromBody.inverse * Vector3(0, 1, 0)
        guard up.x != 0 || up.y != 0 else { return 0 }
        return atan2(-up.x, up.y)
    }
}

/// Roll of labels over time. It keeps them horizontal, and holds them where the horizontal direction is undefined.
///
/// Around a vertical line of sight, the horizontal direction turns once on the display. No continuous function of the
/// attitude can follow it. Within a cone, the label is therefore held on the display. Beyond the cone, the offset is
/// removed at a fixed rate in addition to the head's own motion. Each display has its own roll.
public struct LabelRoll: Hashable, Sendable {
    /// Sine of the half-angle of the cones around straight up and straight down: 10°. At this angle, the roll turns six
    /// times as fast as the head.
    private static let steepest = 0.1736
    /// Rate at which the offset is removed. Unit: rad/s.
    private static let returnRate = 3.0
    /// Greatest angular rate of a head. A faster change means that the view passed through the cone between two
    /// updates. Unit: rad/s.
    private static let maximumHeadRate = 12.0

    private var time: BootTime?
    private var level = 0.0
    /// Offset of the displayed roll from the horizontal roll.
    private var offset = 0.0

    package init() {}

    /// Updates the roll with a new attitude. Returns it, counter-clockwise on the display, in radians in [−π, π].
    public mutating func update(_ rotationSceneFromBody: Rotation3, at now: BootTime) -> Double {
        let before = Angle.wrapped(level + offset)
        let move = Angle.wrapped(Billboard.labelRoll(rotationSceneFromBody) - level)
        level = Angle.wrapped(level + move)
        guard let time else {
            self.time = now
            return level
        }
        let seconds = max(0, now.seconds(since: time))
        self.time = now
        let up = rotationSceneFromBody.inverse * Vector3(0, 1, 0)
        if hypot(up.x, up.y) < Self.steepest {
            offset = Angle.wrapped(before - level)
            return before
        }
        offset = Angle.wrapped(offset - move + Self.bounded(move, Self.maximumHeadRate * seconds))
        offset -= Self.bounded(offset, Self.returnRate * seconds)
        return Angle.wrapped(level + offset)
    }

    private static func bounded(_ angle: Double, _ maximum: Double) -> Double { min(max(angle, -maximum), maximum) }
}
