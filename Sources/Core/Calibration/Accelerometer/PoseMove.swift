import Geometry
import Model

/// Angular rates between two poses, with the up directions before and after.
package struct PoseMove: Hashable, Sendable {
    /// An interval and its mean rate.
    package struct Step: Hashable, Sendable {
        /// Mean angular rate. Measured units.
        package var rate: Vector3
        /// Duration. Unit: seconds.
        package var seconds: Double

        package init(rate: Vector3, seconds: Double) {
            self.rate = rate
            self.seconds = seconds
        }
    }

    /// Up direction at the start of the move. Frame: the accelerometer's corrected axes.
    package var upBefore: Vector3
    /// Up direction at the end of the move. Frame: the accelerometer's corrected axes.
    package var upAfter: Vector3
    /// Intervals from start to end, without gaps.
    package var steps: [Step]

    package init(upBefore: Vector3, upAfter: Vector3, steps: [Step]) {
        self.upBefore = upBefore
        self.upAfter = upAfter
        self.steps = steps
    }

    /// Moves from the end of each pose to the start of the next one, if angular rates cover the move without a gap.
    ///
    /// - Parameter isClipped: whether the gyroscope was clipped at any time. Moves that come near the end of its range
    ///   are then left out.
    static func all(
        _ poses: [StillPose], in record: InertialRecord, isClipped: Bool, up: (Vector3) -> Vector3?
    ) -> [PoseMove] {
        zip(poses, poses.dropFirst()).compactMap { before, after in
            guard let upBefore = up(before.tail.force), let upAfter = up(after.head.force),
                after.head.time.seconds(since: before.tail.time) <= MoveLimits.maximumMoveDuration,
                let steps = steps(record.rates, from: before.tail.time, to: after.head.time)
            else { return nil }
            if isClipped, steps.contains(where: { record.rateEnds.isClipped($0.rate) }) { return nil }
            return PoseMove(upBefore: upBefore, upAfter: upAfter, steps: steps)
        }
    }

    /// Steps from sample to sample for the trapezoidal rule, cut at the start and the end of the interval; nil if the
    /// samples have a gap.
    static func steps(_ rates: [InertialRecord.Rate], from begin: BootTime, to end: BootTime) -> [Step]? {
        guard begin < end else { return nil }
        var index = max(1, rates.firstIndex(behind: begin))
        guard index < rates.count, rates[index - 1].time <= begin, let last = rates.last, last.time >= end else {
            return nil
        }
        var steps: [Step] = []
        while index < rates.count, rates[index - 1].time < end {
            let (old, new) = (rates[index - 1], rates[index])
            let whole = new.time.seconds(since: old.time)
            guard whole > 0, whole <= MoveLimits.maximumStep else { return nil }
            let from = max(0, begin.seconds(since: old.time) / whole)
            let to = min(1, end.seconds(since: old.time) / whole)
            let middle = (from + to) / 2
            steps.append(Step(rate: old.value + middle * (new.value - old.value), seconds: (to - from) * whole))
            index += 1
        }
        return steps
    }

    /// Integral `∫ (rate − bias) dt`. Unit: measured units · seconds.
    static func integral(_ steps: [Step], bias: Vector3) -> Vector3 {
        steps.reduce(.zero) { $0 + $1.seconds * ($1.rate - bias) }
    }
}

extension [InertialRecord.Rate] {
    /// Index of the first rate later than a time.
    fileprivate func firstIndex(behind time: BootTime) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Constants of the gyroscope's calibration by moves and turns, with their origins.
enum MoveLimits {
    /// A priori standard deviation of each element of the correction for rates in rad/s. According to the MPU-6050's
    /// data sheet, the scale is within ±3 %, and cross-axis sensitivity within ±2 %.
    static let elementPrior = 0.03
    /// Initial standard deviation of a pose's up direction. Unit: radians.
    static let firstStandardDeviation = 0.005
    /// Longest move. Longer ones add more drift than information. Unit: seconds.
    static let maximumMoveDuration = 20.0
    /// Longest interval between angular rates within a move. At 10 Hz, one rate may be missing. Unit: seconds.
    static let maximumStep = 0.25
    /// Fewest moves. There are twelve parameters, and two equations for each move.
    static let minimumMoveCount = 6
    /// Fewest moves for raw counts, which have no priors and need more moves.
    static let minimumMoveCountInCounts = 7
    /// Largest accepted residual. If it is larger, time stamps or samples are wrong. Unit: radians.
    static let maximumResidual = 5 * Double.pi / 180
    /// Largest accepted heading error after a turn of 90°, as good as a factory calibration. Unit: radians.
    static let maximumHeadingError = 1.0 * Double.pi / 180
    /// Angle of the turn for which the heading error is predicted. Unit: radians.
    static let referenceTurn = Double.pi / 2
    /// Largest relative difference of a force's magnitude from gravity at which the force still gives the up direction.
    static let gravityTolerance = 0.2

    /// Smallest component of the integrated rate along an edge of a box in a rotation about that edge, as a fraction of
    /// the magnitude of the integrated rate.
    static let turnShare = 0.9
    /// Largest relative difference of a turn's integrated angle from the specified angle, for rates in rad/s.
    static let turnTolerance = 0.2
    /// Smallest accepted turn as a fraction of the largest turn.
    static let minimumTurn = 0.6
    /// Smallest ratio of a turn's mean rate to the bias error. The ratio of real turns is in the hundreds.
    static let turnOverRest = 20.0
    /// Standard deviation of the angle at which a box lies against an edge after a turn. Unit: radians.
    static let turnStandardDeviation = 0.5 * Double.pi / 180
    /// Smallest cosine of the angle between the up direction and an axis at which a pose counts as lying on a face.
    static let faceCosine = 0.9
}
