import Display
import Geodesy
import WaymarkClient

/// Where the wearer is on the earth, for commands that cannot do without.
enum WearerPosition {
    /// - Throws: `CommandError` while the position is not known.
    static func of(_ pose: Waymark.Pose) throws(CommandError) -> (geo: Waymark.Geo, position: GeodeticPosition) {
        guard let geo = pose.geo, pose.tracking.position != .invalid,
            let position = GeodeticPosition(
                latitudeDegrees: geo.latitude, longitudeDegrees: geo.longitude, ellipsoidalHeight: geo.height)
        else { throw unknown(pose) }
        return (geo, position)
    }

    static func unknown(_ pose: Waymark.Pose) -> CommandError {
        let reasons = Words.explanations(of: pose.reasons)
        let message = ["the position is not known yet"] + reasons + ["'waymark wait' waits until it is"]
        return .failed(message.joined(separator: "; "))
    }
}
