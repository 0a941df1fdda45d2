import Documents
import Geometry
import JSON
import Messages
import WaymarkInterface

/// A pose as the members of a message on `…/pose`: OGC GeoPose Basic-Quaternion, with accuracy and state.
package enum PoseMessage {
    /// Returns the members without braces. There is no `quaternion` while the pose has no heading from true north, for
    /// example while the line of sight is vertical.
    ///
    /// - Parameters:
    ///   - isCoarse: whether positions are reduced to a grid. If so, the quaternion is that of an upright wearer who
    ///     looks along the middle of the heading's sector.
    ///   - json: writer, which is emptied first; the caller reuses it to save memory allocations.
    package static func members(
        _ pose: PoseInterface.Pose, at published: PositionPrivacy.Published, isCoarse: Bool,
        into json: inout JSONWriter
    ) -> [UInt8] {
        MessageMembers.write(into: &json) { json in
            GeoPose.writeMembers(published.position, rotationENUFromBody(pose, isCoarse: isCoarse), into: &json)
            json.object("accuracy") { json in
                json.member("horizontal", published.horizontalAccuracy, .fixed(2))
                json.member("vertical", published.verticalAccuracy, .fixed(2))
                let accuracy = pose.accuracy.orientationYawAccuracy
                json.member("heading", isCoarse ? accuracy.map(HeadingSector.accuracy) : accuracy, .fixed(2))
            }
            json.member("state", pose.state)
            json.member("reasons", pose.reasons.isEmpty ? nil : pose.reasons)
        }
    }

    private static func rotationENUFromBody(_ pose: PoseInterface.Pose, isCoarse: Bool) -> Rotation3? {
        guard pose.headingReference == .trueNorth, let heading = pose.heading else { return nil }
        if isCoarse {
            return GeoPose.rotationENUFromBody(.identity, headingDegrees: HeadingSector.middle(of: heading))
        }
        return Rotation3(pose.orientation).map { GeoPose.rotationENUFromBody($0, headingDegrees: heading) }
    }
}
