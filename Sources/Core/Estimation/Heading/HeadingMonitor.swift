import Geometry
import Model

/// Independent integrity monitor of the yaw. It estimates, robustly, the rotation between inertial and GNSS motion over
/// the last minutes. The inertial motion is in the gyro frame, which the filter's corrections do not rotate.
///
/// The monitor makes two comparisons: it compares inertial with GNSS velocity changes, and the step track with the
/// positions of fixes. Published positions would be unsuitable, because while there are fixes they follow the receiver
/// by means of the yaw that is being checked.
///
/// Equations: docs/filter.md (48) to (50), (85) to (88).
package struct HeadingMonitor: Sendable, Codable {
    private var velocities = VelocityComparison()
    private var positions = TrackComparison()
    /// Newest reading; nil if no comparison is conclusive.
    package private(set) var reading: HeadingReading?
    private var nextReading: BootTime?
    private var contradictions = 0

    package init() {}

    /// Interval between two readings. Unit: seconds.
    private static let readingSeconds = 10.0
    /// Number of successive readings that must contradict the filter.
    private static let contradictionsToDoubt = 2

    // MARK: Pairs, ordered by time

    package mutating func add(_ pair: MotionPair) { velocities.add(pair) }

    package mutating func add(_ point: TrackPoint) { positions.add(point) }

    /// Discards the pairs later than `time`, because all measurements after this time will be applied again.
    mutating func forget(after time: BootTime) {
        velocities.forget(after: time)
        positions.forget(after: time)
    }

    mutating func restart() {
        velocities.removeAll()
        positions.removeAll()
        reading = nil
        nextReading = nil
        contradictions = 0
    }

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) { positions.shift(by: offset) }

    // MARK: Readings

    /// Makes a reading if one is due, using only pairs that no late fix can still change.
    ///
    /// - Returns: the reading, if enough successive readings have contradicted the filter.
    mutating func watch(at now: BootTime, settledBefore end: BootTime) -> HeadingReading? {
        guard let due = nextReading else {
            nextReading = now.shifted(by: Int64(Self.readingSeconds * 1e9))
            return nil
        }
        guard now >= due else { return nil }
        nextReading = due.shifted(by: Int64(Self.readingSeconds * 1e9))
        guard let found = read(upTo: end) else {
            contradictions = 0
            reading = nil
            return nil
        }
        let isNew = reading?.time != found.time
        reading = found
        guard isNew else { return nil }
        let isContradicted = found.correction.map { found.contradicts(found.yaw - $0) } ?? false
        contradictions = isContradicted ? contradictions + 1 : 0
        guard contradictions >= Self.contradictionsToDoubt else { return nil }
        contradictions = 0
        return found
    }

    /// Computes the reading from all pairs up to a time; nil if the pairs are inconclusive.
    package func read(upTo end: BootTime) -> HeadingReading? {
        HeadingReading.fused(velocities: velocities.read(upTo: end), positions: positions.read(upTo: end))
    }
}

/// Result of one kind of comparison: the rotation from the gyro frame to ENU. The gyro frame is a horizontal frame
/// whose yaw is integrated from the gyroscope alone.
package struct HeadingAnswer: Hashable, Sendable {
    /// Time of the newest pair compared.
    package var time: BootTime
    /// Rotation from the gyro frame to ENU, counter-clockwise. Unit: radians.
    package var yaw: Double
    /// Standard deviation of `yaw`. Unit: radians.
    package var standardDeviation: Double
    package var count: Int
    /// Yaw of the gyro frame according to the filter at `time`; nil while the filter's heading is unknown. Unit:
    /// radians.
    package var filterYaw: Double?

    package init(time: BootTime, yaw: Double, standardDeviation: Double, count: Int, filterYaw: Double?) {
        self.time = time
        self.yaw = yaw
        self.standardDeviation = standardDeviation
        self.count = count
        self.filterYaw = filterYaw
    }
}

extension HeadingPairs {
    fileprivate init(_ answer: HeadingAnswer) {
        self.init(
            count: answer.count, correction: answer.filterYaw.map { Angle.wrapped(answer.yaw - $0) },
            standardDeviation: answer.standardDeviation)
    }
}

extension HeadingReading {
    /// Difference beyond which a board worn backwards is as likely as a wrong yaw, because the walking axis does not
    /// distinguish forwards from backwards. Unit: radians, 100°.
    private static let clearEnd = 1.75

    /// Combines both results into one reading; nil if there is no result.
    ///
    /// Equations: docs/filter.md (87), (88).
    ///
    /// - Parameters:
    ///   - velocities: result of comparing velocity changes.
    ///   - positions: result of comparing the step track; it assumes that the wearer walks forwards relative to the
    ///     board.
    package static func fused(velocities: HeadingAnswer?, positions: HeadingAnswer?) -> HeadingReading? {
        let reference = velocities?.yaw ?? positions?.filterYaw
        let clear = positions.flatMap { answer in
            reference.map { Angle.wrapped(answer.yaw - $0).magnitude < clearEnd } ?? false ? answer : nil
        }
        var reading: HeadingReading
        switch (velocities, clear) {
        case (nil, nil): return nil
        case (nil, let positions?): reading = HeadingReading(positions, isByPositionsAlone: true)
        case (let velocities?, nil): reading = HeadingReading(velocities, isByPositionsAlone: false)
        case (let velocities?, let positions?): reading = HeadingReading(fusing: velocities, positions)
        }
        reading.velocities = velocities.map(HeadingPairs.init)
        reading.positions = clear.map(HeadingPairs.init)
        return reading
    }

    private init(_ answer: HeadingAnswer, isByPositionsAlone: Bool) {
        self.init(
            time: answer.time, correction: answer.filterYaw.map { Angle.wrapped(answer.yaw - $0) },
            standardDeviation: answer.standardDeviation, pairs: answer.count, yaw: answer.yaw,
            isByPositionsAlone: isByPositionsAlone)
    }

    private init(fusing a: HeadingAnswer, _ b: HeadingAnswer) {
        let difference = Angle.wrapped(b.yaw - a.yaw)
        let (first, second) = (a.standardDeviation * a.standardDeviation, b.standardDeviation * b.standardDeviation)
        let excess = difference.magnitude / (first + second).squareRoot()
        let newer = a.time < b.time ? b : a
        if excess > InnovationGate.usual {
            // The mean of two contradictory results agrees with neither.
            self.init(a.standardDeviation <= b.standardDeviation ? a : b, isByPositionsAlone: false)
            standardDeviation = (standardDeviation * standardDeviation + difference * difference).squareRoot()
        } else {
            self.init(a, isByPositionsAlone: false)
            yaw = Angle.wrapped(a.yaw + difference * first / (first + second))
            standardDeviation = (first * second / (first + second)).squareRoot() * max(1, excess)
        }
        time = newer.time
        correction = newer.filterYaw.map { Angle.wrapped(yaw - $0) }
        pairs = a.count + b.count
    }
}
