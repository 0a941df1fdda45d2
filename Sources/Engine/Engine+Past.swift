import Model
import Scene

/// The poses of past moments, and what clients have found by themselves at such.
extension Engine {
    /// From the oldest moment of which there is a pose, at most ten minutes ago, to the newest; nil before the first.
    public var pastPoses: ClosedRange<BootTime>? { history.available }

    /// The pose of a moment of the last ten minutes, as it was published then.
    public func pose(at time: BootTime) throws(PastPoseProblem) -> PastPose { try history.pose(at: time) }

    /// A client's own fix beside the pose of its moment, by the published alignment of now; no pose or alignment is changed.
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

/// Why a client's fix cannot be paired with a pose.
public enum PairingProblem: Error, Hashable, Sendable {
    case noPose(PastPoseProblem)
    /// No position is known yet.
    case notLocalized
    /// The scene frame has been set anew since.
    case otherGeneration(UInt32)
    /// The position is nowhere near.
    case outOfReach
}
