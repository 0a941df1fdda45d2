import Geometry
import Glibc
import Model

/// Finds the rotation between the velocity changes that the inertial sensors and the receiver measured over the last
/// minutes.
///
/// Equations: docs/filter.md (48) to (50).
package struct VelocityComparison: Sendable, Codable {
    private var pairs = Ring<MotionPair>(capacity: Self.capacity)

    /// Largest number of pairs.
    private static let capacity = 256
    /// Length of the window. Unit: seconds.
    private static let windowSeconds = 150.0
    /// Least number of pairs.
    private static let minimumPairCount = 5
    /// Time constant of the high-pass filter that is applied to both signals. The filter is needed because tilt and
    /// bias errors are slow, whereas receiver errors are fast. Its time constant is about the ratio of the receiver's
    /// error to the acceleration error, 0.1 m/s to 0.02 m/s². Unit: seconds.
    private static let highPassSeconds = 4.0
    /// Standard deviation of the acceleration error due to tilt and bias. Unit: m/s².
    private static let accelerationStandardDeviation = 0.02
    /// Smallest ratio of the aligned GNSS motion to the inertial motion. With a smaller ratio the result is due to
    /// chance.
    private static let minimumLikeness = 0.5
    /// Factor by which the standard deviation is enlarged, because errors of neighbouring pairs are correlated but
    /// summed as if they were independent.
    private static let caution = 1.25

    // MARK: Pairs, ordered by time

    package mutating func add(_ pair: MotionPair) { pairs.append(pair) }

    /// Discards the pairs later than `time`, because all measurements after this time will be applied again.
    mutating func forget(after time: BootTime) {
        while let last = pairs.last, last.time > time { pairs.removeLast() }
    }

    mutating func removeAll() { pairs.removeAll() }

    // MARK: Rotation

    /// Computes the rotation from the pairs up to a time; nil if the pairs are inconclusive.
    package func read(upTo end: BootTime) -> HeadingAnswer? {
        let count = pairs.partition { $0.time <= end }
        guard count > 0 else { return nil }
        let last = pairs[count - 1]
        let first = max(
            pairs.partition { last.time.seconds(since: $0.time) > Self.windowSeconds },
            pairs.partition { Int32(bitPattern: $0.frame &- last.frame) < 0 })
        guard count - first >= Self.minimumPairCount else { return nil }
        var sums = DriftingAlignment()
        var answer: PlanarSimilarity?
        for _ in 0..<RobustPlanarAlignment.rounds {
            sums = sum(first..<count, against: answer, last.time)
            guard sums.fit.squareOfA > 0 else { return nil }
            answer = PlanarSimilarity(angle: sums.fit.angle)
        }
        let likeness = sums.fit.scale
        guard likeness > Self.minimumLikeness else { return nil }
        let byNoise = Self.caution / min(1, likeness)
        return HeadingAnswer(
            time: last.time, yaw: sums.fit.angle,
            standardDeviation: (byNoise * byNoise * sums.variance + sums.driftVariance).squareRoot(),
            count: count - first, filterYaw: last.yaw)
    }

    private func sum(_ range: Range<Int>, against answer: PlanarSimilarity?, _ end: BootTime) -> DriftingAlignment {
        var sums = DriftingAlignment()
        var inertial = Vector2()
        var receiver = Vector2()
        var last: BootTime?
        for index in range {
            let pair = pairs[index]
            let isChained = last.map { pair.time.seconds(since: $0) < pair.interval + 0.01 } ?? false
            let kept = isChained ? exp(-pair.interval / Self.highPassSeconds) : 0
            last = pair.time
            inertial = kept * inertial + Vector2(pair.inertialChange)
            receiver = kept * receiver + Vector2(pair.receiverChange)
            let age = end.seconds(since: pair.time)
            let tilt = Self.accelerationStandardDeviation * min(Self.highPassSeconds, pair.interval / (1 - kept))
            let noise = (isChained ? 1.2 : 2) * pair.standardDeviation * pair.standardDeviation + tilt * tilt
            sums.add(inertial, receiver, noise: noise, drift: pair.drift * age, against: answer)
        }
        return sums
    }
}

extension VelocityComparison: CheckedState {
    package mutating func settle() -> Bool { pairs.limit(to: Self.capacity) }
}
