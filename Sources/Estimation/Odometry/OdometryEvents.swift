/// Results of one inertial step; nil where there is none.
public struct OdometryEvents: Sendable {
    /// Pose at each inertial step, and at each `.clock` while the inertial sensors are silent.
    public var pose: PoseEstimate?
    /// Published alignment of the scene at the time of `pose`, on `Odometry.plane`; nil without a pose.
    public var alignment: SceneAlignment?
    /// Scene frame, when its target has changed, and while the published alignment follows.
    public var frame: FrameEstimate?

    /// Makes the results of a step.
    @inline(__always)
    public init(pose: PoseEstimate? = nil, alignment: SceneAlignment? = nil, frame: FrameEstimate? = nil) {
        self.pose = pose
        self.alignment = alignment
        self.frame = frame
    }
}
