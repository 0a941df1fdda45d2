import Estimation
import Geometry
import Glibc
import Messages
import Model
import PlanMatching
import Engine
import WaymarkInterface

/// Encodes exported entries of a recording as ROS 2 messages in an MCAP file, as rosbag2 writes it.
struct ROS2Encoder: ExportEncoder, ~Copyable {
    private var writer: MCAPWriter
    private var message = MessageWriter(.cdr)
    private let clock: RecordingClock
    private var lastLogTime: UInt64 = 0
    private var corrections = SensorCorrections(EstimatorSettings())
    private var pairs = InertialAssembler()
    private var lastRate: BootTime?
    private var lastForce: BootTime?
    private var antenna: Vector3?
    /// Alignment of the scene in `map`, as the filter estimates it.
    private var alignment: PoseInterface.Alignment?
    /// The frame `map`: the local tangent plane at the first alignment's origin.
    private var map: LocalTangentPlane?
    private var alignmentTime: BootTime?

    fileprivate enum Channel: UInt16, CaseIterable {
        case imu = 1
        case field, fix, filteredFix, local, global, transforms, staticTransforms
    }

    /// Interval at which the transform from the scene to the earth is written. Unit: seconds.
    private static let alignmentInterval = 1.0

    /// - Parameter writer: writer of a file with `channels`.
    init(writer: consuming MCAPWriter, about: RecordingAbout) throws(RecordingError) {
        self.writer = writer
        clock = RecordingClock(utcOffset: about.utcOffset)
        try self.writer.appendMetadata(RecordingAbout.name, about.metadata)
        // Later versions of rosbag2 write these values; without them, rosbag2 reads QoS profiles in the format of
        // earlier versions.
        try self.writer.appendMetadata("rosbag2", [("ROS_DISTRO", "humble"), ("serialized_metadata", "")])
    }

    /// Channels of the file.
    static var channels: [MCAPDeclaration] { Channel.allCases.map(\.declaration) }

    private var ros: ROS2Message { ROS2Message(clock: clock) }

    var counts: RecordingWriter.Counts {
        RecordingWriter.Counts(messages: writer.counts.messages, bytes: writer.counts.bytes, dropped: 0)
    }

    // MARK: entries

    mutating func append(_ measurement: Measurement, at time: BootTime) throws(RecordingError) {
        guard MeasurementMessage.isFinite(measurement) else { return }
        switch measurement {
        case .angularRate(var sample):
            guard lastRate.map({ sample.time > $0 }) ?? true else { return }
            lastRate = sample.time
            sample.rate = corrections.rate.applied(to: sample.rate)
            pairs.push(sample)
            try appendPairs(at: time)
        case .specificForce(var sample):
            guard lastForce.map({ sample.time > $0 }) ?? true else { return }
            lastForce = sample.time
            sample.force = corrections.force.applied(to: sample.force)
            pairs.push(sample)
            try appendPairs(at: time)
        case .magneticField(let sample):
            ros.writeField(corrections.field.applied(to: sample.field), at: sample.time, into: &message)
            try append(.field, time, sample.time)
        case .fix(let fix): try append(fix, at: time)
        case .calibration(let calibration):
            guard let usable = calibration.usable(IntakeSettings()), let change = corrections.put(usable) else {
                return
            }
            pairs.follow(change)
        case .pressure, .aid, .clock: return
        }
    }

    private mutating func appendPairs(at time: BootTime) throws(RecordingError) {
        while let pair = pairs.pop() {
            ros.writeIMU(rate: pair.rate, force: pair.force, at: pair.time, into: &message)
            try append(.imu, time, pair.time)
        }
    }

    private mutating func append(_ fix: GNSSFix, at time: BootTime) throws(RecordingError) {
        if antenna != fix.antennaInBody {
            antenna = fix.antennaInBody
            ros.writeTransform(ofAntenna: fix, at: fix.epoch, into: &message)
            try append(.staticTransforms, time, fix.epoch)
        }
        ros.writeFix(fix, into: &message)
        try append(.fix, time, fix.epoch)
    }

    mutating func append(_ pose: PoseInterface.Pose, stamp: BootTime, at time: BootTime) throws(RecordingError) {
        if ros.writeFix(pose, at: stamp, into: &message) { try append(.filteredFix, time, stamp) }
        if alignmentTime.map({ stamp.seconds(since: $0).magnitude >= Self.alignmentInterval }) ?? true {
            try appendAlignment(time, stamp)
        }
        guard pose.tracking.orientation != .invalid else { return }
        ros.writeTransform(pose, at: stamp, into: &message)
        try append(.transforms, time, stamp)
        ros.writeOdometry(pose, at: stamp, into: &message)
        try append(.local, time, stamp)
        guard let alignment, pose.geo != nil else { return }
        ros.writeOdometry(pose, by: alignment, at: stamp, into: &message)
        try append(.global, time, stamp)
    }

    mutating func append(_ pose: PoseEstimate, sequence: UInt64, at time: BootTime) throws(RecordingError) {
        try append(pose.message(sequence: sequence), stamp: pose.time, at: time)
    }

    mutating func append(_ frame: PoseInterface.Frame, at time: BootTime) throws(RecordingError) {
        guard
            let origin = frame.origin.flatMap({
                GeodeticPosition(
                    latitudeDegrees: $0.latitude, longitudeDegrees: $0.longitude, ellipsoidalHeight: $0.height)
            })
        else { return }
        alignment = inMap(frame.target, of: origin)
        try appendAlignment(time, time)
    }

    /// Converts an alignment to `map`, the ENU frame of the first origin. `map` stays fixed while the daemon's origin
    /// moves.
    private mutating func inMap(
        _ alignment: PoseInterface.Alignment, of origin: GeodeticPosition
    ) -> PoseInterface.Alignment {
        let map = self.map ?? LocalTangentPlane(origin: origin)
        self.map = map
        let place = map.pointENU(of: origin)
        // Meridians converge, so north at the later origin is another direction in the map.
        let northward = LocalTangentPlane(origin: origin).position(ofENU: Vector3(0, 1, 0)).map(map.pointENU(of:))
        let north = northward.map { $0 - place } ?? Vector3(0, 1, 0)
        let convergence = atan2(north.x, north.y)
        let translation = place + Rotation3.aboutZ(-convergence) * alignment.translation
        return PoseInterface.Alignment(
            yaw: alignment.yaw - Angle.degrees(radians: convergence), east: translation.x, north: translation.y,
            up: translation.z)
    }

    private mutating func appendAlignment(_ time: BootTime, _ stamp: BootTime) throws(RecordingError) {
        guard let alignment else { return }
        alignmentTime = stamp
        ros.writeTransform(alignment, at: stamp, into: &message)
        try append(.transforms, time, stamp)
    }

    private mutating func append(_ channel: Channel, _ time: BootTime, _ stamp: BootTime) throws(RecordingError) {
        lastLogTime = max(lastLogTime, clock.time(time))
        try writer.append(
            channel.rawValue, logTime: lastLogTime, publishTime: clock.time(stamp), data: message.bytes)
    }

    mutating func append(_ start: WarmStart, at time: BootTime) {}
    mutating func append(_ state: EstimatorState, at time: BootTime) {}
    mutating func append(_ library: PlanLibrary, at time: BootTime) {}

    mutating func finish() throws(RecordingError) { try writer.finish() }
}

extension ROS2Encoder.Channel {
    private var content: (topic: String, schema: MessageSchema) {
        switch self {
        case .imu: ("/imu/data_raw", .imu)
        case .field: ("/imu/mag", .magneticField)
        case .fix: ("/gps/fix", .navSatFix)
        case .filteredFix: ("/gps/filtered", .navSatFix)
        case .local: ("/odometry/local", .odometry)
        case .global: ("/odometry/global", .odometry)
        case .transforms: ("/tf", .transforms)
        case .staticTransforms: ("/tf_static", .transforms)
        }
    }

    fileprivate var declaration: MCAPDeclaration {
        let (topic, schema) = content
        return MCAPDeclaration(
            id: rawValue, topic: topic, encoding: "cdr", schemaName: schema.name, schemaEncoding: "ros2msg",
            schema: Array(schema.rosDefinition.utf8),
            metadata: [("offered_qos_profiles", Self.profile(isLasting: self == .staticTransforms))])
    }

    /// QoS profile in rosbag2's format of version 8 and earlier: reliable, the last ten messages, no deadlines. Lasting
    /// messages are also delivered to later subscribers (transient local).
    private static func profile(isLasting: Bool) -> String {
        let forever = "{sec: 9223372036, nsec: 854775807}"
        return """
            - history: 1
              depth: 10
              reliability: 1
              durability: \(isLasting ? 1 : 2)
              deadline: \(forever)
              lifespan: \(forever)
              liveliness: 1
              liveliness_lease_duration: \(forever)
              avoid_ros_namespace_conventions: false
            """
    }
}
