import Geometry
import Measurements

extension PoseHistory {
    /// Range from the oldest instant with a pose to the newest, which may have gaps; nil before the first pose.
    public var available: ClosedRange<BootTime>? {
        guard let newest, let run = oldestRun else { return nil }
        let begin = moment(max(run.firstKnot, oldestKnot), in: run).time
        let reach = newest.shifted(by: -Int64(Self.span * 1e9))
        return min(max(begin, reach), newest)...newest
    }

    /// Pose of an instant, interpolated between those that were published, with the accuracies of that time.
    ///
    /// Between two poses of different scene frames the earlier is extrapolated until the later.
    public func pose(at time: BootTime) throws(PastPoseProblem) -> PastPose {
        guard let available else { throw .none }
        guard time >= available.lowerBound else { throw .tooEarly(available: available) }
        guard time <= available.upperBound else { throw .tooLate(available: available) }
        let index = max(0, runs.partition { $0.base.time <= time } - 1)
        let run = run(index)
        let number = knot(at: time, in: run)
        let first = moment(number, in: run)
        let moment: PoseMoment
        if first.time == time {
            moment = first
        } else if let next = following(number, inRun: index) {
            moment = try between(first, next, run.generation, at: time, available)
        } else {
            moment = try carried(first, to: time, until: available.upperBound, available)
        }
        let pose = run.context.pose(at: moment, generation: run.generation, since: run.base)
        return PastPose(pose: pose, sequence: run.sequence(ofKnot: number))
    }

    private func between(
        _ first: PoseMoment, _ next: Following, _ generation: UInt32, at time: BootTime,
        _ available: ClosedRange<BootTime>
    ) throws(PastPoseProblem) -> PoseMoment {
        guard next.generation == generation else {
            return try carried(first, to: time, until: next.moment.time, available)
        }
        try checkGap(first.time, next.moment.time, available)
        return PoseCurve(first: first, second: next.moment, rateAfter: next.rateAfter).moment(at: time)
    }

    private func carried(
        _ moment: PoseMoment, to time: BootTime, until end: BootTime, _ available: ClosedRange<BootTime>
    ) throws(PastPoseProblem) -> PoseMoment {
        try checkGap(moment.time, end, available)
        return moment.carried(to: time)
    }

    private func checkGap(
        _ begin: BootTime, _ end: BootTime, _ available: ClosedRange<BootTime>
    ) throws(PastPoseProblem) {
        guard end.nanoseconds - begin.nanoseconds <= Self.gap else { throw .inGap(begin...end, available: available) }
    }

    // MARK: Knots by their numbers

    /// Number of the oldest knot that is not overwritten.
    private var oldestKnot: Int { knotCount - knots.count }

    /// Oldest run with a knot that is not overwritten.
    private var oldestRun: PoseRun? {
        let index = runs.partition { $0.lastKnot < oldestKnot }
        return open == nil ? nil : run(min(index, runs.count - 1))
    }

    private func run(_ index: Int) -> PoseRun {
        if index == runs.count - 1, let open { return open }
        return runs[index]
    }

    private func moment(_ number: Int, in run: PoseRun) -> PoseMoment {
        knots[number - oldestKnot].moment(from: run.base)
    }

    /// The last knot of a run that is no later than a time; its first one where all are later.
    private func knot(at time: BootTime, in run: PoseRun) -> Int {
        let nanoseconds = time.nanoseconds - run.base.time.nanoseconds
        var (low, high) = (max(run.firstKnot, oldestKnot), run.lastKnot)
        while low < high {
            let middle = (low + high + 1) / 2
            if knots[middle - oldestKnot].nanoseconds <= nanoseconds { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// The knot after another, and the angular velocity of the one after that.
    private struct Following {
        var generation: UInt32
        var moment: PoseMoment
        var rateAfter: Vector3?
    }

    private func following(_ number: Int, inRun index: Int) -> Following? {
        guard let (next, place) = successor(of: number, inRun: index) else { return nil }
        var found = Following(generation: run(place).generation, moment: next)
        if let (after, later) = successor(of: number + 1, inRun: place), run(later).generation == found.generation,
            after.time.nanoseconds - next.time.nanoseconds <= Self.gap
        {
            found.rateAfter = after.rate
        }
        return found
    }

    private func successor(of number: Int, inRun index: Int) -> (PoseMoment, run: Int)? {
        guard number + 1 < knotCount else { return nil }
        let isWithin = number + 1 <= run(index).lastKnot
        let place = isWithin ? index : index + 1
        guard place < runs.count else { return nil }
        return (moment(number + 1, in: run(place)), place)
    }
}
