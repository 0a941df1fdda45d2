import Glibc

/// Sampling rate of one sensor over time, and its gaps.
package struct SensorRate: Sendable {
    /// Name of the sensor, such as "gyroscope".
    package let name: String
    package private(set) var count = 0
    private var bins = TimeBins<SampleCount>(TimeGrid(limit: TimeGrid.usualLimit, width: 1))
    private var last: Double?
    private var candidates: [Gap] = []
    private var candidatesLeftOut = 0
    /// Number of intervals by length. The key is 20 times the binary logarithm of the length in seconds, rounded.
    private var histogram: [Int: Int] = [:]

    /// Period without a sample.
    package struct Gap: Hashable, Sendable {
        /// Time of the last sample before the gap. Unit: seconds since the start.
        package var from: Double
        /// Time of the first sample after the gap. Unit: seconds since the start.
        package var to: Double

        /// Duration. Unit: seconds.
        package var duration: Double { to - from }
    }

    /// Minimum duration of a gap. The estimator tolerates shorter pauses. Unit: seconds.
    package static let minimumGap = 0.5
    /// Minimum duration of a gap as a multiple of the usual interval.
    package static let gapFactor = 3.0
    /// Maximum number of gaps that are listed.
    static let limit = 500

    init(name: String) {
        self.name = name
        // The bin of time 0 is made first. Otherwise bins would be counted from the sensor's first sample instead of
        // the start of the recording.
        bins.cover(0)
    }

    /// Adds a sample. If it is not later than the last one, it is counted, but its interval is not.
    ///
    /// - Parameter time: time since the start of the recording, seconds.
    mutating func add(_ time: Double) {
        count += 1
        bins.add(time, SampleCount())
        guard let last else { return self.last = time }
        guard time > last else { return }
        self.last = time
        note(Gap(from: last, to: time))
    }

    private mutating func note(_ interval: Gap) {
        histogram[Int((log2(interval.duration) * 20).rounded()), default: 0] += 1
        guard interval.duration > Self.minimumGap else { return }
        if candidates.count < Self.limit { candidates.append(interval) } else { candidatesLeftOut += 1 }
    }

    /// Median of the intervals, accurate to 2 %; nil if there are fewer than two samples. Unit: seconds.
    package var usualInterval: Double? {
        let half = (histogram.values.reduce(0, +) + 1) / 2
        guard half > 0 else { return nil }
        var seen = 0
        for key in histogram.keys.sorted() {
            seen += histogram[key, default: 0]
            if seen >= half { return exp2(Double(key) / 20) }
        }
        return nil
    }

    /// Periods without a sample, in order of time. They are longer than half a second and longer than three usual
    /// intervals.
    package var gaps: [Gap] {
        let minimum = Self.gapFactor * (usualInterval ?? 0)
        return candidates.filter { $0.duration > minimum }
    }

    /// Whether there were more gaps than those that are listed.
    var isIncomplete: Bool { candidatesLeftOut > 0 }

    /// Samples per second in equal bins of at least a second. A bin without samples has the value zero.
    ///
    /// - Parameter duration: duration of the recording, at which the last bin ends. Unit: seconds.
    func samples(duration: Double) -> [PeakSeries.Sample] {
        guard count > 0 else { return [] }
        var covering = bins
        covering.cover(duration)
        let width = covering.grid.width
        var samples: [PeakSeries.Sample] = []
        var next = 0
        func add(_ index: Int, _ count: Int) {
            let from = Double(index) * width
            let length = min(width, duration - from)
            // At the end of the recording, a short part of a bin does not suffice to compute a rate.
            guard length > 0.5 * width || samples.isEmpty else { return }
            let rate = Double(count) / max(length, 0.5 * width)
            samples.append(PeakSeries.Sample(time: from + length / 2, value: rate, standardDeviation: nil))
        }
        let last = Int((min(duration, 1e12) / width).rounded(.up)) - 1
        for (index, bin) in covering.bins {
            for index in stride(from: next, to: index, by: 1) { add(index, 0) }
            add(index, bin.count)
            next = index + 1
        }
        for index in stride(from: next, through: last, by: 1) { add(index, 0) }
        return samples
    }
}

/// Number of samples in a bin of time.
private struct SampleCount: TimeBin {
    var count = 1

    mutating func join(_ other: SampleCount) { count += other.count }
}
