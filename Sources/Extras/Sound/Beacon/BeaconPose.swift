import Geometry
import Messages
import WaymarkInterface

/// Properties of the wearer's pose that the beacon needs.
package struct BeaconPose: Hashable, Sendable {
    /// Time of the newest measurement in the pose, before any prediction. CLOCK_BOOTTIME. Unit: nanoseconds.
    package var measuredAt: Int64
    package var generation: Int
    /// Position of the wearer's eyes. Frame: scene. Unit: metres.
    package var position: Vector3
    /// Rotation from the body frame (x right, y up, z towards the wearer) to the scene frame.
    package var rotationSceneFromBody: Rotation3
    package var isPositionKnown: Bool
    /// Whether the heading is known and was confirmed at least once.
    package var isHeadingConfirmed: Bool
    /// Standard deviation of the yaw; nil if unknown. Unit: radians.
    package var yawStandardDeviation: Double?

    package init(
        measuredAt: Int64, generation: Int, position: Vector3, rotationSceneFromBody: Rotation3,
        isPositionKnown: Bool = true, isHeadingConfirmed: Bool = true, yawStandardDeviation: Double?
    ) {
        self.measuredAt = measuredAt
        self.generation = generation
        self.position = position
        self.rotationSceneFromBody = rotationSceneFromBody
        self.isPositionKnown = isPositionKnown
        self.isHeadingConfirmed = isHeadingConfirmed
        self.yawStandardDeviation = yawStandardDeviation
    }
}

extension BeaconPose {
    /// Makes a pose from one of org.waymark.Pose; nil if its orientation is not a rotation.
    ///
    /// - Parameter measuredAt: time of the pose from which `message` was predicted. Unit: nanoseconds.
    package init?(_ message: PoseInterface.Pose, measuredAt: Int64) {
        let position = Vector3(message.position)
        guard let rotation = Rotation3(message.orientation), position.isFinite else { return nil }
        self.init(
            measuredAt: measuredAt, generation: message.generation, position: position,
            rotationSceneFromBody: rotation, isPositionKnown: message.tracking.position != .invalid,
            isHeadingConfirmed: message.hasConfirmedHeading,
            yawStandardDeviation: message.accuracy.orientationYawAccuracy.map { $0 * .pi / 180 })
    }
}

extension PoseInterface.Pose {
    fileprivate var hasConfirmedHeading: Bool {
        tracking.orientation != .invalid && headingReference != .none && !reasons.contains(.headingUnknown)
            && !reasons.contains(.headingUnconfirmed)
    }
}
