import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Positions over the time of a recording of unknown length, in a bounded number of equal bins of time.
///
/// Each bin keeps its westernmost, easternmost, southernmost and northernmost position, so that a short excursion is
/// still drawn.
public struct TrackSeries: Sendable {
    /// A position at an instant.
    public struct Point: Hashable, Sendable {
        /// Time since the start of the recording. Unit: seconds.
        public var time: Double
        /// The position.
        public var position: GeodeticPosition
        /// Whether the track is interrupted before this point.
        public var isAfterGap = false
    }

    private struct Bin {
        var index: Int
        /// Extreme points in the order west, east, south, north.
        var extremes: [Point]
        var isAfterGap: Bool

        mutating func join(_ points: [Point], _ origin: GeodeticPosition) {
            let others = points
            for (corner, other) in others.enumerated() where isFarther(other, corner, origin) {
                extremes[corner] = other
            }
        }

        private func isFarther(_ point: Point, _ corner: Int, _ origin: GeodeticPosition) -> Bool {
            let (new, old) = (point.position, extremes[corner].position)
            return switch corner {
            case 0: TrackSeries.east(new, of: origin) < TrackSeries.east(old, of: origin)
            case 1: TrackSeries.east(new, of: origin) > TrackSeries.east(old, of: origin)
            case 2: new.latitudeDegrees < old.latitudeDegrees
            default: new.latitudeDegrees > old.latitudeDegrees
            }
        }
    }

    private var bins: [Bin] = []
    private var grid: TimeGrid
    private var isInterrupted = false
    private var origin: GeodeticPosition?
    /// Interval between positions beyond which the track is interrupted. Unit: seconds.
    private let maximumStep: Double
    private var lastTime: Double?

    /// Creates an empty track of at most `limit` bins, at least 2.
    public init(limit: Int = TimeGrid.usualLimit / 2, maximumStep: Double = .infinity) {
        grid = TimeGrid(limit: limit)
        self.maximumStep = maximumStep
    }

    /// Whether there is no position.
    public var isEmpty: Bool { bins.isEmpty }

    /// First position.
    public var start: GeodeticPosition? { origin }

    /// Adds a position; nil interrupts the track.
    ///
    /// - Parameter time: time since the start of the recording, seconds.
    public mutating func add(_ time: Double, _ position: GeodeticPosition?) {
        guard let position, time.isFinite else {
            isInterrupted = true
            return
        }
        let origin = origin ?? position
        self.origin = origin
        if let lastTime, time - lastTime > maximumStep { isInterrupted = true }
        lastTime = time
        let (index, halvings) = grid.index(of: time)
        for _ in 0..<halvings { halve(origin) }
        let point = Point(time: time, position: position)
        if let last = bins.last, last.index >= index {
            bins[bins.count - 1].join([point, point, point, point], origin)
        } else {
            bins.append(Bin(index: index, extremes: [point, point, point, point], isAfterGap: isInterrupted))
        }
        isInterrupted = false
    }

    private mutating func halve(_ origin: GeodeticPosition) {
        var joined: [Bin] = []
        joined.reserveCapacity(bins.count)
        for var bin in bins {
            bin.index >>= 1
            if joined.last?.index == bin.index {
                joined[joined.count - 1].join(bin.extremes, origin)
            } else {
                joined.append(bin)
            }
        }
        bins = joined
    }

    /// Longitude east of the origin, also across the antimeridian. Unit: degrees.
    private static func east(_ position: GeodeticPosition, of origin: GeodeticPosition) -> Double {
        remainder(position.longitudeDegrees - origin.longitudeDegrees, 360)
    }

    /// The kept positions in order of time: one to four per bin.
    public var points: [Point] {
        bins.flatMap { bin in
            var points: [Point] = []
            for point in bin.extremes.sorted(by: { $0.time < $1.time }) where points.last?.time != point.time {
                points.append(point)
            }
            points[0].isAfterGap = bin.isAfterGap
            return points
        }
    }

    /// The same track with at most `limit` bins, for a smaller drawing.
    func coarser(_ limit: Int) -> TrackSeries {
        var series = self
        while let origin, series.bins.count > limit, let first = series.bins.first, let last = series.bins.last,
            first.index != last.index
        {
            series.halve(origin)
        }
        return series
    }
}
