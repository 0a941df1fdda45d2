import Model

/// Scene event with its time.
public struct TimedEvent: Sendable {
    /// Time of the pose at which the event was detected.
    public var time: BootTime
    package var event: SceneEvent

    package init(time: BootTime, event: SceneEvent) {
        self.time = time
        self.event = event
    }
}

/// Scene event as readers receive it.
public struct PublishedEvent: Sendable {
    /// Number that increases from event to event. It also increases across restarts of the daemon, until the computer
    /// restarts.
    public var sequence: Int64
    /// Time of the pose at which the event was detected.
    public var time: BootTime
    package var event: SceneEvent

    package init(sequence: Int64, _ event: TimedEvent) {
        self.sequence = sequence
        time = event.time
        self.event = event.event
    }
}
