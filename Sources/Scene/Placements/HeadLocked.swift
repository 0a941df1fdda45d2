import Geometry

/// Head-locked objects in front of the wearer's eyes, such as the details of a selected place.
public enum HeadLocked {
    /// Point straight ahead plus an offset. Frame: body, so that it is the same for every pose. Unit: metres.
    public static func pointInBody(
        offset: Vector3 = .zero, settings: SceneSettings.Placements
    ) -> Vector3 {
        Vector3(0, 0, -settings.headLockedMetres) + offset
    }

    /// Same point in the scene for one pose, for renderers without body axes. Frame: scene. Unit: metres.
    public static func pointInScene(_ pointInBody: Vector3, of viewpoint: Viewpoint) -> Vector3 {
        viewpoint.positionInScene + viewpoint.rotationSceneFromBody * pointInBody
    }
}
