import Geometry
import Glibc
import Model

/// Finds the rotation between the step track and the positions of fixes over the last minutes.
///
/// Because the errors of fixes are correlated, only their change between two fixes is observable. Therefore the
/// difference between a position and the rotated track is modelled as an unknown constant with the random walk of the
/// step errors, plus a Gauss–Markov process and white noise. A small Kalman filter of these errors converts fixes and
/// track into independent innovations. The rotation between them is found by planar alignment, with the scale of the
/// steps free.
///
/// Equations: docs/filter.md (48) to (50), (85), (86).
package struct TrackComparison: Sendable, Codable {
    private var points = Ring<TrackPoint>(capacity: Self.capacity)

    package init() {}

    /// Largest number of points.
    private static let capacity = 256
    /// Lengths of the windows. A longer window reduces the influence of the receiver's errors, but increases that of
    /// the gyroscope's drift. The result with the smallest variance is used. Unit: seconds.
    private static let windowSeconds: InlineArray<3, Double> = [150, 75, 35]
    /// Longest interval between two points. During a longer gap the wearer may have been carried. Unit: seconds.
    private static let maximumInterval = 10.0
    /// Least number of points.
    private static let minimumPointCount = 10
    /// Error models of fixes and steps, with their defaults.
    private static let fixes = EstimatorSettings.GNSS()
    private static let steps = EstimatorSettings.Steps()
    /// Length of a step. Unit: metres.
    private static let stepLength = 0.7
    /// Range of step scales that are possible on a walk.
    private static let scales = 0.5...2.0
    /// Standard deviation from which a result is inconclusive. Unit: radians, 20°.
    private static let worstDeviation = 0.35

    // MARK: Points, ordered by time

    /// Adds a point, unless it is too close in time to the previous point.
    package mutating func add(_ point: TrackPoint) {
        if let last = points.last, point.time.seconds(since: last.time) < HorizontalMotion.minimumInterval { return }
        points.append(point)
    }

    /// Discards the points later than `time`, because all measurements after this time will be applied again.
    mutating func forget(after time: BootTime) {
        while let last = points.last, last.time > time { points.removeLast() }
    }

    mutating func removeAll() { points.removeAll() }

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) {
        for index in 0..<points.count { points[index].fix = points[index].fix + Vector2(offset) }
    }

    // MARK: Rotation

    /// Computes the rotation from the points up to a time; nil if the points are inconclusive.
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
            if answer.standardDeviation < best?.standardDeviation ?? .infinity { best = answer }
        }
        return best
    }

    private func turn(of range: Range<Int>) -> HeadingAnswer? {
        guard range.count >= Self.minimumPointCount else { return nil }
        let last = points[range.upperBound - 1]
        var sums = Sums()
        var answer: PlanarSimilarity?
        for _ in 0..<RobustPlanarAlignment.rounds {
            sums = sum(range, against: answer, last.time)
            guard sums.turn.fit.squareOfA > 0 else { return nil }
            answer = sums.turn.fit.similarity
        }
        let scale = sums.turn.fit.scale
        let standardDeviation = (sums.turn.variance / (scale * scale) + sums.systematic).squareRoot()
        guard Self.scales.contains(scale), standardDeviation < Self.worstDeviation else { return nil }
        return HeadingAnswer(
            time: last.time, yaw: sums.turn.fit.angle, standardDeviation: standardDeviation, count: range.count,
            filterYaw: last.yaw)
    }

    private struct Sums {
        var turn = DriftingAlignment()
        /// Weighted sum of the variances of the walking direction. Unit: rad², times the weight.
        var directions = 0.0

        /// Variance of the errors that all points share: the drift of the gyro frame and the direction of the steps.
        /// Unit: rad².
        var systematic: Double { turn.driftVariance + directions / max(1e-300, turn.weight) }
    }

    private func sum(_ range: Range<Int>, against answer: PlanarSimilarity?, _ end: BootTime) -> Sums {
        var sums = Sums()
        var whitener = TrackWhitener()
        let across = Self.steps.acrossStandardDeviation
        let (correlated, white) = (Self.fixes.correlatedShare, Self.fixes.whiteShare)
        let seconds = Self.fixes.correlationSeconds
        var before: TrackPoint?
        for index in range {
            let point = points[index]
            let interval = before.map { point.time.seconds(since: $0.time) } ?? .infinity
            let lasting = correlated * point.standardDeviation
            let white = white * point.standardDeviation
            if let before, interval <= Self.maximumInterval {
                let distance = (point.walked - before.walked).norm
                whitener.predict(
                    kept: exp(-interval / seconds), lasting: lasting * lasting,
                    walk: across * across * Self.stepLength * distance)
            } else {
                whitener.begin(lasting: lasting * lasting)
            }
            before = point
            let news = whitener.update(point.walked, point.fix, white: white * white)
            let drift = point.drift * end.seconds(since: point.time)
            let weight = sums.turn.add(news.track, news.fix, noise: news.variance, drift: drift, against: answer)
            sums.directions += weight * point.direction * point.direction
        }
        return sums
    }
}

/// Converts positions to independent innovations. The error of a position is the sum of an unknown constant, a
/// correlated error and white noise.
///
/// Fixes and track share one gain, so the innovations of the fixes are the rotated innovations of the track, plus
/// noise.
private struct TrackWhitener {
    /// Variance of the constant. Unit: m².
    private var constant = 0.0
    /// Covariance of constant and correlated error. Unit: m².
    private var cross = 0.0
    /// Variance of the correlated error. Unit: m².
    private var lasting = 0.0
    private var fix = (constant: Vector2(), lasting: Vector2())
    private var track = (constant: Vector2(), lasting: Vector2())

    /// Variance of a constant that is still unknown. Unit: m².
    private static let unknown = 1e10

    /// Begins a new track that is unrelated to the previous one.
    mutating func begin(lasting variance: Double) {
        self = TrackWhitener()
        constant = Self.unknown
        lasting = variance
    }

    /// - Parameters:
    ///   - kept: share of the correlated error that remains.
    ///   - variance: stationary variance of the correlated error. Unit: m².
    ///   - walk: variance of the displacement by steps since the previous point. Unit: m².
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

/// Position of a fix and the position of the step track at the fix's epoch.
package struct TrackPoint: Hashable, Sendable, Codable {
    /// Epoch of the fix.
    package var time: BootTime
    /// Position on the step track. Frame: gyro frame. Unit: metres.
    package var walked: Vector2
    /// Position of the fix, reduced to the inertial sensor. Frame: ENU. Unit: metres.
    package var fix: Vector2
    /// Standard deviation of the fix, per axis. Unit: metres.
    package var standardDeviation: Double
    /// Standard deviation of the walking direction; its error is common to all steps. Unit: radians.
    package var direction: Double
    /// Rotation from the gyro frame to ENU according to the filter, counter-clockwise. Unit: radians.
    package var yaw: Double
    /// Standard deviation of the drift of the gyro frame. Unit: rad/s.
    package var drift: Double
    /// Number of the step track; points of different tracks cannot be compared.
    package var frame: UInt32

    package init(
        time: BootTime, walked: Vector2, fix: Vector2, standardDeviation: Double, direction: Double, yaw: Double,
        drift: Double,
        frame: UInt32
    ) {
        self.time = time
        self.walked = walked
        self.fix = fix
        self.standardDeviation = standardDeviation
        self.direction = direction
        self.yaw = yaw
        self.drift = drift
        self.frame = frame
    }
}

extension ErrorStateKalmanFilter {
    /// Returns the track point of an applied fix; nil without a heading, in a vehicle, and for a weak fix.
    @inline(__always)
    package func trackPoint(_ fix: LocalFix) -> TrackPoint? {
        guard rules.hasYaw, !rules.isVehicle, gnss.lastAiding == fix.time else { return nil }
        let place = fix.position - state.rotationENUFromBody * fix.antennaInBody
        let track = gait.walked
        return TrackPoint(
            time: fix.time, walked: Vector2(track.position.x, -track.position.z), fix: Vector2(place),
            standardDeviation: fix.horizontalStandardDeviation * gnss.positionScale.value,
            direction: track.lineStandardDeviation, yaw: heading.motion.yaw, drift: yawDrift, frame: track.number)
    }
}

extension TrackComparison: CheckedState {
    package mutating func settle() -> Bool { points.limit(to: Self.capacity) }
}
