/// Values over time in a recording of unknown length, kept in a bounded number of equal bins of time.
///
/// Each bin keeps its minimum and maximum with their times, so that a peak of a single sample is still drawn. When the
/// number of bins exceeds the limit, their width doubles.
package struct PeakSeries: Sendable {
    package struct Sample: Hashable, Sendable {
        /// Time since the start of the recording. Unit: seconds.
        package var time: Double
        package var value: Double
        /// Half-width of the band around the line; nil if there is no band.
        package var standardDeviation: Double?
        /// Whether the line is interrupted before this sample.
        package var isAfterGap = false
    }

    private struct Peaks: TimeBin {
        var least: Sample
        var greatest: Sample
        let isAfterGap: Bool

        mutating func join(_ other: Peaks) {
            if other.least.value < least.value { least = other.least }
            if other.greatest.value > greatest.value { greatest = other.greatest }
        }
    }

    private var bins: TimeBins<Peaks>
    private var gaps: LineGaps

    /// Creates an empty series.
    ///
    /// - Parameters:
    ///   - limit: maximum number of bins, at least 2.
    ///   - maximumStep: interval between samples above which the line is interrupted. Unit: seconds.
    package init(limit: Int = TimeGrid.usualLimit, maximumStep: Double = .infinity) {
        bins = TimeBins(TimeGrid(limit: limit))
        gaps = LineGaps(maximumStep: maximumStep)
    }

    package var isEmpty: Bool { bins.bins.isEmpty }

    /// Adds a value. The line is interrupted if the value is nil or not finite.
    ///
    /// - Parameter time: time since the start of the recording, seconds.
    package mutating func add(_ time: Double, _ value: Double?, standardDeviation: Double? = nil) {
        guard let value, value.isFinite, time.isFinite else { return gaps.interrupt() }
        let isOrdinary = standardDeviation.map { $0.isFinite && $0 >= 0 } ?? false
        let sample = Sample(time: time, value: value, standardDeviation: isOrdinary ? standardDeviation : nil)
        bins.add(time, Peaks(least: sample, greatest: sample, isAfterGap: gaps.isGap(before: time)))
    }

    /// Samples that were kept, in order of time: one or two per bin.
    package var samples: [Sample] {
        bins.bins.flatMap { _, bin in
            var pair = bin.least.time == bin.greatest.time ? [bin.least] : [bin.least, bin.greatest]
            if pair.count == 2, pair[0].time > pair[1].time { pair.swapAt(0, 1) }
            pair[0].isAfterGap = bin.isAfterGap
            return pair
        }
    }

    /// The same series with at most `limit` bins, for a smaller drawing.
    func coarser(_ limit: Int) -> PeakSeries {
        var series = self
        series.bins = bins.coarser(limit)
        return series
    }
}
