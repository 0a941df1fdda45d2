import Geometry
import Glibc
import Model

/// Newest ranges to several points, and the position that these ranges alone determine.
///
/// A filter that linearises ranges needs an initial position. A single range determines only a circle; ranges to three
/// points determine the position from any start.
///
/// Source: Gauss–Newton with Huber's weights; Huber, "Robust estimation of a location parameter", Annals of
/// Mathematical Statistics 35(1), 1964.
package struct RecentRanges: Sendable, Codable {
    /// Largest number of points.
    private static let capacity = 6
    /// Age up to which a range is used. Unit: seconds.
    private static let seconds = 1.0
    /// Smallest number of points that determine a horizontal position.
    private static let minimumCount = 3
    /// Assumed largest speed of the board since a range was measured. Unit: m/s.
    private static let speed = 1.5
    /// Number of iterations of a solution.
    private static let rounds = 10
    /// Number of standard deviations beyond which a residual gets less weight.
    private static let robust = 2.0
    /// Distance of the initial positions from the centre of the points. Unit: metres.
    private static let startDistance = 20.0
    /// Distance beyond which two solutions count as different positions. Unit: metres.
    private static let apart = 3.0
    /// Smallest difference in cost between the best solution and a solution at another position. At this difference the
    /// other solution is e⁻⁴ times as probable as the best.
    private static let decisive = 8.0
    /// Largest standard deviation of a solution. Unit: metres.
    private static let worstDeviation = 3.0
    /// Largest cost of a solution per range. It allows two in three ranges to be too long by a typical detour of the
    /// signal.
    private static let worstCost = 6.0

    private var ranges = InlineArray<6, Entry>(repeating: Entry())

    private struct Entry: Sendable, Codable {
        var time = BootTime(nanoseconds: 0)
        var point = Vector3.zero
        var range = 0.0
        var variance = 0.0
    }

    package init() {}

    /// Inserts a range. It replaces the previous range to the same point or, if there is none, the oldest range.
    package mutating func note(_ offer: LocalOffer, standardDeviation: Double) {
        let index = ranges.slot(isOwn: { $0.range > 0 && $0.point == offer.point }, last: { $0.time })
        ranges[index] = Entry(
            time: offer.time, point: offer.point, range: offer.range, variance: standardDeviation * standardDeviation)
    }

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) {
        for k in ranges.indices where ranges[k].range > 0 { ranges[k].point += offset }
    }

    /// Whether the ranges determine a position and therefore measure the motion. This requires that the directions to
    /// at least three points are not collinear.
    ///
    /// - Parameter position: position from which the directions are taken. Frame: ENU. Unit: metres.
    package func measureMotion(at time: BootTime, from position: Vector2) -> Bool {
        var (count, xx, xy, yy) = (0, 0.0, 0.0, 0.0)
        for k in ranges.indices where isRecent(k, at: time) {
            let line = Vector2(ranges[k].point) - position
            let square = max(1e-6, line.squaredNorm)
            count += 1
            xx += line.x * line.x / square
            xy += line.x * line.y / square
            yy += line.y * line.y / square
        }
        return count >= Self.minimumCount && xx * yy - xy * xy > Self.minimumDeterminant
    }

    /// Smallest determinant of the sum of the outer products of the directions with themselves. Three directions that
    /// are spread over 25° reach it.
    private static let minimumDeterminant = 0.25

    private func isRecent(_ index: Int, at time: BootTime) -> Bool {
        ranges[index].range > 0 && time.seconds(since: ranges[index].time) <= Self.seconds
    }

    /// Horizontal position computed from the ranges.
    package struct Solution: Sendable {
        /// Position of the board. Frame: ENU. Unit: metres.
        package fileprivate(set) var position: Vector2
        /// Variance along the worse direction. Unit: m².
        package fileprivate(set) var variance = Double.infinity
        /// Twice the negative log-likelihood, including the prior.
        fileprivate var cost = Double.infinity
    }

    /// Returns the position on which the ranges and a prior agree; nil if two positions are possible or the ranges
    /// contradict each other.
    ///
    /// - Parameters:
    ///   - prior: previous position, whose height is used. Frame: ENU. Unit: metres.
    ///   - variance: horizontal variance of the prior, per axis. Unit: m².
    package func position(at time: BootTime, prior: Vector3, variance: Double) -> Solution? {
        guard let centre = centre(at: time) else { return nil }
        let (far, start) = (Self.startDistance, Vector2(prior))
        let starts: InlineArray<6, Vector2> = [
            start, centre, centre + Vector2(far, 0), centre - Vector2(far, 0), centre + Vector2(0, far),
            centre - Vector2(0, far),
        ]
        var found = InlineArray<6, Solution?>(repeating: nil)
        var best: Solution?
        for k in starts.indices {
            guard var solution = solve(from: starts[k], height: prior.z, at: time) else { continue }
            solution.cost += (solution.position - start).squaredNorm / max(1e-6, variance)
            found[k] = solution
            if solution.cost < best?.cost ?? .infinity { best = solution }
        }
        guard let best, best.variance < Self.worstDeviation * Self.worstDeviation else { return nil }
        for k in found.indices {
            guard let other = found[k], (other.position - best.position).norm > Self.apart else { continue }
            guard other.cost > best.cost + Self.decisive else { return nil }
        }
        return best
    }

    /// Returns the centre of the points; nil if there are too few points.
    private func centre(at time: BootTime) -> Vector2? {
        var (sum, count) = (Vector2(), 0)
        for k in ranges.indices where isRecent(k, at: time) {
            sum = sum + Vector2(ranges[k].point)
            count += 1
        }
        return count >= Self.minimumCount ? (1 / Double(count)) * sum : nil
    }

    /// Returns the Gauss–Newton solution; nil if the points do not determine a position.
    private func solve(from start: Vector2, height: Double, at time: BootTime) -> Solution? {
        var solution = Solution(position: start)
        for _ in 0..<Self.rounds {
            let sums = sum(about: solution.position, height: height, at: time)
            let determinant = sums.xx * sums.yy - sums.xy * sums.xy
            guard determinant > 1e-9 else { return nil }
            let step = Vector2(
                (sums.yy * sums.x - sums.xy * sums.y) / determinant,
                (sums.xx * sums.y - sums.xy * sums.x) / determinant)
            solution.position = solution.position + min(1, Self.startDistance / max(1e-9, step.norm)) * step
            let (half, difference) = ((sums.xx + sums.yy) / 2, (sums.xx - sums.yy) / 2)
            solution.variance = (half + (difference * difference + sums.xy * sums.xy).squareRoot()) / determinant
        }
        let last = sum(about: solution.position, height: height, at: time)
        guard last.cost <= Self.worstCost * last.count else { return nil }
        solution.cost = last.cost
        return solution
    }

    /// Sums of the normal equations.
    private struct Sums {
        var (xx, xy, yy, x, y, cost, count) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    }

    private func sum(about position: Vector2, height: Double, at time: BootTime) -> Sums {
        var sums = Sums()
        for k in ranges.indices where isRecent(k, at: time) {
            let line = Vector3(position.x, position.y, height) - ranges[k].point
            let distance = max(0.1, line.norm)
            let away = Self.speed * time.seconds(since: ranges[k].time)
            let variance = ranges[k].variance + away * away
            let residual = ranges[k].range - distance
            let size = residual.magnitude / variance.squareRoot()
            let weight = min(1, Self.robust / max(1e-9, size)) / variance
            let (x, y) = (line.x / distance, line.y / distance)
            sums.xx += weight * x * x
            sums.xy += weight * x * y
            sums.yy += weight * y * y
            sums.x += weight * x * residual
            sums.y += weight * y * residual
            sums.cost += size <= Self.robust ? size * size : Self.robust * (2 * size - Self.robust)
            sums.count += 1
        }
        return sums
    }
}
