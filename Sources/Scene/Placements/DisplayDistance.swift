import Geometry

/// Distance at which far placements are drawn: within a display's depth range, in the true direction.
///
/// The drawn point depends on the eye and moves with it. Rendered as if the object were there, a mark truly at 200 m
/// would swing by 26° on a side-step of 5 m instead of by 1.4°; the true position is therefore published too.
public enum DisplayDistance {
    /// Distance at which to draw: it increases with the true distance, which keeps the depth order, and is never
    /// greater. Unit: metres.
    public static func metres(for distance: Double, settings: SceneSettings.Placements) -> Double {
        max(0, min(distance, settings.displayBaseMetres + settings.displayShare * distance))
    }

    /// Point at which to draw. Frames: both points and the result in the same one, such as the scene. Unit: metres.
    public static func point(
        _ trueScene: Vector3, from eye: Vector3, settings: SceneSettings.Placements
    ) -> Vector3 {
        let line = trueScene - eye
        guard let direction = line.normalized else { return trueScene }
        return eye + direction * metres(for: line.norm, settings: settings)
    }
}
