import Model

/// What one inertial step or one correction brought about; nil is nothing.
public struct OdometryEvents: Sendable {
    /// One for each inertial step, and at each `.clock` while the inertial sensors are silent.
    public var pose: PoseEstimate?
    /// The published alignment of the scene at the instant of `pose`, on `Odometry.plane`; nil without a pose.
    public var alignment: SceneAlignment?
    /// When a correction gave the scene frame a new target, and while the published alignment moves to it.
    public var frame: FrameEstimate?

    @inline(__always)
    public init(pose: PoseEstimate? = nil, alignment: SceneAlignment? = nil, frame: FrameEstimate? = nil) {
        self.pose = pose
        self.alignment = alignment
        self.frame = frame
    }
}
