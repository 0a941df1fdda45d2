import Geometry

/// Things that stay before the wearer's eyes, such as the details of a chosen place.
public enum HeadLocked {
    /// Straight ahead, moved by an offset. Frame: body, and so the same for any pose. Unit: metres.
    public static func pointInBody(
        offset: Vector3 = .zero, settings: SceneSettings.Placements
    ) -> Vector3 {
        Vector3(0, 0, -settings.headLockedMetres) + offset
    }

    /// The same point for renderers that hold everything in the scene: good for this pose only. Frame: scene. Unit: metres.
    public static func pointInScene(_ pointInBody: Vector3, of viewpoint: Viewpoint) -> Vector3 {
        viewpoint.positionInScene + viewpoint.rotationSceneFromBody * pointInBody
    }
}
