/// Decides when the sensors may do less work: after a while in which no client has taken a pose, or in which no client
/// has drawn one.
package struct PowerGovernor {
    /// Most demanding use that clients make of poses.
    package enum Use: Comparable, Sendable {
        case none
        /// Clients take poses, or record.
        case poses
        /// Clients draw poses at the rate of a display, where latency is visible.
        case rendering
    }

    package enum Mode: String, Sendable {
        case idle
        case active
        /// Active, with the lowest latency that the sensors can give.
        case rendering
    }

    private var poses: HeldDemand
    private var rendering: HeldDemand

    /// Time without a display after which low latency is given up. Returning to low latency restarts the buffer of each
    /// sensor, which may cost a few samples; keeping low latency costs two or three times as many wake-ups. Unit:
    /// nanoseconds.
    private static let renderingPatience: Int64 = 10_000_000_000

    /// - Parameters:
    ///   - patience: time without a client before the first idle spell. Unit: nanoseconds.
    ///   - now: start time, which counts as a moment with a client that takes poses. Like all times here, in
    ///     nanoseconds of any monotonic clock.
    package init(patience: Int64, at now: Int64) {
        poses = HeldDemand(patience: patience, isHeld: true, at: now)
        rendering = HeldDemand(patience: Self.renderingPatience, isHeld: false, at: now - Self.longAgo)
    }

    /// Assumed time without a display before the start, long enough that the first display does not count as a
    /// returning one.
    private static let longAgo = 4 * renderingPatience

    package var mode: Mode { !poses.isHeld ? .idle : rendering.isHeld ? .rendering : .active }

    /// Time at which the sensors went idle, or became active.
    package var since: Int64 { poses.since }

    /// Number of times that a client ended the idle mode.
    package var wakes: Int { poses.returns }

    /// Time without a client after which the mode becomes idle. Unit: nanoseconds.
    package var patience: Int64 { poses.patience }

    /// Changes the setting of the minimum patience. Unit: nanoseconds.
    package mutating func apply(patience: Int64) { poses.apply(patience: patience) }

    /// Notes the use that clients make of poses; returns whether that changed the mode.
    package mutating func note(_ use: Use, at now: Int64) -> Bool {
        let before = mode
        _ = rendering.note(isWanted: use == .rendering, at: now)
        _ = poses.note(isWanted: use >= .poses, at: now)
        return mode != before
    }
}
