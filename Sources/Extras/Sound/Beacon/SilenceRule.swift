import Geometry

/// Decides whether the beacon is silent. Hysteresis keeps it from stuttering at a limit.
struct SilenceRule {
    /// Age of the measurements above which a direction is stale. The ring does not predict further ahead than this.
    /// Unit: nanoseconds.
    static let oldestPose: Int64 = 100_000_000
    /// Standard deviation of the direction above which the beacon is silent, because left and right cannot be
    /// distinguished. Unit: radians.
    static let maximumUncertainty = 40 * Double.pi / 180
    /// Standard deviation of the direction below which the beacon sounds again. Unit: radians.
    static let minimumUncertainty = 30 * Double.pi / 180
    /// Distance at which the beacon sounds again after an arrival, relative to the arrival radius.
    static let departure = 1.6

    private var isUncertain = false
    private var arrivedAt: String?

    /// Returns the reason for silence; nil if the beacon sounds.
    mutating func reason(_ pose: BeaconPose?, _ target: BeaconTarget?, at time: Int64) -> Silence? {
        guard let pose else { return .noDaemon }
        if time - pose.measuredAt > Self.oldestPose { return .stalePose }
        guard let target else { return .noTarget }
        if pose.generation != target.generation { return .otherGeneration }
        if !pose.isPositionKnown { return .positionUnknown }
        if hasArrived(pose, target) { return .arrived }
        if !pose.isHeadingConfirmed { return .headingUnconfirmed }
        guard let deviation = AngularSpread.deviation(pose, target) else { return .headingUnconfirmed }
        isUncertain = deviation > (isUncertain ? Self.minimumUncertainty : Self.maximumUncertainty)
        return isUncertain ? .directionUncertain : nil
    }

    private mutating func hasArrived(_ pose: BeaconPose, _ target: BeaconTarget) -> Bool {
        let displacement = target.position - pose.position
        let distance = Vector2(displacement.x, displacement.z).norm
        let bound = target.arrivalRadius * (arrivedAt == target.id ? Self.departure : 1)
        arrivedAt = distance < bound ? target.id : nil
        return arrivedAt != nil
    }
}
