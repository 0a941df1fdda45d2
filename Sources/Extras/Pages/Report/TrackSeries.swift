import Geometry

/// Positions over time in a recording of unknown length, kept in a bounded number of equal bins of time.
///
/// Each bin keeps its westernmost, easternmost, southernmost and northernmost position, so that a short excursion is
/// still drawn.
package struct TrackSeries: Sendable {
    package struct Point: Hashable, Sendable {
        /// Time since the start of the recording. Unit: seconds.
        package var time: Double
        package var position: GeodeticPosition
        /// Whether the track is interrupted before this point.
        package var isAfterGap = false
    }

    private struct Extremes: TimeBin {
        let origin: GeodeticPosition
        /// Extreme points in the order west, east, south, north.
        var points: [Point]
        let isAfterGap: Bool

        mutating func join(_ other: Extremes) {
            for (corner, point) in other.points.enumerated() where isFarther(point.position, corner) {
                points[corner] = point
            }
        }

        private func isFarther(_ new: GeodeticPosition, _ corner: Int) -> Bool {
            let old = points[corner].position
            return switch corner {
            case 0: east(new) < east(old)
            case 1: east(new) > east(old)
            case 2: new.latitudeDegrees < old.latitudeDegrees
            default: new.latitudeDegrees > old.latitudeDegrees
            }
        }

        /// Longitude east of the origin, even across the antimeridian. Unit: degrees.
        private func east(_ position: GeodeticPosition) -> Double {
            (position.longitudeDegrees - origin.longitudeDegrees).remainder(dividingBy: 360)
        }
    }

    private var bins: TimeBins<Extremes>
    private var gaps: LineGaps
    package private(set) var start: GeodeticPosition?

    /// Creates an empty track. It has at most `limit` bins, which must be at least 2.
    ///
    /// - Parameter maximumStep: interval between positions above which the track is interrupted. Unit: seconds.
    package init(limit: Int = TimeGrid.usualLimit / 2, maximumStep: Double = .infinity) {
        bins = TimeBins(TimeGrid(limit: limit))
        gaps = LineGaps(maximumStep: maximumStep)
    }

    package var isEmpty: Bool { bins.bins.isEmpty }

    /// Adds a position; nil interrupts the track.
    ///
    /// - Parameter time: time since the start of the recording, seconds.
    package mutating func add(_ time: Double, _ position: GeodeticPosition?) {
        guard let position, time.isFinite else { return gaps.interrupt() }
        let origin = start ?? position
        start = origin
        let points = Array(repeating: Point(time: time, position: position), count: 4)
        bins.add(time, Extremes(origin: origin, points: points, isAfterGap: gaps.isGap(before: time)))
    }

    /// Positions that were kept, in order of time: one to four per bin.
    package var points: [Point] {
        bins.bins.flatMap { _, bin in
            var points: [Point] = []
            for point in bin.points.sorted(by: { $0.time < $1.time }) where points.last?.time != point.time {
                points.append(point)
            }
            points[0].isAfterGap = bin.isAfterGap
            return points
        }
    }

    /// The same track with at most `limit` bins, for a smaller drawing.
    func coarser(_ limit: Int) -> TrackSeries {
        var series = self
        series.bins = bins.coarser(limit)
        return series
    }
}
