#if canImport(Glibc)
    import Glibc
#endif

/// Sampling rate of one sensor over time, and its gaps.
public struct SensorRate: Sendable {
    /// Name of the sensor, such as "gyroscope".
    public let name: String
    /// Number of samples.
    public private(set) var count = 0
    private var bins: [(index: Int, count: Int)] = []
    private var grid = TimeGrid(limit: TimeGrid.usualLimit, width: 1)
    private var last: Double?
    private var candidates: [Gap] = []
    private var candidatesLeftOut = 0
    /// Number of intervals by their length, in twentieths of a power of two.
    private var histogram: [Int: Int] = [:]

    /// Period without a sample.
    public struct Gap: Hashable, Sendable {
        /// Time of the last sample before the gap. Unit: seconds since the start.
        public var from: Double
        /// Time of the first sample after the gap. Unit: seconds since the start.
        public var to: Double

        /// Duration. Unit: seconds.
        public var duration: Double { to - from }
    }

    /// Minimum duration of a gap; the estimator tolerates shorter pauses. Unit: seconds.
    public static let minimumGap = 0.5
    /// Minimum duration of a gap as a multiple of the usual interval.
    public static let gapFactor = 3.0
    /// Maximum number of listed gaps.
    static let limit = 500

    init(name: String) {
        self.name = name
        // Index 0 is requested first, so that bins are counted from the start of the recording and not from the
        // sensor's first sample.
        _ = grid.index(of: 0)
    }

    /// Adds a sample; if it is not later than the last one, it is counted without an interval.
    ///
    /// - Parameter time: time since the start of the recording, seconds.
    mutating func add(_ time: Double) {
        count += 1
        let (index, halvings) = grid.index(of: time)
        for _ in 0..<halvings { halve() }
        if let place = bins.indices.last, bins[place].index >= index {
            bins[place].count += 1
        } else {
            bins.append((index, 1))
        }
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

    private mutating func halve() {
        var joined: [(index: Int, count: Int)] = []
        for bin in bins {
            if let place = joined.indices.last, joined[place].index == bin.index >> 1 {
                joined[place].count += bin.count
            } else {
                joined.append((bin.index >> 1, bin.count))
            }
        }
        bins = joined
    }

    /// Median of the intervals, to 2 %; nil with fewer than two samples. Unit: seconds.
    public var usualInterval: Double? {
        let half = (histogram.values.reduce(0, +) + 1) / 2
        guard half > 0 else { return nil }
        var seen = 0
        for key in histogram.keys.sorted() {
            seen += histogram[key, default: 0]
            if seen >= half { return exp2(Double(key) / 20) }
        }
        return nil
    }

    /// Periods without a sample that are longer than half a second and than three usual intervals, in order of time.
    public var gaps: [Gap] {
        let minimum = Self.gapFactor * (usualInterval ?? 0)
        return candidates.filter { $0.duration > minimum }
    }

    /// Whether there were more gaps than are listed.
    var isIncomplete: Bool { candidatesLeftOut > 0 }

    /// Samples per second in equal bins of at least a second; zero for a bin without samples.
    ///
    /// - Parameter duration: duration of the recording, seconds: the last bin may be shorter.
    func samples(duration: Double) -> [PeakSeries.Sample] {
        guard !bins.isEmpty else { return [] }
        var covering = self
        let (_, halvings) = covering.grid.index(of: duration)
        for _ in 0..<halvings { covering.halve() }
        return covering.perBin(duration: duration)
    }

    private func perBin(duration: Double) -> [PeakSeries.Sample] {
        var samples: [PeakSeries.Sample] = []
        var next = 0
        func add(_ index: Int, _ count: Int) {
            let from = Double(index) * grid.width
            let length = min(grid.width, duration - from)
            // A short part of a bin at the end of the recording does not suffice for a rate.
            guard length > 0.5 * grid.width || samples.isEmpty else { return }
            let rate = Double(count) / max(length, 0.5 * grid.width)
            samples.append(PeakSeries.Sample(time: from + length / 2, value: rate, standardDeviation: nil))
        }
        let last = Int((min(duration, 1e12) / grid.width).rounded(.up)) - 1
        for bin in bins {
            for index in stride(from: next, to: bin.index, by: 1) { add(index, 0) }
            add(bin.index, bin.count)
            next = bin.index + 1
        }
        for index in stride(from: next, through: last, by: 1) { add(index, 0) }
        return samples
    }
}
