/// Decides when the sensors may do less work: after a while in which no client has taken a pose, or in which none has
/// taken poses as often as before.
package struct PowerGovernor {
    package enum Mode: Hashable, Sendable {
        case idle
        /// Clients take poses, or record, the most frequent of them at this interval. Unit: nanoseconds.
        case active(interval: Int64)
    }

    private var poses: HeldDemand
    /// Shortest interval at which clients take poses. It is held for a while after the client that wanted it has left.
    private var interval = Self.longestInterval
    /// Time at which a client last wanted `interval`.
    private var lastWanted: Int64

    /// Interval of clients that take no poses but still need the sensors, for example to record. Unit: nanoseconds.
    package static let longestInterval: Int64 = 400_000_000
    /// Time for which a short interval is held. It grows while clients keep returning to a short interval soon after,
    /// because that may restart the buffers of the sensors, which may cost a few samples. Unit: nanoseconds.
    private var intervalPatience = Self.minimumIntervalPatience
    private var lastLengthened = Int64.min / 2
    private static let minimumIntervalPatience: Int64 = 30_000_000_000

    /// - Parameters:
    ///   - patience: time without a client before the first idle spell. Unit: nanoseconds.
    ///   - now: start time, which counts as a moment with a client that takes poses. Like all times here, in
    ///     nanoseconds of any monotonic clock.
    package init(patience: Int64, at now: Int64) {
        poses = HeldDemand(patience: patience, isHeld: true, at: now)
        lastWanted = now
    }

    package var mode: Mode { poses.isHeld ? .active(interval: interval) : .idle }

    /// Time at which the sensors went idle, or became active.
    package var since: Int64 { poses.since }

    /// Number of times that a client ended the idle mode.
    package var wakes: Int { poses.returns }

    /// Time without a client after which the mode becomes idle. Unit: nanoseconds.
    package var patience: Int64 { poses.patience }

    /// Changes the setting of the minimum patience. Unit: nanoseconds.
    package mutating func apply(patience: Int64) { poses.apply(patience: patience) }

    /// Notes the shortest interval at which a client takes poses (ns), nil without a client; returns whether that
    /// changed the mode.
    package mutating func note(_ wanted: Int64?, at now: Int64) -> Bool {
        let before = mode
        hold(min(wanted ?? Self.longestInterval, Self.longestInterval), at: now)
        _ = poses.note(isWanted: wanted != nil, at: now)
        return mode != before
    }

    private mutating func hold(_ wanted: Int64, at now: Int64) {
        if wanted > interval {
            guard now - lastWanted >= intervalPatience else { return }
            lastLengthened = now
        } else if wanted < interval {
            let isSoon = now - lastLengthened < 3 * intervalPatience
            intervalPatience =
                isSoon ? min(2 * intervalPatience, HeldDemand.maximumPatience) : Self.minimumIntervalPatience
        }
        interval = wanted
        lastWanted = now
    }
}
