import Geometry
import Glibc

extension SceneMap {
    /// Returns the offset in the scene that corresponds to a bearing (radians, clockwise from true north), a distance
    /// and a height (metres), according to the current alignment. Frame: scene.
    public func offset(bearing: Double, distance: Double, height: Double = 0) -> Vector3 {
        vectorInScene(ofENU: Vector3(distance * sin(bearing), distance * cos(bearing), height))
    }

    /// Returns the bearing of an offset in the scene according to the current alignment, clockwise from true north, in
    /// radians in [0, 2π); nil for a vertical or zero offset.
    public func bearing(ofScene offset: Vector3) -> Double? {
        let displacement = vectorENU(ofScene: offset)
        return displacement.x != 0 || displacement.y != 0 ? Angle.positive(atan2(displacement.x, displacement.y)) : nil
    }
}

/// Head-locked objects in front of the wearer's eyes, such as the details of a selected place.
public enum HeadLocked {
    /// Returns the point straight ahead plus an offset. Frame: body, in which the point is the same for every pose.
    /// Unit: metres.
    public static func pointInBody(
        offset: Vector3 = .zero, settings: SceneSettings.Placements
    ) -> Vector3 {
        Vector3(0, 0, -settings.headLockedMetres) + offset
    }
}
