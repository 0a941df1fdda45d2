import Geometry
import Glibc
import Model
import WaymarkInterface

extension PoseEstimate {
    /// Speed below which the direction of motion is mostly noise. Unit: m/s.
    private static let minimumCourseSpeed = 0.5

    /// Whether all required fields are finite. If not, the pose is not published.
    package var isFinite: Bool {
        let rotation = rotationSceneFromBody
        return positionInScene.isFinite && velocityInScene.isFinite && angularVelocityInBody.isFinite
            && (rotation.x + rotation.y + rotation.z + rotation.w).isFinite
            && (geodetic.map { ($0.latitudeDegrees + $0.longitudeDegrees + $0.ellipsoidalHeight).isFinite } ?? true)
    }

    package func message(sequence: UInt64, utcOffset: Int64? = nil) -> PoseInterface.Pose {
        let rotation = rotationSceneFromBody
        let speed = velocityENU.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }
        let isCourseKnown = (speed ?? 0) >= Self.minimumCourseSpeed && status.headingReference == .trueNorth
        return PoseInterface.Pose(
            sequence: Int(clamping: sequence), time: time.message, utc: time.utc(offset: utcOffset), frame: "scene",
            generation: Int(generation), position: positionInScene.message,
            orientation: PoseInterface.Quaternion(x: rotation.x, y: rotation.y, z: rotation.z, w: rotation.w),
            linearVelocity: velocityInScene.message, angularVelocity: angularVelocityInBody.message,
            tracking: PoseInterface.Tracking(
                orientation: status.orientationTracking.message, position: status.positionTracking.message),
            geo: geodetic?.message, heading: heading.flatMap(direction),
            headingReference: status.headingReference.message,
            course: isCourseKnown ? velocityENU.flatMap { direction(atan2($0.x, $0.y)) } : nil, speed: speed,
            motion: motion?.message, accuracy: accuracy.message, state: status.state.message,
            reasons: status.reasons.message, sources: status.sources.message)
    }
}

/// Angle in degrees, in [0, 360) with six decimals. A value that would round to 360 becomes 0.
private func direction(_ radians: Double) -> Double? {
    guard radians.isFinite else { return nil }
    var degrees = (radians * 180 / .pi).truncatingRemainder(dividingBy: 360)
    if degrees < 0 { degrees += 360 }
    return degrees >= 360 - 0.5e-6 ? 0 : degrees
}

extension PoseAccuracy {
    package var message: PoseInterface.Accuracy {
        PoseInterface.Accuracy(
            horizontalAccuracy: horizontal, verticalAccuracy: vertical,
            orientationYawAccuracy: yaw.map { $0 * 180 / .pi }, horizontalVelocityAccuracy: velocityHorizontal,
            verticalVelocityAccuracy: velocityVertical, angularVelocityAccuracy: angularVelocity)
    }
}

extension MotionEstimate {
    /// Message of the motion; nil if the probability is not finite.
    package var message: PoseInterface.Motion? {
        probability.isFinite ? PoseInterface.Motion(mode: kind.message, probability: probability) : nil
    }
}

extension BootTime {
    package var message: PoseInterface.Time { PoseInterface.Time(nanoseconds: nanoseconds) }

    /// - Parameter offset: nanoseconds that are added to boot time to get UTC since 1970; nil until a fix has
    ///   determined them.
    package func utc(offset: Int64?) -> UTCTime? {
        guard let offset else { return nil }
        let (utc, overflow) = nanoseconds.addingReportingOverflow(offset)
        return overflow ? nil : UTCTime(nanoseconds: utc)
    }
}

extension Vector3 {
    package var message: PoseInterface.Vector { PoseInterface.Vector(x: x, y: y, z: z) }

    package init(_ message: PoseInterface.Vector) { self.init(message.x, message.y, message.z) }
}

extension GeodeticPosition {
    package var message: PoseInterface.Geo {
        PoseInterface.Geo(latitude: latitudeDegrees, longitude: longitudeDegrees, height: ellipsoidalHeight)
    }

    /// Converts a position; nil if it is not on the earth.
    package init?(_ message: PoseInterface.Geo) {
        self.init(
            latitudeDegrees: message.latitude, longitudeDegrees: message.longitude, ellipsoidalHeight: message.height)
    }
}

extension Rotation3 {
    /// Converts a quaternion; nil if it is not a rotation.
    package init?(_ message: PoseInterface.Quaternion) {
        self.init(w: message.w, x: message.x, y: message.y, z: message.z)
    }
}

extension SceneAlignment {
    package var message: PoseInterface.Alignment {
        PoseInterface.Alignment(yaw: yaw * 180 / .pi, east: translation.x, north: translation.y, up: translation.z)
    }
}
