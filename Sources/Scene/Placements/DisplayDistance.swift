import Geometry

/// Where far things are drawn: near enough for a display's depth, in the direction in which they truly lie.
///
/// The point is good for one eye only and follows it. Drawn as if the place itself were there, a mark truly at 200 m would
/// swing by 26° on a side-step of 5 m instead of by 1.4°: so the true position is published besides.
public enum DisplayDistance {
    /// Grows with the true distance, so that what is behind stays behind, and is never farther than it. Unit: metres.
    public static func metres(for distance: Double, settings: SceneSettings.Placements) -> Double {
        max(0, min(distance, settings.displayBaseMetres + settings.displayShare * distance))
    }

    /// Frames: both points and the result in the same one, such as the scene. Unit: metres.
    public static func point(
        _ trueScene: Vector3, from eye: Vector3, settings: SceneSettings.Placements
    ) -> Vector3 {
        let line = trueScene - eye
        guard let direction = line.normalized else { return trueScene }
        return eye + direction * metres(for: line.norm, settings: settings)
    }
}
