import Documents
import Geometry
import JSON
import WaymarkInterface

/// A pose as the members of a message on `…/pose`: those of OGC GeoPose's Basic-Quaternion, with accuracy and state.
package enum PoseMessage {
    /// Members without braces. There is no `quaternion` while the pose has no true heading: that of a vertical line of
    /// sight is not known either.
    ///
    /// - Parameters:
    ///   - pose: pose of the daemon.
    ///   - published: its position, as it may be published.
    ///   - isCoarse: whether positions are those of a grid: of the attitude only the sector of the heading is written,
    ///     as that of an upright wearer.
    ///   - json: emptied first; kept by the caller, so that its memory is used again.
    package static func members(
        _ pose: PoseInterface.Pose, at published: PositionPrivacy.Published, isCoarse: Bool,
        into json: inout JSONWriter
    ) -> [UInt8] {
        MessageMembers.write(into: &json) { json in
            GeoPose.writeMembers(published.position, rotationENUFromBody(pose, isCoarse: isCoarse), into: &json)
            json.key("accuracy")
            json.beginObject()
            json.member("horizontal", published.horizontalAccuracy, .fixed(2))
            json.member("vertical", published.verticalAccuracy, .fixed(2))
            let accuracy = pose.accuracy.orientationYawAccuracy
            json.member("heading", isCoarse ? accuracy.map(HeadingSector.accuracy) : accuracy, .fixed(2))
            json.endObject()
            json.member("state", pose.state)
            json.member("reasons", pose.reasons.isEmpty ? nil : pose.reasons)
        }
    }

    private static func rotationENUFromBody(_ pose: PoseInterface.Pose, isCoarse: Bool) -> Rotation3? {
        guard pose.headingReference == .trueNorth, let heading = pose.heading else { return nil }
        if isCoarse {
            return GeoPose.rotationENUFromBody(.identity, headingDegrees: HeadingSector.middle(of: heading))
        }
        guard
            let rotation = Rotation3(
                w: pose.orientation.w, x: pose.orientation.x, y: pose.orientation.y, z: pose.orientation.z)
        else { return nil }
        return GeoPose.rotationENUFromBody(rotation, headingDegrees: heading)
    }
}
