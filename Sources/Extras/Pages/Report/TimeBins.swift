/// Content of a bin of time.
protocol TimeBin: Sendable {
    /// Adds the content of a later bin.
    mutating func join(_ other: Self)
}

/// Successive bins of time, whose width doubles whenever there would be too many bins.
struct TimeBins<Content: TimeBin>: Sendable {
    private(set) var bins: [(index: Int, content: Content)] = []
    private(set) var grid: TimeGrid

    init(_ grid: TimeGrid) { self.grid = grid }

    mutating func add(_ time: Double, _ content: Content) {
        let index = cover(time)
        if let last = bins.indices.last, bins[last].index >= index {
            bins[last].content.join(content)
        } else {
            bins.append((index, content))
        }
    }

    /// Widens the bins until a time is within the grid. Returns the index of the bin that contains the time.
    @discardableResult
    mutating func cover(_ time: Double) -> Int {
        let (index, halvings) = grid.index(of: time)
        for _ in 0..<halvings { halve() }
        return index
    }

    private mutating func halve() {
        var joined: [(index: Int, content: Content)] = []
        joined.reserveCapacity(bins.count)
        for (index, content) in bins {
            if let last = joined.indices.last, joined[last].index == index >> 1 {
                joined[last].content.join(content)
            } else {
                joined.append((index >> 1, content))
            }
        }
        bins = joined
    }

    /// The same content in at most `limit` bins, for a smaller drawing.
    func coarser(_ limit: Int) -> TimeBins {
        var result = self
        while result.bins.count > limit, let first = result.bins.first, let last = result.bins.last,
            first.index != last.index
        {
            result.halve()
        }
        return result
    }
}

/// Equal bins of time, whose width doubles whenever there would be too many bins.
package struct TimeGrid: Hashable, Sendable {
    /// Number of bins that a wide screen can show.
    package static let usualLimit = 1500
    /// Width of the first bins. Unit: seconds.
    private(set) var width: Double
    private let limit: Int
    private var first: Int?

    init(limit: Int, width: Double = 0.02) {
        precondition(limit >= 2, "a series of fewer than two bins has no course")
        self.limit = limit
        self.width = width
    }

    /// Finds the index of the bin that contains a time. The bins may have to be widened to keep their number within the
    /// limit. `halvings` is how often the indices of all earlier bins then have to be halved (`index >>= 1`).
    ///
    /// A time before the first bin belongs to the first bin.
    mutating func index(of time: Double) -> (index: Int, halvings: Int) {
        // The time is clamped to values beyond any recording, so that the quotient fits into an integer.
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

/// Decides where a line over time is interrupted.
struct LineGaps: Sendable {
    /// Interval between points above which the line is interrupted. Unit: seconds.
    let maximumStep: Double
    private var lastTime: Double?
    private var isInterrupted = false

    init(maximumStep: Double) { self.maximumStep = maximumStep }

    /// Interrupts the line before its next point.
    mutating func interrupt() { isInterrupted = true }

    /// Whether the line is interrupted before its next point, which has this time.
    mutating func isGap(before time: Double) -> Bool {
        defer { (lastTime, isInterrupted) = (time, false) }
        return isInterrupted || lastTime.map { time - $0 > maximumStep } ?? false
    }
}
