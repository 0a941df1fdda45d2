import Geometry
import WaymarkInterface

/// A pose in the frames of MAVLink.
///
/// The body frame is FRD: x forward (the line of sight), y right, z down, while Waymark has x right, y up and −z
/// forward. The same rotation makes the scene (X east, Y up, Z south) a local FRD frame, whose x axis is near north;
/// the published alignment converts it to NED.
package struct MAVLinkPose: Sendable {
    private let pose: PoseInterface.Pose
    /// Direction of the scene's x axis in FRD from true north, clockwise; nil while it is unknown. Unit: radians.
    private let yaw: Double?
    private let time: Int64

    /// - Parameter alignment: published alignment of the scene; nil while it is unknown.
    package init(_ pose: PoseInterface.Pose, alignment: PoseInterface.Alignment?) {
        self.pose = pose
        yaw = pose.headingReference == .trueNorth ? alignment.map { -$0.yaw * .pi / 180 } : nil
        time = pose.time.nanoseconds ?? 0
    }

    /// Returns the heartbeat, whose state is critical while the state of the poses is `limited`.
    ///
    /// - Parameter pose: newest pose; nil without a daemon, or while no pose is requested.
    package static func heartbeat(_ pose: PoseInterface.Pose?) -> MAVLinkHeartbeat {
        switch pose?.state {
        case nil: MAVLinkHeartbeat(state: .uninitialized)
        case .initializing: MAVLinkHeartbeat(state: .boot)
        case .aligning: MAVLinkHeartbeat(state: .calibrating)
        case .localized: MAVLinkHeartbeat(state: .active)
        case .limited: MAVLinkHeartbeat(state: .critical)
        }
    }

    /// Orientation and angular velocity; nil while gravity or true north is unknown.
    package var attitude: MAVLinkAttitude? {
        guard pose.tracking.orientation != .invalid, let yaw, let rotation else { return nil }
        return MAVLinkAttitude(
            milliseconds: milliseconds, rotation: Rotation3.aboutZ(yaw) * rotation,
            angularVelocity: Vector3(forwardRightDown: pose.angularVelocity))
    }

    /// Returns nil while the position, true north or the geoid separation is unknown, because the message cannot mark
    /// them as unknown.
    ///
    /// - Parameter geoidSeparation: height of the geoid above the ellipsoid; nil if unknown. Unit: metres.
    package func globalPosition(geoidSeparation: Double?) -> MAVLinkGlobalPosition? {
        guard pose.tracking.position != .invalid, let geo = pose.geo, let yaw, let geoidSeparation else { return nil }
        let velocity = Rotation3.aboutZ(yaw) * Vector3(forwardRightDown: pose.linearVelocity)
        return MAVLinkGlobalPosition(
            milliseconds: milliseconds, latitude: rounded(geo.latitude * 1e7), longitude: rounded(geo.longitude * 1e7),
            altitude: rounded((geo.height - geoidSeparation) * 1e3),
            relativeAltitude: rounded(pose.position.y * 1e3), north: rounded(velocity.x * 100),
            east: rounded(velocity.y * 100), down: rounded(velocity.z * 100),
            heading: pose.heading.map { rounded($0 * 100) % 36_000 } ?? .max)
    }

    /// Returns nil until the daemon is first localized, and while position or orientation is invalid.
    ///
    /// - Parameter resetCounter: number of earlier scene frames, modulo 256.
    package func odometry(resetCounter: UInt8) -> MAVLinkOdometry? {
        guard pose.state == .localized || pose.state == .limited, pose.tracking.orientation != .invalid,
            pose.tracking.position != .invalid, let rotation
        else { return nil }
        return MAVLinkOdometry(
            microseconds: UInt64(time / 1000), position: Vector3(forwardRightDown: pose.position), rotation: rotation,
            velocity: rotation.inverse * Vector3(forwardRightDown: pose.linearVelocity),
            angularVelocity: Vector3(forwardRightDown: pose.angularVelocity),
            poseCovariance: MAVLinkCovariance(poseOf: pose.accuracy),
            velocityCovariance: MAVLinkCovariance(velocityOf: pose.accuracy, by: rotation.inverse),
            resetCounter: resetCounter, estimator: estimator, quality: quality)
    }

    /// Rotation from the body FRD to the local frame FRD; nil if the pose's quaternion is not a rotation.
    private var rotation: Rotation3? {
        let q = pose.orientation
        return Rotation3(w: q.w, x: 0 - q.z, y: q.x, z: 0 - q.y)
    }

    private var milliseconds: UInt32 { UInt32(truncatingIfNeeded: time / 1_000_000) }

    private var estimator: MAVLinkOdometry.Estimator {
        if pose.sources.contains(.gnssPosition) || pose.sources.contains(.gnssVelocity) { return .satelliteInertial }
        return pose.sources.contains(.camera) ? .visualInertial : .unknown
    }

    /// Quality in percent: 100 if position and orientation are tracked, 50 if one is propagated from earlier
    /// measurements.
    private var quality: Int8 {
        pose.tracking.orientation == .tracked && pose.tracking.position == .tracked ? 100 : 50
    }
}

extension Vector3 {
    /// Converts a vector from the axes right, up and back (or east, up and south) to the axes forward, right and down.
    /// Zero never becomes −0, so that trailing zeros can be left out of the frame.
    fileprivate init(forwardRightDown vector: PoseInterface.Vector) { self.init(0 - vector.z, vector.x, 0 - vector.y) }
}

/// Returns the nearest integer in the range of the type; 0 if the value is not finite.
private func rounded<Integer: FixedWidthInteger>(_ value: Double) -> Integer {
    guard value.isFinite else { return 0 }
    return Integer(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
}
