import Model

/// What one display is told of the scene: all of it, or what has changed since it was last told.
public struct SceneUpdate: Sendable {
    /// Rises by one from update to update.
    public var revision: UInt64
    /// Whether it is all of the scene: what was known before no longer counts.
    public var isSnapshot: Bool
    /// Of the pose around which the scene was composed.
    public var time: BootTime
    public var generation: UInt32
    public var readiness: FrameReadiness
    public var route: RouteStatus?
    public var motion: ArrowMotion?
    public var sun: Sun?
    /// By which labels turn on the display to stay level. Unit: radians.
    public var labelRoll: Double
    /// In the order of their ids.
    public var changed: [ViewedPlacement]
    /// In their order.
    public var removed: [String]
    /// The oldest first.
    public var events: [TimedEvent]
    /// Events that are missing before these, because too many waited.
    public var eventsDropped: Int
    /// Updates that this one stands for besides its own, because their reader was slow.
    public var missed: Int
    /// Placements beyond the most that one scene may have.
    public var left: Int

    /// What the scene is besides its placements and events.
    init(_ content: SceneContent, labelRoll: Double) {
        revision = 0
        isSnapshot = false
        time = content.time
        generation = content.generation
        readiness = content.readiness
        route = content.route
        motion = content.motion
        sun = content.sun
        self.labelRoll = labelRoll
        changed = []
        removed = []
        events = []
        eventsDropped = 0
        missed = 0
        left = content.left
    }
}

/// Something that has happened, and when.
public struct TimedEvent: Sendable {
    public var time: BootTime
    public var event: SceneEvent

    public init(time: BootTime, event: SceneEvent) {
        self.time = time
        self.event = event
    }
}
