import Model

/// Counts the samples of a sensor and those that are missing between them, by their stamps.
///
/// Stamps may be uneven, or the same for all samples of a batch: what counts as a gap is learnt from the first ones, and how
/// long a sample lasts is what it comes to over the whole.
struct SlotClock: Sendable {
    /// The usual distance of stamps. Unit: seconds.
    private let interval: Double
    /// From here on it is a gap. Unit: seconds.
    private let gap: Double
    private var last: BootTime
    /// From one sample to another: the first one begins none.
    private(set) var slots = -1.0
    private(set) var span = 0.0
    private var strays = 0

    /// What to do with a sample.
    enum Step {
        /// Take it, so many are missing before it.
        case take(missing: Int)
        /// It is older than the last.
        case leave
        /// The clock was set back: nothing before compares.
        case restart
    }

    /// - Parameter stamps: at least two, in order.
    init?(_ stamps: [BootTime]) {
        let intervals = zip(stamps.dropFirst(), stamps).map { $0.0.seconds(since: $0.1) }.filter { $0 >= 0 }.sorted()
        guard let first = stamps.first, let longest = intervals.last, longest > 0 else { return nil }
        let middle = intervals[intervals.count / 2]
        let high = intervals[(intervals.count - 1) * 9 / 10]
        if middle > 0, high <= 1.5 * middle {
            let usual = intervals.filter { $0 > 0.5 * middle && $0 < 1.5 * middle }
            interval = usual.reduce(0, +) / Double(usual.count)
            gap = 1.5 * interval
        } else {
            // In batches, or very uneven.
            let limit = 2 * (high > 0 ? high : longest)
            let usual = intervals.filter { $0 <= limit }
            interval = usual.reduce(0, +) / Double(usual.count)
            gap = limit
        }
        last = first
    }

    /// Seconds that a sample lasts, over all.
    var seconds: Double { slots > 0 ? span / slots : interval }

    mutating func step(to time: BootTime) -> Step {
        let passed = time.seconds(since: last)
        if passed < 0 {
            strays += 1
            guard passed < -1 || strays > 100 else { return .leave }
            (last, strays) = (time, 0)
            return .restart
        }
        strays = 0
        last = time
        let steps = passed > gap ? min(max(1, (passed / interval).rounded()), 1e15) : 1
        // What lies within a long gap says nothing about how long a sample lasts.
        if passed <= 16 * gap {
            slots += steps
            span += passed
        }
        return .take(missing: Int(steps) - 1)
    }
}
