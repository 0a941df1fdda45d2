/// Published pose of a past instant.
public struct PastPose: Hashable, Sendable {
    /// Pose, interpolated between those published.
    public var pose: PoseEstimate
    /// Sequence number of the last pose published at or before that moment; the first is 1.
    public var sequence: UInt64

    package init(pose: PoseEstimate, sequence: UInt64) {
        self.pose = pose
        self.sequence = sequence
    }
}

/// Reason why there is no pose of an instant.
public enum PastPoseProblem: Error, Hashable, Sendable {
    /// No pose published yet.
    case none
    /// Time before `available`: too long ago, or before the first pose.
    case tooEarly(available: ClosedRange<BootTime>)
    /// Later than the newest pose.
    case tooLate(available: ClosedRange<BootTime>)
    /// While the inertial sensors were silent, between two poses.
    case inGap(ClosedRange<BootTime>, available: ClosedRange<BootTime>)
}
