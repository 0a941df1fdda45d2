import Geometry
import Glibc
import WaymarkClient

/// Pitch and roll of the line of sight, for an artificial horizon.
struct SightAttitude: Equatable, Sendable {
    /// Angle of the line of sight (−z of the body) above the horizon, −90 to 90. Unit: degrees.
    let pitch: Double
    /// Rotation about the line of sight from upright, −180 to 180, positive with the right side down. Unit: degrees.
    let roll: Double

    /// Nil if the quaternion is not a rotation.
    ///
    /// - Parameter orientation: rotation from body to scene.
    init?(_ orientation: Waymark.Quaternion) {
        guard
            let rotationSceneFromBody = Rotation3(
                w: orientation.w, x: orientation.x, y: orientation.y, z: orientation.z)
        else { return nil }
        let forward = rotationSceneFromBody * Vector3(0, 0, -1)
        let right = rotationSceneFromBody * Vector3(1, 0, 0)
        let up = rotationSceneFromBody * Vector3(0, 1, 0)
        pitch = Angle.degrees(radians: asin(min(1, max(-1, forward.y))))
        roll = Angle.degrees(radians: atan2(-right.y, up.y))
    }
}
