import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// The turn between the track of the steps and the positions of fixes over the last minutes.
///
/// Fixes have errors that last: what counts is how the error changes between two of them. The noise of a position less
/// that of the turned track is therefore a constant of unknown size that walks with the errors of the steps, a
/// Gauss–Markov process and white noise. A small Kalman filter of these makes independent innovations of fixes and track
/// alike, and between those the turn is that of Procrustes' problem, with the scale of the steps left free.
///
/// Equations: docs/filter.md (48) to (50), (85), (86).
package struct TrackComparison: Sendable {
    private var points = Ring<TrackPoint>(capacity: 256)

    package init() {}

    /// How far back points count: the longer, the less the receiver's errors count, and the more the drift of the level
    /// frame. The most certain answer is taken. Unit: seconds.
    private static let windowSeconds: InlineArray<3, Double> = [150, 75, 35]
    /// Fixes that come faster add little. Unit: seconds.
    private static let leastInterval = 0.9
    /// Over a longer gap the wearer may have been carried. Unit: seconds.
    private static let longestInterval = 10.0
    /// Below this number of points nothing is read.
    private static let fewestPoints = 10
    /// Shares of a fix's standard deviation in the lasting and in the white error, and time for which the former lasts.
    /// Origin: those of `gnss.correlatedShare`, `gnss.whiteShare` and `gnss.correlationSeconds`. Unit: seconds.
    private static let lastingShare = 0.93
    private static let whiteShare = 0.35
    private static let lastingSeconds = 70.0
    /// Standard deviation of a step, in parts of its length across the way, and that length. Unit: metres.
    /// Origin: `steps.acrossDeviation`.
    private static let stepDeviation = 0.15
    private static let stepLength = 0.7
    /// A scale of the steps beyond this belongs to no walk.
    private static let scales = 0.5...2.0
    /// A worse answer says nothing. Unit: radians, 20°.
    private static let worstDeviation = 0.35

    // MARK: Points, in the order of their time

    package mutating func add(_ point: TrackPoint) {
        if let last = points.last, point.time.seconds(since: last.time) < Self.leastInterval { return }
        points.append(point)
    }

    /// What came after is going to be repeated.
    mutating func forget(after time: BootTime) {
        while let last = points.last, last.time > time { points.removeLast() }
    }

    mutating func removeAll() { points.removeAll() }

    /// Follows a new origin of ENU, which lies at `-offset` in the old one.
    mutating func shift(by offset: Vector3) {
        for index in 0..<points.count { points[index].fix = points[index].fix + Vector2(offset) }
    }

    // MARK: The turn

    /// The turn by the points up to an instant; nil where they show none.
    package func read(upTo end: BootTime) -> HeadingAnswer? {
        let count = points.partition { $0.time <= end }
        guard count > 0 else { return nil }
        let last = points[count - 1]
        let frame = points.partition { Int32(bitPattern: $0.frame &- last.frame) < 0 }
        var best: HeadingAnswer?
        for index in Self.windowSeconds.indices {
            let seconds = Self.windowSeconds[index]
            let first = max(frame, points.partition { last.time.seconds(since: $0.time) > seconds })
            guard let answer = turn(of: first..<count) else { continue }
            if answer.deviation < best?.deviation ?? .infinity { best = answer }
        }
        return best
    }

    private func turn(of range: Range<Int>) -> HeadingAnswer? {
        guard range.count >= Self.fewestPoints else { return nil }
        let last = points[range.upperBound - 1]
        var sums = Sums()
        var answer: PlanarSimilarity?
        for _ in 0..<RobustPlanarAlignment.rounds {
            sums = sum(range, against: answer, last.time)
            guard sums.turn.fit.squareOfA > 0 else { return nil }
            answer = sums.turn.fit.similarity
        }
        let scale = sums.turn.fit.scale
        let deviation = (sums.turn.variance / (scale * scale) + sums.systematic).squareRoot()
        guard Self.scales.contains(scale), deviation < Self.worstDeviation else { return nil }
        return HeadingAnswer(
            time: last.time, yaw: sums.turn.fit.angle, deviation: deviation, count: range.count, filterYaw: last.yaw)
    }

    private struct Sums {
        var turn = RobustPlanarAlignment()
        /// Weighted sums of the ages times the drifts, and of the variances of the direction.
        var drifted = 0.0
        var directions = 0.0
        var weight = 0.0

        /// Variance of what all points have in common: drift of the level frame and direction of the steps. Unit: rad².
        var systematic: Double {
            let drift = drifted / max(1e-300, weight)
            return drift * drift + directions / max(1e-300, weight)
        }
    }

    private func sum(_ range: Range<Int>, against answer: PlanarSimilarity?, _ end: BootTime) -> Sums {
        var sums = Sums()
        var whitener = TrackWhitener()
        var before: TrackPoint?
        for index in range {
            let point = points[index]
            let interval = before.map { point.time.seconds(since: $0.time) } ?? .infinity
            let lasting = Self.lastingShare * point.deviation
            let white = Self.whiteShare * point.deviation
            if let before, interval <= Self.longestInterval {
                let way = (point.walked - before.walked).norm
                whitener.predict(
                    kept: exp(-interval / Self.lastingSeconds), lasting: lasting * lasting,
                    walk: Self.stepDeviation * Self.stepDeviation * Self.stepLength * way)
            } else {
                whitener.begin(lasting: lasting * lasting)
            }
            before = point
            let news = whitener.update(point.walked, point.fix, white: white * white)
            let drifted = point.drift * end.seconds(since: point.time)
            let variance = news.variance + news.track.squaredNorm * drifted * drifted
            let weight = sums.turn.add(news.track, news.fix, variance: variance, against: answer)
            sums.weight += weight
            sums.drifted += weight * drifted
            sums.directions += weight * point.direction * point.direction
        }
        return sums
    }
}

/// Makes independent innovations of positions whose error is an unknown constant, one that lasts, and white noise.
///
/// One gain serves fixes and track: the innovations of the fixes are then the turned ones of the track, and noise.
private struct TrackWhitener {
    /// Covariance of the constant and of the lasting error. Unit: m².
    private var constant = 0.0
    private var cross = 0.0
    private var lasting = 0.0
    private var fix = (constant: Vector2(), lasting: Vector2())
    private var track = (constant: Vector2(), lasting: Vector2())

    /// Variance of a place that is not known at all. Unit: m².
    private static let unknown = 1e10

    /// Nothing connects what comes with what was.
    mutating func begin(lasting variance: Double) {
        self = TrackWhitener()
        constant = Self.unknown
        lasting = variance
    }

    /// - Parameters:
    ///   - kept: what is left of the lasting error.
    ///   - variance: of the lasting error. Unit: m².
    ///   - walk: variance of the way since. Unit: m².
    mutating func predict(kept: Double, lasting variance: Double, walk: Double) {
        constant += walk
        cross *= kept
        lasting = kept * kept * lasting + (1 - kept * kept) * variance
        fix.lasting = kept * fix.lasting
        track.lasting = kept * track.lasting
    }

    mutating func update(
        _ walked: Vector2, _ place: Vector2, white: Double
    ) -> (track: Vector2, fix: Vector2, variance: Double) {
        let (first, second) = (constant + cross, cross + lasting)
        let variance = first + second + white
        let (gain, other) = (first / variance, second / variance)
        let innovation = (
            track: walked - track.constant - track.lasting, fix: place - fix.constant - fix.lasting, variance: variance
        )
        track.constant = track.constant + gain * innovation.track
        track.lasting = track.lasting + other * innovation.track
        fix.constant = fix.constant + gain * innovation.fix
        fix.lasting = fix.lasting + other * innovation.fix
        constant -= gain * first
        cross -= gain * second
        lasting -= other * second
        return innovation
    }
}
