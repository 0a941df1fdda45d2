import Geodesy
import Geometry
import JSON
import Messages
import Model
import WaymarkInterface

#if canImport(Glibc)
    import Glibc
#endif

/// Messages by the schemas of Foxglove.
///
/// Frames: `enu` is the local tangent plane at the origin of the scene's alignment (X east, Y north, Z up), `scene`
/// the scene (X east, Y up, Z south) as published, `body` the board (x right, y up, z towards the wearer). Members and
/// units: docs.foxglove.dev, message schemas.
package struct FoxgloveMessage {
    let clock: RecordingClock

    init(clock: RecordingClock) { self.clock = clock }

    /// - Parameter utcOffset: UTC less boot time, for the time stamps; nil for boot time. Unit: nanoseconds.
    package init(utcOffset: Int64?) { clock = RecordingClock(utcOffset: utcOffset) }

    private static let (enu, scene, body) = ("enu", "scene", "body")

    // MARK: positions

    /// The position that was estimated; nothing while none is known. The circle of its accuracy gives equal variances.
    package func writeLocation(_ pose: PoseInterface.Pose, at time: BootTime, into json: inout JSONWriter) -> Bool {
        guard let position = pose.geo else { return false }
        json.beginObject()
        begin(time, Self.body, position, &json)
        let sigma = pose.accuracy.horizontalAccuracy.map { $0 / PoseAccuracy.radius68 }
        writeCovariance(
            east: sigma, north: sigma, up: pose.accuracy.verticalAccuracy, known: .approximated, &json)
        if pose.headingReference == .trueNorth {
            json.member("heading", pose.heading.map(Angle.radians(degrees:)), .fixed(6))
        }
        if let velocity = Self.velocityENU(pose) { write("velocity", velocity, &json) }
        json.endObject()
        return true
    }

    /// Nil without a course, which slow motion has not.
    private static func velocityENU(_ pose: PoseInterface.Pose) -> PoseInterface.Vector? {
        guard let course = pose.course.map(Angle.radians(degrees:)), let speed = pose.speed else { return nil }
        return PoseInterface.Vector(x: speed * sin(course), y: speed * cos(course), z: pose.linearVelocity.y)
    }

    func writeLocation(_ fix: GNSSFix, into json: inout JSONWriter) {
        json.beginObject()
        begin(fix.epoch, "antenna", fix.position.message, &json)
        let sigma = fix.positionSigma
        writeCovariance(east: sigma.east, north: sigma.north, up: sigma.up, known: .diagonal, &json)
        if let east = fix.velocityENU.east, let north = fix.velocityENU.north {
            write("velocity", PoseInterface.Vector(x: east, y: north, z: fix.velocityENU.up ?? 0), &json)
        }
        json.endObject()
    }

    private func begin(_ time: BootTime, _ frame: String, _ position: PoseInterface.Geo, _ json: inout JSONWriter) {
        json.member("timestamp", stamp(time))
        json.member("frame_id", frame)
        json.member("latitude", position.latitude, .fixed(9))
        json.member("longitude", position.longitude, .fixed(9))
        json.member("altitude", position.height, .fixed(3))
    }

    private enum CovarianceType: Int64 {
        case unknown = 0
        case approximated = 1
        case diagonal = 2
    }

    private func writeCovariance(
        east: Double?, north: Double?, up: Double?, known: CovarianceType, _ json: inout JSONWriter
    ) {
        let sigmas = [east, north, up].compactMap { $0 }.filter { ($0 * $0).isFinite }
        let isKnown = sigmas.count == 3
        json.key("position_covariance")
        json.beginArray()
        for row in 0..<3 {
            for column in 0..<3 {
                let variance = isKnown && row == column ? sigmas[row] * sigmas[row] : 0
                json.value(variance, .fixed(row == column ? 6 : 0))
            }
        }
        json.endArray()
        json.member("position_covariance_type", (isKnown ? known : .unknown).rawValue)
    }

    // MARK: frames

    /// The scene on the earth, as published.
    package func writeTransform(_ alignment: PoseInterface.Alignment, at time: BootTime, into json: inout JSONWriter) {
        let turn = Rotation3.aboutZ(Angle.radians(degrees: alignment.yaw))
        // Scene axes to ENU axes: a rotation by 90° about east.
        let axes = Rotation3.exp(Vector3(.pi / 2, 0, 0))
        let rotation = turn * axes
        writeTransform(
            Self.enu, Self.scene, PoseInterface.Vector(x: alignment.east, y: alignment.north, z: alignment.up),
            PoseInterface.Quaternion(x: rotation.x, y: rotation.y, z: rotation.z, w: rotation.w), time, &json)
    }

    /// The body in the scene.
    package func writeTransform(_ pose: PoseInterface.Pose, at time: BootTime, into json: inout JSONWriter) {
        writeTransform(Self.scene, Self.body, pose.position, pose.orientation, time, &json)
    }

    private func writeTransform(
        _ parent: String, _ child: String, _ translation: PoseInterface.Vector, _ rotation: PoseInterface.Quaternion,
        _ time: BootTime, _ json: inout JSONWriter
    ) {
        json.beginObject()
        json.member("timestamp", stamp(time))
        json.member("parent_frame_id", parent)
        json.member("child_frame_id", child)
        write("translation", translation, &json)
        write("rotation", rotation, &json)
        json.endObject()
    }

    /// The pose in the scene.
    package func writePose(_ pose: PoseInterface.Pose, at time: BootTime, into json: inout JSONWriter) {
        json.beginObject()
        json.member("timestamp", stamp(time))
        json.member("frame_id", Self.scene)
        json.key("pose")
        json.beginObject()
        write("position", pose.position, &json)
        write("orientation", pose.orientation, &json)
        json.endObject()
        json.endObject()
    }

    // MARK: texts

    /// A GeoJSON document.
    package func writeMap(_ geoJSON: String, into json: inout JSONWriter) {
        json.beginObject()
        json.member("geojson", geoJSON)
        json.endObject()
    }

    func writeLog(_ line: RecordedLine, at time: BootTime, into json: inout JSONWriter) {
        json.beginObject()
        json.member("timestamp", stamp(time))
        json.member("level", line.level.rawValue)
        json.member("message", line.text)
        json.member("name", "waymarkd")
        json.member("file", "")
        json.member("line", Int64(0))
        json.endObject()
    }

    // MARK: parts

    private func stamp(_ time: BootTime) -> PoseInterface.Time {
        PoseInterface.Time(nanoseconds: Int64(clamping: clock.time(time)))
    }

    private func write(_ name: StaticString, _ vector: PoseInterface.Vector, _ json: inout JSONWriter) {
        json.key(name)
        json.beginObject()
        json.member("x", vector.x, .fixed(4))
        json.member("y", vector.y, .fixed(4))
        json.member("z", vector.z, .fixed(4))
        json.endObject()
    }

    private func write(_ name: StaticString, _ rotation: PoseInterface.Quaternion, _ json: inout JSONWriter) {
        json.key(name)
        json.beginObject()
        json.member("x", rotation.x, .fixed(6))
        json.member("y", rotation.y, .fixed(6))
        json.member("z", rotation.z, .fixed(6))
        json.member("w", rotation.w, .fixed(6))
        json.endObject()
    }
}

/// A line of the journal in a recording.
public struct RecordedLine: Hashable, Sendable {
    /// How severe it is, by the numbers of foxglove.Log.
    public enum Level: Int64, Sendable {
        case debug = 1
        case info = 2
        case warning = 3
        case error = 4
    }

    /// How severe it is.
    public var level: Level
    /// Its text.
    public var text: String

    /// Makes a line.
    public init(_ level: Level, _ text: String) {
        self.level = level
        self.text = text
    }
}
