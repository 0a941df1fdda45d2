import Geometry
import Glibc
import WaymarkInterface

/// Yaw of the scene relative to true north, from published poses and corrections.
///
/// A published pose has its orientation in the scene, and the heading of its line of sight. If the line of sight is
/// nearly vertical, there is no heading. The newest yaw of the same scene is then used, which only corrections change.
struct SceneNorth {
    private var generation: Int?
    /// Yaw of the scene's axes relative to ENU, counter-clockwise. Unit: radians.
    private var yaw = 0.0

    /// Rotation from the scene's axes to axes that point east, north and up.
    private static let levelFromScene = Rotation3.about(Vector3(1, 0, 0), by: .pi / 2)

    mutating func learn(from frame: PoseInterface.Frame) {
        guard frame.target.yaw.isFinite else { return }
        generation = frame.generation
        yaw = Angle.radians(degrees: frame.target.yaw)
    }

    /// Rotation from the scene of a pose to ENU; nil if true north is unknown.
    mutating func rotationENUFromScene(_ pose: PoseInterface.Pose, _ rotationSceneFromBody: Rotation3) -> Rotation3? {
        guard pose.headingReference == .trueNorth else { return nil }
        if let heading = pose.heading, heading.isFinite {
            let sight = Self.levelFromScene * (rotationSceneFromBody * Vector3(0, 0, -1))
            // Headings count clockwise.
            yaw = atan2(sight.x, sight.y) - Angle.radians(degrees: heading)
            generation = pose.generation
        }
        guard generation == pose.generation else { return nil }
        return Rotation3.aboutZ(yaw) * Self.levelFromScene
    }
}
