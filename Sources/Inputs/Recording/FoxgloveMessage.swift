import Geometry
import Glibc
import Messages
import Model
import WaymarkInterface

/// Messages in Foxglove's schemas.
///
/// Frames: `enu` is the local tangent plane at the origin of the scene's alignment (X east, Y north, Z up). `scene` is
/// the scene as published (X east, Y up, Z south). `body` is the board (x right, y up, z towards the wearer). Members
/// and units: docs.foxglove.dev, message schemas.
package struct FoxgloveMessage {
    let clock: RecordingClock

    init(clock: RecordingClock) { self.clock = clock }

    /// - Parameter utcOffset: UTC minus boot time, added to the timestamps; nil to keep boot time. Unit: nanoseconds.
    package init(utcOffset: Int64?) { clock = RecordingClock(utcOffset: utcOffset) }

    private static let (enu, scene, body) = ("enu", "scene", "body")

    // MARK: positions

    /// Writes the estimated position, or no message while it is unknown. Both horizontal variances are equal, because
    /// the accuracy is a radius.
    package func writeLocation(_ pose: PoseInterface.Pose, at time: BootTime, into writer: inout MessageWriter) -> Bool
    {
        guard let position = pose.geo else { return false }
        let sigma = pose.accuracy.horizontalAccuracy.map { $0 / PoseAccuracy.radius68 }
        writer.write(.locationFix) { writer in
            begin(time, Self.body, position, &writer)
            writeCovariance(
                east: sigma, north: sigma, up: pose.accuracy.verticalAccuracy, known: .approximated, &writer)
            if pose.headingReference == .trueNorth {
                writer.member("heading", pose.heading.map(Angle.radians(degrees:)), decimals: 6)
            }
            if let velocity = Self.velocityENU(pose) { writer.member("velocity", velocity) }
        }
        return true
    }

    /// Velocity in ENU; nil without a course, as in slow motion.
    private static func velocityENU(_ pose: PoseInterface.Pose) -> PoseInterface.Vector? {
        guard let course = pose.course.map(Angle.radians(degrees:)), let speed = pose.speed else { return nil }
        return PoseInterface.Vector(x: speed * sin(course), y: speed * cos(course), z: pose.linearVelocity.y)
    }

    func writeLocation(_ fix: GNSSFix, into writer: inout MessageWriter) {
        let sigma = fix.positionSigma
        writer.write(.locationFix) { writer in
            begin(fix.epoch, "antenna", fix.position.message, &writer)
            writeCovariance(east: sigma.east, north: sigma.north, up: sigma.up, known: .diagonal, &writer)
            if let east = fix.velocityENU.east, let north = fix.velocityENU.north {
                writer.member(
                    "velocity", PoseInterface.Vector(x: east, y: north, z: fix.velocityENU.up ?? 0))
            }
        }
    }

    private func begin(
        _ time: BootTime, _ frame: String, _ position: PoseInterface.Geo, _ writer: inout MessageWriter
    ) {
        writer.member("timestamp", stamp(time))
        writer.member("frame_id", frame)
        writer.member("latitude", position.latitude, decimals: 9)
        writer.member("longitude", position.longitude, decimals: 9)
        writer.member("altitude", position.height, decimals: 3)
    }

    private func writeCovariance(
        east: Double?, north: Double?, up: Double?, known: CovarianceType, _ writer: inout MessageWriter
    ) {
        let sigmas = [east, north, up].compactMap { $0 }.filter { ($0 * $0).isFinite }
        let isKnown = sigmas.count == 3
        var covariance = [Double](repeating: 0, count: 9)
        if isKnown { for axis in 0..<3 { covariance[axis * 4] = sigmas[axis] * sigmas[axis] } }
        // Only the diagonal is written with decimals, because all other elements are zero.
        writer.member("position_covariance", covariance) { $0 % 4 == 0 ? 6 : 0 }
        writer.member("position_covariance_type", (isKnown ? known : .unknown).rawValue)
    }

    // MARK: frames

    /// Writes the published pose of the scene on the earth as a transform.
    package func writeTransform(
        _ alignment: PoseInterface.Alignment, at time: BootTime, into writer: inout MessageWriter
    ) {
        let turn = Rotation3.aboutZ(Angle.radians(degrees: alignment.yaw))
        // Rotation from scene axes to ENU axes, by 90° about east.
        let axes = Rotation3.exp(Vector3(.pi / 2, 0, 0))
        let rotation = turn * axes
        writeTransform(
            Self.enu, Self.scene, PoseInterface.Vector(x: alignment.east, y: alignment.north, z: alignment.up),
            PoseInterface.Quaternion(x: rotation.x, y: rotation.y, z: rotation.z, w: rotation.w), time, &writer)
    }

    /// Writes the pose of the body in the scene as a transform.
    package func writeTransform(_ pose: PoseInterface.Pose, at time: BootTime, into writer: inout MessageWriter) {
        writeTransform(Self.scene, Self.body, pose.position, pose.orientation, time, &writer)
    }

    private func writeTransform(
        _ parent: String, _ child: String, _ translation: PoseInterface.Vector, _ rotation: PoseInterface.Quaternion,
        _ time: BootTime, _ writer: inout MessageWriter
    ) {
        writer.write(.frameTransform) { writer in
            writer.member("timestamp", stamp(time))
            writer.member("parent_frame_id", parent)
            writer.member("child_frame_id", child)
            writer.member("translation", translation)
            writer.member("rotation", rotation)
        }
    }

    /// Writes the pose of the body in the scene.
    package func writePose(_ pose: PoseInterface.Pose, at time: BootTime, into writer: inout MessageWriter) {
        writer.write(.poseInFrame) { writer in
            writer.member("timestamp", stamp(time))
            writer.member("frame_id", Self.scene)
            writer.pose(pose.position, pose.orientation)
        }
    }

    // MARK: texts

    /// Writes a GeoJSON document.
    package func writeMap(_ geoJSON: String, into writer: inout MessageWriter) {
        writer.write(.geoJSON) { $0.member("geojson", geoJSON) }
    }

    func writeLog(_ line: RecordedLine, at time: BootTime, into writer: inout MessageWriter) {
        writer.write(.log) { writer in
            writer.member("timestamp", stamp(time))
            writer.member("level", line.level.rawValue)
            writer.member("message", line.text)
            writer.member("name", "waymarkd")
            writer.member("file", "")
            writer.member("line", 0)
        }
    }

    private func stamp(_ time: BootTime) -> PoseInterface.Time {
        PoseInterface.Time(nanoseconds: Int64(clamping: clock.time(time)))
    }
}

/// Kind of the covariance of a position, with the numbers of foxglove.LocationFix and sensor_msgs/msg/NavSatFix.
enum CovarianceType: Int64 {
    case unknown = 0
    case approximated = 1
    case diagonal = 2
}

/// A line of the journal in a recording.
public struct RecordedLine: Hashable, Sendable {
    /// Severity, with the numbers of foxglove.Log.
    public enum Level: Int64, Sendable {
        case debug = 1
        case info = 2
        case warning = 3
        case error = 4
    }

    package var level: Level
    package var text: String

    package init(_ level: Level, _ text: String) {
        self.level = level
        self.text = text
    }
}
