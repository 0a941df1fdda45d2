import Geometry
import JSON
import WaymarkInterface

/// A pose as the members of OwnTracks' `location` (the JSON section of its booklet), which its recorder and Home
/// Assistant read.
package enum OwnTracksMessage {
    /// Returns the members without braces, and without type and time, which `MessageHead` adds.
    ///
    /// - Parameters:
    ///   - isCoarse: whether positions are reduced to a grid. If so, course and speed are omitted, because they would
    ///     refine the positions.
    ///   - identifier: identifier of the wearer; its last two letters are the label on maps.
    package static func members(
        _ pose: PoseInterface.Pose, at published: PositionPrivacy.Published, isCoarse: Bool, identifier: String,
        into json: inout JSONWriter
    ) -> [UInt8] {
        MessageMembers.write(into: &json) { json in
            json.member("lat", published.position.latitudeDegrees, .fixed(7))
            json.member("lon", published.position.longitudeDegrees, .fixed(7))
            // Height above sea level, as OwnTracks defines it; clients of the daemon do not know the receiver's geoid.
            let altitude = published.position.ellipsoidalHeight - Geoid.undulation(at: published.position)
            json.member("alt", whole(altitude))
            json.member("acc", published.horizontalAccuracy.flatMap { whole($0.rounded(.up)) })
            json.member("vac", published.verticalAccuracy.flatMap { whole($0.rounded(.up)) })
            if !isCoarse {
                json.member("cog", pose.course.flatMap(whole))
                json.member("vel", pose.speed.flatMap { whole($0 * 3.6) })
            }
            json.member("tid", String(identifier.suffix(2)))
        }
    }

    /// Returns a rounded value, because OwnTracks requires whole numbers; nil if that is impossible.
    private static func whole(_ value: Double) -> Int64? { Int64(exactly: value.rounded()) }
}
