import Estimation
import Measurements
import Scene

/// Past poses, and fixes of clients paired with them.
extension Engine {
    /// Times for which a pose is available, at most the last ten minutes; nil before the first pose.
    public var pastPoses: ClosedRange<BootTime>? { history.available }

    /// Pose at a time in the last ten minutes, as it was published then.
    public func pose(at time: BootTime) throws(PastPoseProblem) -> PastPose { try history.pose(at: time) }

    /// Client's own fix paired with the pose of its time, by the alignment that is published now; no pose or alignment
    /// changes.
    public func pair(_ fix: ClientFix, at time: BootTime) throws(PairingProblem) -> (PairedEstimate, PastPose) {
        let past: PastPose
        do throws(PastPoseProblem) { past = try pose(at: time) } catch { throw .noPose(error) }
        guard let viewpoint, let pose else { throw .notLocalized }
        guard past.pose.generation == viewpoint.generation else { throw .otherGeneration(viewpoint.generation) }
        let paired = PairedEstimate(
            fix, pose: past.pose, now: viewpoint, verticalAccuracy: pose.accuracy.vertical,
            settings: sceneSettings.frame)
        guard let paired else { throw .outOfReach }
        return (paired, past)
    }
}

/// Reason why a client's fix cannot be paired with a pose.
public enum PairingProblem: Error, Hashable, Sendable {
    case noPose(PastPoseProblem)
    /// No position is known yet.
    case notLocalized
    /// The scene frame has been reset since.
    case otherGeneration(UInt32)
    /// The position is more than 1000 km away.
    case outOfReach
}
