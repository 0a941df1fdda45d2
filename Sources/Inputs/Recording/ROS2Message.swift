import Geometry
import Glibc
import Messages
import Model
import WaymarkInterface

/// Messages of ROS 2.
///
/// Frames are as in REP-105, axes as in REP-103. `map` is the local tangent plane at the origin of the scene's
/// alignment (x east, y north, z up). The filter estimates how the scene is aligned to it. `odom` is the scene, in
/// which poses do not jump (x east, y north, z up, except for the yaw of the alignment). `base_link` is the board (x
/// along the line of sight, y left, z up).
struct ROS2Message {
    let clock: RecordingClock

    static let (map, odom, base, antenna) = ("map", "odom", "base_link", "gps")

    /// Variance of an unknown quantity in a covariance whose other quantities are known. Units: m², rad², (m/s)²,
    /// (rad/s)².
    private static let unknownVariance = 1e6
    /// Unknown covariance, as sensor_msgs defines it.
    private static let unknown = [Double](repeating: 0, count: 9)

    // MARK: axes

    /// Converts a scene vector (axes east, up, south) to ROS axes.
    static func world(_ scene: Vector3) -> Vector3 { Vector3(scene.x, -scene.z, scene.y) }

    /// Converts a body vector (axes right, up, back) to ROS axes.
    static func base(_ body: Vector3) -> Vector3 { Vector3(-body.z, -body.x, body.y) }

    private static let worldFromScene = Rotation3.exp(Vector3(.pi / 2, 0, 0))
    /// Rotation from the axes of `base_link` to body axes: a rotation by 120° about a diagonal of the axes.
    private static let bodyFromBase = Rotation3(w: 0.5, x: -0.5, y: 0.5, z: 0.5) ?? .identity

    /// Rotation from the axes of `base_link` to ROS world axes.
    static func rotation(sceneFromBody rotation: Rotation3) -> Rotation3 { worldFromScene * rotation * bodyFromBase }

    // MARK: sensors

    /// Writes the specific force and the angular rate, without an orientation, as REP-145 requires. At rest the
    /// specific force points upwards and has magnitude g.
    func writeIMU(rate: Vector3, force: Vector3, at time: BootTime, into writer: inout MessageWriter) {
        writer.write(.imu) { writer in
            writeHeader(Self.base, time, &writer)
            writer.member("orientation", Rotation3.identity.message)
            // Marks the orientation as not estimated.
            writer.member("orientation_covariance", [-1] + Self.unknown.dropFirst())
            writer.member("angular_velocity", Self.base(rate).message)
            writer.member("angular_velocity_covariance", Self.unknown)
            writer.member("linear_acceleration", Self.base(force).message)
            writer.member("linear_acceleration_covariance", Self.unknown)
        }
    }

    /// - Parameter field: magnetic field. Frame: body. Unit: microtesla.
    func writeField(_ field: Vector3, at time: BootTime, into writer: inout MessageWriter) {
        writer.write(.magneticField) { writer in
            writeHeader(Self.base, time, &writer)
            // The message is in tesla.
            writer.member("magnetic_field", Self.base(field * 1e-6).message)
            writer.member("magnetic_field_covariance", Self.unknown)
        }
    }

    // MARK: positions

    func writeFix(_ fix: GNSSFix, into writer: inout MessageWriter) {
        let sigma = fix.positionSigma
        let height = fix.hasHeight ? fix.position.ellipsoidalHeight : .nan
        writeFix(
            PoseInterface.Geo(
                latitude: fix.position.latitudeDegrees, longitude: fix.position.longitudeDegrees, height: height),
            [sigma.east, sigma.north, height.isNaN ? nil : sigma.up], .diagonal, Self.antenna, fix.epoch, &writer)
    }

    /// Writes the estimated position, or no message while it is unknown.
    func writeFix(_ pose: PoseInterface.Pose, at time: BootTime, into writer: inout MessageWriter) -> Bool {
        guard let position = pose.geo else { return false }
        let accuracy = pose.accuracy
        let sigma = accuracy.horizontalAccuracy.map { $0 / PoseAccuracy.radius68 }
        writeFix(position, [sigma, sigma, accuracy.verticalAccuracy], .approximated, Self.base, time, &writer)
        return true
    }

    private func writeFix(
        _ position: PoseInterface.Geo, _ sigmas: [Double?], _ type: CovarianceType, _ frame: String, _ time: BootTime,
        _ writer: inout MessageWriter
    ) {
        let known = sigmas.compactMap { $0 }
        writer.write(.navSatFix) { writer in
            writeHeader(frame, time, &writer)
            writer.message("status") { writer in
                // Status 0 is a fix. Service 0 means that the services are unknown.
                writer.member("status", 0)
                writer.member("service", 0)
            }
            writer.member("latitude", position.latitude, decimals: 9)
            writer.member("longitude", position.longitude, decimals: 9)
            writer.member("altitude", position.height, decimals: 3)
            let covariance = known.count == 3 ? Self.diagonal(known.map { $0 * $0 }) : Self.unknown
            writer.member("position_covariance", covariance)
            writer.member("position_covariance_type", (known.count == 3 ? type : .unknown).rawValue)
        }
    }

    // MARK: odometry

    /// Writes the pose in `odom`. The published accuracies refer to the earth. The accuracy in the scene is not
    /// published, so a large variance is written; zeros would mean certainty.
    func writeOdometry(_ pose: PoseInterface.Pose, at time: BootTime, into writer: inout MessageWriter) {
        write(
            pose, Self.odom, Self.world(Vector3(pose.position)),
            Self.rotation(sceneFromBody: Rotation3(pose.orientation)),
            Self.diagonal([Double](repeating: Self.unknownVariance, count: 6)), time, &writer)
    }

    /// Writes the pose in `map`, with its accuracies.
    ///
    /// - Parameter alignment: alignment of the scene as the filter estimates it.
    func writeOdometry(
        _ pose: PoseInterface.Pose, by alignment: PoseInterface.Alignment, at time: BootTime,
        into writer: inout MessageWriter
    ) {
        let turn = Rotation3.aboutZ(Angle.radians(degrees: alignment.yaw))
        let position = turn * Self.world(Vector3(pose.position)) + alignment.translation
        let accuracy = pose.accuracy
        let sigma = accuracy.horizontalAccuracy.map { $0 / PoseAccuracy.radius68 }
        let yaw =
            pose.headingReference == .trueNorth
            ? accuracy.orientationYawAccuracy.map(Angle.radians(degrees:)) : nil
        let covariance = Self.diagonal(
            [sigma, sigma, accuracy.verticalAccuracy, nil, nil, yaw].map { $0.map { $0 * $0 } ?? Self.unknownVariance })
        write(
            pose, Self.map, position, turn * Self.rotation(sceneFromBody: Rotation3(pose.orientation)), covariance,
            time, &writer)
    }

    private func write(
        _ pose: PoseInterface.Pose, _ frame: String, _ position: Vector3, _ rotation: Rotation3,
        _ covariance: [Double], _ time: BootTime, _ writer: inout MessageWriter
    ) {
        writer.write(.odometry) { writer in
            writeHeader(frame, time, &writer)
            writer.member("child_frame_id", Self.base)
            writer.message("pose") { writer in
                writer.pose(position.message, rotation.message)
                writer.member("covariance", covariance)
            }
            writer.message("twist") { writer in
                let inBase = Self.rotation(sceneFromBody: Rotation3(pose.orientation)).inverse
                writer.message("twist") { writer in
                    writer.member("linear", (inBase * Self.world(Vector3(pose.linearVelocity))).message)
                    writer.member("angular", Self.base(Vector3(pose.angularVelocity)).message)
                }
                writer.member("covariance", Self.twistCovariance(pose.accuracy, inBase))
            }
        }
    }

    /// Covariance of the twist in the axes of `base_link`.
    private static func twistCovariance(_ accuracy: PoseInterface.Accuracy, _ inBase: Rotation3) -> [Double] {
        func variance(_ radius: Double?, _ ratio: Double) -> Double {
            radius.map { ($0 / ratio) * ($0 / ratio) } ?? unknownVariance
        }
        let across = variance(accuracy.horizontalVelocityAccuracy, PoseAccuracy.radius68)
        let angular = variance(accuracy.angularVelocityAccuracy, PoseAccuracy.sphere68)
        let up = inBase * Vector3(0, 0, 1)
        let excess = variance(accuracy.verticalVelocityAccuracy, 1) - across
        var covariance = diagonal([across, across, across, angular, angular, angular])
        let axes = [up.x, up.y, up.z]
        for row in 0..<3 { for column in 0..<3 { covariance[row * 6 + column] += excess * axes[row] * axes[column] } }
        return covariance
    }

    private static func diagonal(_ variances: [Double]) -> [Double] {
        var matrix = [Double](repeating: 0, count: variances.count * variances.count)
        for (axis, variance) in variances.enumerated() { matrix[axis * (variances.count + 1)] = variance }
        return matrix
    }

    // MARK: frames

    /// Writes the transform of `odom` in `map`, as the filter estimates it.
    func writeTransform(_ alignment: PoseInterface.Alignment, at time: BootTime, into writer: inout MessageWriter) {
        let turn = Rotation3.aboutZ(Angle.radians(degrees: alignment.yaw))
        writeTransform(Self.map, Self.odom, alignment.translation, turn, time, &writer)
    }

    /// Writes the transform of `base_link` in `odom`.
    func writeTransform(_ pose: PoseInterface.Pose, at time: BootTime, into writer: inout MessageWriter) {
        writeTransform(
            Self.odom, Self.base, Self.world(Vector3(pose.position)),
            Self.rotation(sceneFromBody: Rotation3(pose.orientation)), time, &writer)
    }

    /// Writes the transform of the antenna in `base_link`.
    func writeTransform(ofAntenna fix: GNSSFix, at time: BootTime, into writer: inout MessageWriter) {
        writeTransform(Self.base, Self.antenna, Self.base(fix.antennaInBody), .identity, time, &writer)
    }

    private func writeTransform(
        _ parent: String, _ child: String, _ translation: Vector3, _ rotation: Rotation3, _ time: BootTime,
        _ writer: inout MessageWriter
    ) {
        writer.write(.transforms) { writer in
            writer.list("transforms", [0]) { _, writer in
                writeHeader(parent, time, &writer)
                writer.member("child_frame_id", child)
                writer.message("transform") { writer in
                    writer.member("translation", translation.message)
                    writer.member("rotation", rotation.message)
                }
            }
        }
    }

    private func writeHeader(_ frame: String, _ time: BootTime, _ writer: inout MessageWriter) {
        writer.message("header") { writer in
            writer.member("stamp", PoseInterface.Time(nanoseconds: Int64(clamping: clock.time(time))))
            writer.member("frame_id", frame)
        }
    }
}

extension Rotation3 {
    fileprivate var message: PoseInterface.Quaternion { PoseInterface.Quaternion(x: x, y: y, z: z, w: w) }

    /// Rotation by a recorded quaternion, normalised; the identity if its length is zero.
    fileprivate init(_ message: PoseInterface.Quaternion) {
        self = Rotation3(w: message.w, x: message.x, y: message.y, z: message.z) ?? .identity
    }
}

extension PoseInterface.Alignment {
    var translation: Vector3 { Vector3(east, north, up) }
}
