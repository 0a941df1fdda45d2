import Model

/// Determines a sensor's sampling interval and the number of missing samples from time stamps. The stamps may be
/// uneven, or equal for all samples of a batch. The first stamps therefore give the threshold for a gap, and the whole
/// record gives the sampling interval.
struct SlotClock: Sendable {
    /// Typical interval of the stamps. Unit: seconds.
    private let interval: Double
    /// Shortest interval that counts as a gap. Unit: seconds.
    private let gap: Double
    private var last: BootTime
    /// Number of intervals. It starts at −1, because no interval precedes the first sample.
    private(set) var slots = -1.0
    private(set) var span = 0.0
    private var strays = 0

    /// What to do with a sample.
    enum Step {
        /// Use the sample. `missing` samples before it are absent.
        case take(missing: Int)
        /// Ignore the sample, because it is older than the last one.
        case leave
        /// Start a new segment, because the clock was set back.
        case restart
    }

    /// - Parameter stamps: at least two stamps, in order.
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
            // The stamps come in batches, or are very uneven.
            let limit = 2 * (high > 0 ? high : longest)
            let usual = intervals.filter { $0 <= limit }
            interval = usual.reduce(0, +) / Double(usual.count)
            gap = limit
        }
        last = first
    }

    /// Mean sampling interval over the record. Unit: seconds.
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
        // Long gaps do not show the sampling interval.
        if passed <= 16 * gap {
            slots += steps
            span += passed
        }
        return .take(missing: Int(steps) - 1)
    }
}
