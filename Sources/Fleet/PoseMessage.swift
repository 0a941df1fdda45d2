import Documents
import Geodesy
import Geometry
import JSON
import WaymarkInterface

/// A pose as the members of a message on `…/pose`: those of OGC GeoPose's Basic-Quaternion, with accuracy and state.
package enum PoseMessage {
    /// Members without braces.
    ///
    /// - Parameters:
    ///   - pose: pose of the daemon.
    ///   - published: its position, as it may be published.
    ///   - frame: scene frame of the pose's generation; without it, and while true north is not known, there is no
    ///     `quaternion`.
    ///   - json: emptied first; kept by the caller, so that its memory is used again.
    package static func members(
        _ pose: PoseInterface.Pose, at published: PositionPrivacy.Published, frame: PoseInterface.Frame?,
        into json: inout JSONWriter
    ) -> [UInt8] {
        MessageMembers.write(into: &json) { json in
            let rotation = frame.flatMap { rotationENUFromBody(pose, $0) }
            GeoPose.writeMembers(published.position, rotation, into: &json)
            json.key("accuracy")
            json.beginObject()
            json.member("horizontal", published.horizontalAccuracy, .fixed(2))
            json.member("vertical", published.verticalAccuracy, .fixed(2))
            json.member("heading", pose.accuracy.orientationYawAccuracy, .fixed(2))
            json.endObject()
            json.member("state", pose.state)
            json.member("reasons", pose.reasons.isEmpty ? nil : pose.reasons)
        }
    }

    private static func rotationENUFromBody(_ pose: PoseInterface.Pose, _ frame: PoseInterface.Frame) -> Rotation3? {
        guard pose.headingReference == .trueNorth, frame.generation == pose.generation,
            let rotation = Rotation3(
                w: pose.orientation.w, x: pose.orientation.x, y: pose.orientation.y, z: pose.orientation.z)
        else { return nil }
        // The target is the filter's estimate; the published alignment may still be converging to it.
        return GeoPose.rotationENUFromBody(rotation, sceneYawDegrees: frame.target.yaw)
    }
}
