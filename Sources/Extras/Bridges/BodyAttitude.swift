import Glibc
import WaymarkInterface

/// Orientation of the body as three angles.
///
/// The line of sight is −z of the body. At a pitch of ±90°, heading and roll have the same axis. The whole rotation
/// about this axis is then reported as heading, and the roll is 0.
package struct BodyAttitude: Hashable, Sendable {
    /// Direction of the line of sight in the scene, clockwise from −Z, within ±π. If the scene is aligned, −Z is north.
    /// Unit: rad.
    package let yaw: Double
    /// Elevation of the line of sight, positive upwards, within ±π/2. Unit: rad.
    package let pitch: Double
    /// Rotation about the line of sight, positive with the right side down, within ±π. Unit: rad.
    package let roll: Double

    /// Cosine of the pitch below which the line of sight counts as vertical. Without this limit, the heading would
    /// follow the noise of the horizontal component.
    private static let vertical = 1e-6

    /// - Parameter orientation: rotation from body to scene.
    package init(_ orientation: PoseInterface.Quaternion) {
        let (w, x, y, z) = (orientation.w, orientation.x, orientation.y, orientation.z)
        // Columns of the rotation matrix: −forward, right and up of the body in the scene.
        let forward = (x: -2 * (x * z + w * y), y: -2 * (y * z - w * x), z: -(1 - 2 * (x * x + y * y)))
        let right = (x: 1 - 2 * (y * y + z * z), y: 2 * (x * y + w * z), z: 2 * (x * z - w * y))
        let upY = 1 - 2 * (x * x + z * z)
        pitch = asin(min(max(forward.y, -1), 1))
        guard (forward.x * forward.x + forward.z * forward.z).squareRoot() > Self.vertical else {
            yaw = atan2(right.z, right.x)
            roll = 0
            return
        }
        yaw = atan2(forward.x, -forward.z)
        roll = atan2(-right.y, upY)
    }
}
