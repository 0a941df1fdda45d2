import Geometry
import Glibc
import JSON
import WaymarkInterface

/// A pose, as read from a message of `…/pose`, of any version and from any sender.
package struct ObservedPose: Hashable, Sendable {
    /// Time by the clock of the wearer's board.
    package var time: UTCTime
    /// Origin of the board's clock: a word of `ClockReading.Quality`, or of a later version.
    package var clock: String?
    package var sequence: Int64
    /// Time from the pose to its sending if it had to wait; otherwise nil. Unit: seconds.
    package var delay: Double?
    package var position: GeodeticPosition
    /// Direction of the line of sight, clockwise from true north; nil if it is unknown or vertical. Unit: degrees.
    package var heading: Double?
    /// 68 % radius. Unit: metres.
    package var horizontalAccuracy: Double?
    /// 68 % half-width. Unit: degrees.
    package var headingAccuracy: Double?
    package var state: OpenWord<PoseInterface.LocalizationState>

    /// - Throws: a problem, with the path of the value that is missing, of another kind or out of range.
    package init(_ node: JSONNode) throws(DocumentProblem) {
        time = try UTCTime(node.member("time"))
        clock = try node["clock"]?.text()
        sequence = try ObservedNumber.count(node.member("sequence"))
        delay = try ObservedNumber.magnitude(node["late"])
        position = try Self.position(node.member("position"))
        heading = try node["quaternion"].flatMap { (node) throws(DocumentProblem) in try Self.heading(node) }
        let accuracy = node["accuracy"]
        horizontalAccuracy = try ObservedNumber.magnitude(accuracy?["horizontal"])
        headingAccuracy = try ObservedNumber.magnitude(accuracy?["heading"])
        state = try OpenWord(node.member("state"))
    }

    private static func position(_ node: JSONNode) throws(DocumentProblem) -> GeodeticPosition {
        let position = GeodeticPosition(
            latitudeDegrees: try node.member("lat").double(), longitudeDegrees: try node.member("lon").double(),
            ellipsoidalHeight: try node.member("h").double())
        guard let position else { throw node.problem("no position on the earth") }
        return position
    }

    /// - Parameter node: quaternion that rotates from body axes, in which the wearer looks along −z, to ENU.
    private static func heading(_ node: JSONNode) throws(DocumentProblem) -> Double? {
        let rotation = Rotation3(
            w: try node.member("w").double(), x: try node.member("x").double(), y: try node.member("y").double(),
            z: try node.member("z").double())
        guard let rotation else { throw node.problem("no rotation") }
        let sight = rotation * Vector3(0, 0, -1)
        guard sight.x * sight.x + sight.y * sight.y > levelLimit * levelLimit else { return nil }
        let degrees = Angle.degrees(radians: atan2(sight.x, sight.y))
        return degrees < 0 ? degrees + 360 : degrees
    }

    /// Minimum horizontal component of a unit line of sight that has a direction; with less, the line of sight is
    /// within 6° of the vertical.
    private static let levelLimit = 0.1
}
