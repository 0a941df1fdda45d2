import Geometry
import Model

/// Pose that a camera's odometry reports, in the camera's own frame with z up.
package struct CameraPose: Hashable, Sendable, Codable {
    /// Time of the exposure, as stamped by the camera.
    package var time: BootTime
    package var source: SourceName
    /// Position of the inertial sensor. Frame: the camera's own, z up. Unit: metres.
    package var position: Vector3
    /// Rotation of the board. Frame: the camera's own, z up, from body axes.
    package var rotationLevelFromBody: Rotation3
    /// Number of the camera's own frame. The number changes whenever the camera starts a new frame.
    package var reset: UInt32

    /// Rotation from the axes of the interface, which have y up: (x, y, z) → (x, −z, y).
    private static let rotationLevelFromOwn = Rotation3.exp(Vector3(.pi / 2, 0, 0))

    package init(_ pose: OdometryPose, source: SourceName, time: BootTime) {
        self.time = time
        self.source = source
        self.reset = pose.reset
        position = Self.rotationLevelFromOwn * pose.position
        rotationLevelFromBody = Self.rotationLevelFromOwn * pose.rotationOwnFromBody
    }
}
