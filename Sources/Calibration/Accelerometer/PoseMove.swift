import Geometry
import Model

/// What the gyroscope saw between two poses.
package struct PoseMove: Hashable, Sendable {
    /// A stretch over which the rate is taken as its mean.
    package struct Step: Hashable, Sendable {
        /// Measured units.
        package var rate: Vector3
        /// Unit: seconds.
        package var seconds: Double

        package init(rate: Vector3, seconds: Double) {
            self.rate = rate
            self.seconds = seconds
        }
    }

    /// Of gravity's reaction, where it begins and where it ends. Frame: the accelerometer's corrected axes, then and there.
    package var upBefore: Vector3
    package var upAfter: Vector3
    package var steps: [Step]

    package init(upBefore: Vector3, upAfter: Vector3, steps: [Step]) {
        self.upBefore = upBefore
        self.upAfter = upAfter
        self.steps = steps
    }

    /// From the end of each pose to the beginning of the next, where angular rates cover it without a gap.
    ///
    /// - Parameter isClipped: whether the gyroscope stood at its end somewhere: moves that come near it are left out.
    static func all(
        _ poses: [StillPose], in record: InertialRecord, isClipped: Bool, up: (Vector3) -> Vector3?
    ) -> [PoseMove] {
        zip(poses, poses.dropFirst()).compactMap { before, after in
            guard let upBefore = up(before.tail.force), let upAfter = up(after.head.force),
                after.head.time.seconds(since: before.tail.time) <= MoveLimits.longestMove,
                let steps = steps(record.rates, from: before.tail.time, to: after.head.time)
            else { return nil }
            if isClipped, steps.contains(where: { record.rateEnds.isClipped($0.rate) }) { return nil }
            return PoseMove(upBefore: upBefore, upAfter: upAfter, steps: steps)
        }
    }

    /// Trapezoids from sample to sample, the first and the last cut off where the span begins and ends; nil across a gap.
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
            guard whole > 0, whole <= MoveLimits.longestStep else { return nil }
            let from = max(0, begin.seconds(since: old.time) / whole)
            let to = min(1, end.seconds(since: old.time) / whole)
            let middle = (from + to) / 2
            steps.append(Step(rate: old.value + middle * (new.value - old.value), seconds: (to - from) * whole))
            index += 1
        }
        return steps
    }

    /// `∫ (rate − bias) dt`. Measured units · seconds.
    static func integral(_ steps: [Step], bias: Vector3) -> Vector3 {
        steps.reduce(.zero) { $0 + $1.seconds * ($1.rate - bias) }
    }
}

extension [InertialRecord.Rate] {
    /// The first whose time is later.
    fileprivate func firstIndex(behind time: BootTime) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
