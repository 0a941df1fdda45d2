/// Decides when the sensors may do less: no client has taken a pose for a while, or none has drawn what it got.
package struct PowerGovernor {
    /// What clients do with poses, at most.
    package enum Use: Comparable, Sendable {
        case none
        /// They take poses, or record.
        case poses
        /// They draw what they get, at the rate of a display, and see how old it is.
        case rendering
    }

    package enum Mode: String, Sendable {
        case idle
        case active
        /// Active, with the least latency that the sensors can give.
        case rendering
    }

    private var poses: HeldDemand
    private var rendering: HeldDemand

    /// Time without a display after which its latency is given up. Its return has each sensor start its buffer anew,
    /// which may cost a few samples, while the latency costs two or three wake-ups for one. Unit: nanoseconds.
    private static let renderingPatience: Int64 = 10_000_000_000

    /// - Parameters:
    ///   - patience: time without a client before the first idle spell. Unit: nanoseconds.
    ///   - now: counts as a moment with a client that takes poses. Nanoseconds of any monotone clock, as all times
    ///     here.
    package init(patience: Int64, at now: Int64) {
        poses = HeldDemand(patience: patience, isHeld: true, at: now)
        rendering = HeldDemand(patience: Self.renderingPatience, isHeld: false, at: now - Self.longAgo)
    }

    /// The first display is none that returns.
    private static let longAgo = 4 * renderingPatience

    package var mode: Mode { !poses.isHeld ? .idle : rendering.isHeld ? .rendering : .active }

    /// Time at which the sensors went idle, or became active.
    package var since: Int64 { poses.since }

    /// Number of times that a client ended the idle mode.
    package var wakes: Int { poses.returns }

    /// Time without a client after which the mode becomes idle. Unit: nanoseconds.
    package var patience: Int64 { poses.patience }

    /// Another setting of the least patience. Unit: nanoseconds.
    package mutating func apply(patience: Int64) { poses.apply(patience: patience) }

    /// Notes what clients do; true when that changed the mode.
    package mutating func note(_ use: Use, at now: Int64) -> Bool {
        let before = mode
        _ = rendering.note(isWanted: use == .rendering, at: now)
        _ = poses.note(isWanted: use >= .poses, at: now)
        return mode != before
    }
}
