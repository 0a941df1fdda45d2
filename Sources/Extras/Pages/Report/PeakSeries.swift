/// Values over the time of a recording of unknown length, in a bounded number of equal bins of time.
///
/// Each bin keeps its minimum and maximum with their times, so that a peak of a single sample is still drawn. When the
/// number of bins exceeds the limit, their width doubles.
public struct PeakSeries: Sendable {
    /// A value at an instant.
    public struct Sample: Hashable, Sendable {
        /// Time since the start of the recording. Unit: seconds.
        public var time: Double
        /// The value.
        public var value: Double
        /// Half width of the band around the line; nil for none.
        public var standardDeviation: Double?
        /// Whether the line is interrupted before this sample.
        public var isAfterGap = false
    }

    private struct Bin {
        var index: Int
        var least: Sample
        var greatest: Sample
        var isAfterGap: Bool

        mutating func join(_ other: Bin) {
            if other.least.value < least.value { least = other.least }
            if other.greatest.value > greatest.value { greatest = other.greatest }
        }
    }

    private var bins: [Bin] = []
    private var grid: TimeGrid
    /// Interval between samples beyond which the line is interrupted. Unit: seconds.
    private let maximumStep: Double
    private var lastTime: Double?
    private var isInterrupted = false

    /// Creates an empty series.
    ///
    /// - Parameters:
    ///   - limit: maximum number of bins, at least 2.
    ///   - maximumStep: interval between samples beyond which the line is interrupted, seconds.
    public init(limit: Int = TimeGrid.usualLimit, maximumStep: Double = .infinity) {
        grid = TimeGrid(limit: limit)
        self.maximumStep = maximumStep
    }

    /// Whether there is no value.
    public var isEmpty: Bool { bins.isEmpty }

    /// Adds a value; nil or a value that is not finite interrupts the line.
    ///
    /// - Parameter time: time since the start of the recording, seconds.
    public mutating func add(_ time: Double, _ value: Double?, standardDeviation: Double? = nil) {
        guard let value, value.isFinite, time.isFinite else {
            isInterrupted = true
            return
        }
        if let lastTime, time - lastTime > maximumStep { isInterrupted = true }
        lastTime = time
        let isOrdinary = standardDeviation.map { $0.isFinite && $0 >= 0 } ?? false
        let sample = Sample(time: time, value: value, standardDeviation: isOrdinary ? standardDeviation : nil)
        let (index, halvings) = grid.index(of: time)
        for _ in 0..<halvings { halve() }
        let bin = Bin(index: index, least: sample, greatest: sample, isAfterGap: isInterrupted)
        isInterrupted = false
        if let last = bins.last, last.index >= index {
            bins[bins.count - 1].join(bin)
        } else {
            bins.append(bin)
        }
    }

    private mutating func halve() {
        var joined: [Bin] = []
        joined.reserveCapacity(bins.count)
        for var bin in bins {
            bin.index >>= 1
            if joined.last?.index == bin.index {
                joined[joined.count - 1].join(bin)
            } else {
                joined.append(bin)
            }
        }
        bins = joined
    }

    /// The kept samples in order of time: one or two per bin.
    public var samples: [Sample] {
        bins.flatMap { bin in
            var pair = bin.least.time == bin.greatest.time ? [bin.least] : [bin.least, bin.greatest]
            if pair.count == 2, pair[0].time > pair[1].time { pair.swapAt(0, 1) }
            pair[0].isAfterGap = bin.isAfterGap
            return pair
        }
    }

    /// The same series with at most `limit` bins, for a smaller drawing.
    func coarser(_ limit: Int) -> PeakSeries {
        var series = self
        while series.bins.count > limit, let first = series.bins.first, let last = series.bins.last,
            first.index != last.index
        {
            series.halve()
        }
        return series
    }
}

/// Equal bins of time whose width doubles whenever there would be too many.
public struct TimeGrid: Hashable, Sendable {
    /// Number of bins that a wide screen can show.
    public static let usualLimit = 1500
    /// Width of the first bins. Unit: seconds.
    private(set) var width: Double
    private let limit: Int
    private var first: Int?

    init(limit: Int, width: Double = 0.02) {
        precondition(limit >= 2, "a series of fewer than two bins has no course")
        self.limit = limit
        self.width = width
    }

    /// Bin of a time, and the number of times that the indices of all earlier bins have to be halved for it: `index >>=
    /// 1`.
    ///
    /// A time before the first bin belongs to the first bin.
    mutating func index(of time: Double) -> (index: Int, halvings: Int) {
        // Clamped to values beyond any recording, so that the quotient fits into an integer.
        let time = min(max(time, -1e12), 1e12)
        var index = Int((time / width).rounded(.down))
        guard let first else {
            first = index
            return (index, 0)
        }
        index = max(index, first)
        var (start, halvings) = (first, 0)
        while index - start >= limit {
            width *= 2
            index >>= 1
            start >>= 1
            halvings += 1
        }
        self.first = start
        return (index, halvings)
    }
}
