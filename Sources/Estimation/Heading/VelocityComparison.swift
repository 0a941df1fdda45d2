import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// The turn between the changes of velocity that the inertial sensors felt and those that the receiver measured, over the
/// last minutes.
///
/// Equations: docs/filter.md (48) to (50).
package struct VelocityComparison: Sendable {
    private var pairs = Ring<MotionPair>(capacity: 256)

    package init() {}

    /// How far back a pair counts. Unit: seconds.
    private static let windowSeconds = 150.0
    /// Below this number of pairs nothing is read.
    private static let fewestPairs = 5
    /// The errors of level and bias are slow, those of the receiver fast: both sides go through a high pass of this time
    /// constant, about the receiver's error by that of the acceleration, 0.1 m/s by 0.02 m/s². Unit: seconds.
    private static let highPassSeconds = 4.0
    /// An acceleration that level and bias leave over. Unit: m/s².
    private static let accelerationDeviation = 0.02
    /// Length of the seen motion along the felt one, below which the answer is chance.
    private static let leastLikeness = 0.5
    /// Errors that last make neighbours alike: the sums take each for news.
    private static let caution = 1.25

    // MARK: Pairs, in the order of their time

    package mutating func add(_ pair: MotionPair) { pairs.append(pair) }

    /// What came after is going to be repeated.
    mutating func forget(after time: BootTime) {
        while let last = pairs.last, last.time > time { pairs.removeLast() }
    }

    mutating func removeAll() { pairs.removeAll() }

    // MARK: The turn

    /// The turn by the pairs up to an instant; nil where they show none.
    package func read(upTo end: BootTime) -> HeadingAnswer? {
        let count = pairs.partition { $0.time <= end }
        guard count > 0 else { return nil }
        let last = pairs[count - 1]
        let first = max(
            pairs.partition { last.time.seconds(since: $0.time) > Self.windowSeconds },
            pairs.partition { Int32(bitPattern: $0.frame &- last.frame) < 0 })
        guard count - first >= Self.fewestPairs else { return nil }
        var sums = RobustPlanarAlignment()
        var answer: PlanarSimilarity?
        for _ in 0..<RobustPlanarAlignment.rounds {
            sums = sum(first..<count, against: answer, last.time)
            guard sums.fit.squareOfA > 0 else { return nil }
            answer = PlanarSimilarity(angle: sums.fit.angle)
        }
        let likeness = sums.fit.scale
        guard likeness > Self.leastLikeness else { return nil }
        return HeadingAnswer(
            time: last.time, yaw: sums.fit.angle,
            deviation: Self.caution * sums.variance.squareRoot() / min(1, likeness), count: count - first,
            filterYaw: last.yaw)
    }

    private func sum(_ range: Range<Int>, against answer: PlanarSimilarity?, _ end: BootTime) -> RobustPlanarAlignment {
        var sums = RobustPlanarAlignment()
        var felt = Vector2()
        var seen = Vector2()
        var last: BootTime?
        for index in range {
            let pair = pairs[index]
            let isChained = last.map { pair.time.seconds(since: $0) < pair.interval + 0.01 } ?? false
            let kept = isChained ? exp(-pair.interval / Self.highPassSeconds) : 0
            last = pair.time
            felt = kept * felt + Vector2(pair.felt)
            seen = kept * seen + Vector2(pair.seen)
            let age = end.seconds(since: pair.time)
            let tilt = Self.accelerationDeviation * min(Self.highPassSeconds, pair.interval / (1 - kept))
            let drifted = pair.drift * age
            let noise = (isChained ? 1.2 : 2) * pair.deviation * pair.deviation + tilt * tilt
            let variance = noise + felt.squaredNorm * drifted * drifted
            sums.add(felt, seen, variance: variance, against: answer)
        }
        return sums
    }
}
