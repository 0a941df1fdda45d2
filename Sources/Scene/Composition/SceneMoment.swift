import Estimation

/// State of the wearer at one instant from which a scene is composed.
public struct SceneMoment: Sendable {
    /// Newest pose.
    public var pose: PoseEstimate
    /// Viewpoint; nil while no position is known.
    public var viewpoint: Viewpoint?
    /// Readiness of the scene frame for placements.
    public var readiness: FrameReadiness
    /// Progress along the present route; nil without one.
    public var progress: RouteProgress?
    /// UTC as seconds since 1970-01-01; nil while no fix has reported it.
    public var utcSeconds: Double?

    /// Moment with the given properties.
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
