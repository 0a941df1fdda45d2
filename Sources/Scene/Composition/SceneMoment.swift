import Model

/// One instant of the wearer's way, as far as it is known: what a scene is composed around.
public struct SceneMoment: Sendable {
    public var pose: PoseEstimate
    /// Nil while no position is known.
    public var viewpoint: Viewpoint?
    public var readiness: FrameReadiness
    /// On the present route; nil without one.
    public var progress: RouteProgress?
    /// Since 1970; nil while no fix has told it. Unit: seconds.
    public var utcSeconds: Double?

    public init(
        pose: PoseEstimate, viewpoint: Viewpoint?, readiness: FrameReadiness, progress: RouteProgress? = nil,
        utcSeconds: Double? = nil
    ) {
        self.pose = pose
        self.viewpoint = viewpoint
        self.readiness = readiness
        self.progress = progress
        self.utcSeconds = utcSeconds
    }
}
