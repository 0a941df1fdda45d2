import Measurements

/// Update of a scene for one display: a snapshot, or the changes since the last update.
public struct SceneUpdate: Sendable {
    /// Revision, which increases by one with each update.
    public var revision: UInt64
    /// Whether it contains the whole scene and replaces the previous state.
    public var isSnapshot: Bool
    /// Time of the pose around which the scene was composed.
    public var time: BootTime
    /// Generation of the scene frame; positions of other generations are not comparable.
    public var generation: UInt32
    /// Readiness of the scene frame for placements.
    public var readiness: FrameReadiness
    /// Summary of the progress along the route; nil without a route.
    public var route: RouteStatus?
    /// Motion of the arrows; nil without a route.
    public var motion: ArrowMotion?
    /// Sun; nil while position or UTC are unknown.
    public var sun: Sun?
    /// Roll of labels on the display that keeps them horizontal, counter-clockwise. Unit: radians.
    public var labelRoll: Double
    /// Placements that are new or changed, in order of their identifiers.
    public var changed: [ViewedPlacement]
    /// Sorted identifiers of removed placements.
    public var removed: [String]
    /// Events, oldest first.
    public var events: [TimedEvent]
    /// Number of events missing before these because the queue overflowed.
    public var eventsDropped: Int
    /// Number of skipped updates that this one includes, because their reader was slow.
    public var missed: Int
    /// Number of placements left out because of the limit.
    public var left: Int

    /// Update with the state of a scene, without its placements and events.
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

/// Scene event with its time.
public struct TimedEvent: Sendable {
    /// Time of the pose at which the event was detected.
    public var time: BootTime
    /// Event.
    public var event: SceneEvent

    /// Event at a time.
    public init(time: BootTime, event: SceneEvent) {
        self.time = time
        self.event = event
    }
}
