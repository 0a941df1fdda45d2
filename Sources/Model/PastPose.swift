/// The pose of a past moment, as it was published then.
public struct PastPose: Hashable, Sendable {
    public var pose: PoseEstimate
    /// Sequence number of the last pose published at or before that moment; the first is 1.
    public var sequence: UInt64

    package init(pose: PoseEstimate, sequence: UInt64) {
        self.pose = pose
        self.sequence = sequence
    }
}

/// Why there is no pose of a moment.
public enum PastPoseProblem: Error, Hashable, Sendable {
    /// No pose has been published yet.
    case none
    /// Before `available`: too long ago, or before the first pose.
    case tooEarly(available: ClosedRange<BootTime>)
    /// Later than the newest pose.
    case tooLate(available: ClosedRange<BootTime>)
    /// While the inertial sensors were silent, between two poses.
    case inGap(ClosedRange<BootTime>, available: ClosedRange<BootTime>)
}
