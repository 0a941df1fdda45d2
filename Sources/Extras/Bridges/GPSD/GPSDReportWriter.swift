import JSON
import Model
import WaymarkInterface

/// Writes reports of the fused pose in gpsd's protocol. Each is one line of JSON with its line end.
///
/// Errors in reports are 95 % values, as gpsd's own are; they are computed from the 68 % values of poses. Source:
/// gpsd_json(5).
package struct GPSDReportWriter {
    /// Name of the only device.
    package static let device = "waymark"

    /// Version of gpsd's protocol used by the reports.
    private static let protocolVersion = (major: Int64(3), minor: Int64(14))
    /// 95 % half-width in standard deviations.
    private static let halfWidth95 = 1.96
    /// 95 % radius in standard deviations of one axis.
    private static let radius95 = 2.4477

    private let version: String
    /// Interval between two reports. Unit: seconds.
    private let cycle: Double

    /// - Parameter rate: number of reports per second.
    package init(version: String, rate: Double) {
        self.version = version
        cycle = 1 / rate
    }

    // MARK: - About the server

    /// VERSION: the first line that a client reads.
    package func versionReport() -> [UInt8] {
        line { json in
            json.member("class", "VERSION" as String?)
            json.member("release", "waymark-\(version)")
            json.member("rev", version)
            json.member("proto_major", Self.protocolVersion.major)
            json.member("proto_minor", Self.protocolVersion.minor)
        }
    }

    /// DEVICES: the fused pose as the only device.
    package func devicesReport(activated: UTCTime?) -> [UInt8] {
        line { json in
            json.member("class", "DEVICES" as String?)
            json.objects("devices", [activated]) { writeDevice($0, into: &$1) }
        }
    }

    package func deviceReport(activated: UTCTime?) -> [UInt8] {
        line { json in writeDevice(activated, into: &json) }
    }

    private func writeDevice(_ activated: UTCTime?, into json: inout JSONWriter) {
        json.member("class", "DEVICE" as String?)
        json.member("path", Self.device)
        json.member("driver", "Waymark" as String?)
        json.member("subtype", version)
        json.member("activated", activated)
        // Flag 1: the device delivers GNSS fixes.
        json.member("flags", 1)
        json.member("cycle", cycle, .fixed(2))
    }

    /// WATCH: the reports that a client has requested.
    package func watchReport(_ watch: GPSDRequest.Watch) -> [UInt8] {
        line { json in
            json.member("class", "WATCH" as String?)
            json.member("enable", watch.isEnabled)
            json.member("json", watch.json)
            json.member("nmea", watch.nmea)
            json.member("raw", 0)
            json.member("scaled", false)
            json.member("timing", false)
            json.member("split24", false)
            json.member("pps", false)
        }
    }

    /// ERROR: reason for the refusal of a request.
    package func errorReport(_ refusal: GPSDRequest.Refusal) -> [UInt8] {
        line { json in
            json.member("class", "ERROR" as String?)
            json.member("message", refusal.message)
        }
    }

    // MARK: - About the pose

    /// TPV: time, position, velocity and their errors. Without a pose or a position the mode is 1, which means no fix.
    package func positionReport(_ pose: PoseInterface.Pose?, receiver: ReceiverView) -> [UInt8] {
        line { json in Self.writePosition(pose, receiver, into: &json) }
    }

    /// ATT: heading, pitch and roll; nil while the orientation is unknown.
    package func attitudeReport(_ pose: PoseInterface.Pose) -> [UInt8]? {
        guard pose.tracking.orientation != .invalid else { return nil }
        return line { json in Self.writeAttitude(pose, into: &json) }
    }

    /// SKY: gpsd's report about the receiver itself, passed on unchanged; nil if there is none.
    package func skyReport(_ receiver: ReceiverView) -> [UInt8]? { receiver.sky.map { $0 + Self.lineEnd } }

    /// POLL: the newest TPV and SKY reports in one report.
    package func pollReport(_ pose: PoseInterface.Pose?, receiver: ReceiverView) -> [UInt8] {
        line { json in
            json.member("class", "POLL" as String?)
            json.member("time", pose?.utc)
            json.member("active", 1)
            json.objects("tpv", [pose]) { Self.writePosition($0, receiver, into: &$1) }
            json.array("gst") { _ in }
            json.array("sky") { if let sky = receiver.sky { $0.value(json: sky) } }
        }
    }

    private static func writePosition(
        _ pose: PoseInterface.Pose?, _ receiver: ReceiverView, into json: inout JSONWriter
    ) {
        json.member("class", "TPV" as String?)
        json.member("device", device)
        guard let pose else { return json.member("mode", 1) }
        let geo = pose.tracking.position == .invalid ? nil : pose.geo
        if geo != nil { json.member("status", status(pose, receiver)) }
        json.member("mode", geo == nil ? 1 : 3)
        json.member("time", pose.utc)
        guard let geo else { return }
        json.member("lat", geo.latitude, .fixed(9))
        json.member("lon", geo.longitude, .fixed(9))
        json.member("altHAE", geo.height, .fixed(4))
        if let separation = receiver.separation(at: geo) {
            json.member("altMSL", geo.height - separation, .fixed(4))
            json.member("alt", geo.height - separation, .fixed(4))
            json.member("geoidSep", separation, .fixed(4))
        }
        writePositionErrors(pose.accuracy, into: &json)
        writeVelocity(pose, into: &json)
    }

    private static func writePositionErrors(_ accuracy: PoseInterface.Accuracy, into json: inout JSONWriter) {
        if let radius = accuracy.horizontalAccuracy {
            let deviation = radius / PoseAccuracy.radius68
            json.member("epx", deviation * halfWidth95, .fixed(3))
            json.member("epy", deviation * halfWidth95, .fixed(3))
            json.member("eph", deviation * radius95, .fixed(3))
        }
        json.member("epv", accuracy.verticalAccuracy.map { $0 * halfWidth95 }, .fixed(3))
    }

    private static func writeVelocity(_ pose: PoseInterface.Pose, into json: inout JSONWriter) {
        json.member("track", pose.course, .fixed(4))
        json.member("speed", pose.speed, .fixed(3))
        json.member("climb", pose.linearVelocity.y, .fixed(3))
        let accuracy = pose.accuracy
        let deviation = accuracy.horizontalVelocityAccuracy.map { $0 / PoseAccuracy.radius68 }
        json.member("eps", deviation.map { $0 * halfWidth95 }, .fixed(3))
        json.member("epc", accuracy.verticalVelocityAccuracy.map { $0 * halfWidth95 }, .fixed(3))
    }

    /// Returns gpsd's code for the type of a fix: simulated, or dead reckoning with or without a recent fix.
    private static func status(_ pose: PoseInterface.Pose, _ receiver: ReceiverView) -> Int64 {
        if receiver.isSimulated { return 8 }
        return pose.usesReceiver ? 6 : 5
    }

    private static func writeAttitude(_ pose: PoseInterface.Pose, into json: inout JSONWriter) {
        let degrees = 180 / Double.pi
        let attitude = BodyAttitude(pose.orientation)
        json.member("class", "ATT" as String?)
        json.member("device", device)
        json.member("time", pose.utc)
        if pose.headingReference == .trueNorth { json.member("heading", pose.heading, .fixed(4)) }
        json.member("pitch", attitude.pitch * degrees, .fixed(4))
        json.member("roll", attitude.roll * degrees, .fixed(4))
    }

    // MARK: - Lines

    private static let lineEnd: [UInt8] = [13, 10]

    /// Initial buffer size, sufficient for most reports. Unit: bytes.
    private static let capacity = 1024

    private func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object(capacity: Self.capacity, write) + Self.lineEnd
    }
}
