import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Rotations of flat objects towards the wearer. Their front is +z, their upper edge +y.
public enum Billboard {
    /// Yaw about the scene's up only, so that the object stays upright; counter-clockwise seen from above, radians in
    /// [−π, π].
    ///
    /// Straight above or below the eye the yaw is undefined: it is 0 there.
    public static func yaw(of point: Vector3, from eye: Vector3) -> Double {
        let line = eye - point
        // The angle of (0, −0) would be a half-turn.
        guard line.x != 0 || line.z != 0 else { return 0 }
        return atan2(line.x, line.z)
    }

    /// Rotation about two axes, so that the object faces the eye from above and below too; its upper edge stays
    /// horizontal.
    ///
    /// Frames: scene from billboard.
    public static func fullRotation(of point: Vector3, from eye: Vector3) -> Rotation3 {
        let line = eye - point
        let elevation = atan2(line.y, hypot(line.x, line.z))
        let upright = Rotation3.exp(Vector3(0, yaw(of: point, from: eye), 0))
        return upright * Rotation3.exp(Vector3(-elevation, 0, 0))
    }

    /// Rotation of a label on the display, counter-clockwise, that makes it horizontal in the scene; radians in [−π,
    /// π].
    ///
    /// `atan2(−U_x, U_y)` with U the scene's up in body axes. With the scene's X axis instead, which points left as
    /// often as right, the label would be upside down for half of all headings. For a vertical line of sight no
    /// rotation is horizontal: `LabelRoll` passes it without a jump.
    public static func labelRoll(_ rotationSceneFromBody: Rotation3) -> Double {
        let up = rotationSceneFromBody.inverse * Vector3(0, 1, 0)
        guard up.x != 0 || up.y != 0 else { return 0 }
        return atan2(-up.x, up.y)
    }
}
