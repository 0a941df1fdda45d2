import Geometry
import Glibc
import Model

/// Published poses of the last ten minutes, in memory that is allocated once.
///
/// At most 208 poses a second are kept; some poses of a faster stream are dropped. Each pose is kept as a knot of 28
/// bytes. Successive knots form a run, for which one base and one context are stored. A run ends if its base is too far
/// away, if the context changes, or after a third of a second. The same poses always give the same results.
public struct PoseHistory: Sendable {
    /// Length of the history. Unit: seconds.
    public static let span = 600.0
    /// Interval between two kept poses beyond which there is a gap. Unit: nanoseconds.
    static let gap: Int64 = 150_000_000
    /// Smallest mean interval between kept poses, and largest deficit that later poses make up after a late pose. Unit:
    /// nanoseconds.
    private static let interval: Int64 = 4_800_000
    private static let slack: Int64 = 48_000_000
    /// Capacities for poses over `span` at the interval `interval`.
    static let knotCapacity = 125_056
    static let runCapacity = 2800
    /// Largest number of knots in a run, and its longest duration. Units: 1, nanoseconds.
    private static let maximumRunLength = 64
    private static let runSpan: Int64 = 330_000_000
    /// Number of knots after which the context is compared with the pose again.
    private static let contextInterval = 4
    /// Credit that starting a run costs. Each knot earns a credit of 1. This makes the memory for runs last as long as
    /// the memory for knots. Unit: knots.
    private static let runPrice = 45
    /// Largest credit. Unit: knots.
    private static let maximumCredit = 2048

    var knots = Ring<PoseKnot>(capacity: Self.knotCapacity)
    /// Runs. The last run is still open, and `openRun` holds its current value.
    var runs = Ring<PoseRun>(capacity: Self.runCapacity)
    var openRun: PoseRun?
    /// Time of the newest pose, whether kept or not; poses held while the sensors were silent are excluded.
    private(set) var newest: BootTime?
    /// Number of poses so far.
    private(set) var sequence: UInt64 = 0
    /// Number of knots so far, including overwritten ones.
    var knotCount = 0
    /// Base of the open run. It is stored a second time because reading it from `openRun` would copy the whole run at
    /// each pose.
    private var base = PoseBase(time: BootTime(nanoseconds: 0), position: .zero, velocity: .zero)
    private var generation: UInt32 = 0
    /// Cosine of the latitude of the base.
    private var cosine: Float = 1
    private var due = BootTime(nanoseconds: .min)
    private var credit = Self.maximumCredit

    /// Creates an empty history and allocates its memory.
    public init() {}

    /// Memory of the history. Unit: bytes.
    public static var memory: Int {
        knotCapacity * MemoryLayout<PoseKnot>.stride + runCapacity * MemoryLayout<PoseRun>.stride
            + MemoryLayout<PoseHistory>.size
    }

    /// Adds the next pose. If it is not later than the newest pose, the clock was set back, and all earlier poses are
    /// dropped.
    @inline(__always)
    public mutating func add(_ pose: PoseEstimate) {
        sequence += 1
        if let newest, pose.time <= newest { forget() }
        newest = pose.time
        guard pose.time >= due else { return }
        due = max(due, pose.time.shifted(by: -Self.slack)).shifted(by: Self.interval)
        credit = min(credit + 1, Self.maximumCredit)
        if !extend(with: pose) { begin(with: pose) }
    }

    /// Counts a pose that was held while the inertial sensors were silent.
    public mutating func skip() { sequence += 1 }

    private mutating func forget() {
        knots.removeAll()
        runs.removeAll()
        openRun = nil
        due = BootTime(nanoseconds: .min)
    }

    /// Adds a pose to the open run. Returns false if a new run is needed.
    @inline(__always)
    private mutating func extend(with pose: PoseEstimate) -> Bool {
        let nanoseconds = pose.time.nanoseconds &- base.time.nanoseconds
        guard let length = openRun?.following, length < Self.maximumRunLength, generation == pose.generation,
            (0..<Self.runSpan).contains(nanoseconds), let knot = PoseKnot(pose, after: nanoseconds, from: base)
        else { return false }
        if knotCount % Self.contextInterval == 0, credit >= Self.runPrice,
            openRun?.isOutdated(by: pose, cosine: cosine) ?? true
        {
            return false
        }
        knots.append(knot)
        knotCount += 1
        openRun?.extend(to: sequence)
        return true
    }

    private mutating func begin(with pose: PoseEstimate) {
        let run = PoseRun(pose, sequence: sequence, firstKnot: knotCount)
        // A pose that is not finite cannot be kept.
        guard let knot = PoseKnot(pose, after: 0, from: run.base) else { return }
        if let openRun, !runs.isEmpty { runs[runs.count - 1] = openRun }
        runs.append(run)
        openRun = run
        (base, generation) = (run.base, run.generation)
        cosine = Float(cos((pose.geodetic?.latitudeDegrees ?? 0) * .pi / 180))
        knots.append(knot)
        knotCount += 1
        credit = max(credit - Self.runPrice, -Self.maximumCredit)
    }
}

extension PoseHistory {
    /// Range of times from the oldest to the newest pose; it may contain gaps. Nil before the first pose.
    public var available: ClosedRange<BootTime>? {
        guard let newest, let run = oldestRun else { return nil }
        let begin = moment(max(run.firstKnot, oldestKnot), in: run).time
        let reach = newest.shifted(by: -Int64(Self.span * 1e9))
        return min(max(begin, reach), newest)...newest
    }

    /// Returns the pose at a time, interpolated between published poses, with the accuracies at that time.
    ///
    /// Between two poses of different scene frames, the earlier one is extrapolated up to the later.
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
        return PastPose(pose: run.pose(at: moment), sequence: run.sequence(ofKnot: number))
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

    // MARK: Knots by number

    /// Number of the oldest knot that has not been overwritten.
    private var oldestKnot: Int { knotCount - knots.count }

    /// Oldest run with a knot that has not been overwritten.
    private var oldestRun: PoseRun? {
        let index = runs.partition { $0.lastKnot < oldestKnot }
        return openRun == nil ? nil : run(min(index, runs.count - 1))
    }

    private func run(_ index: Int) -> PoseRun {
        if index == runs.count - 1, let openRun { return openRun }
        return runs[index]
    }

    private func moment(_ number: Int, in run: PoseRun) -> PoseMoment {
        knots[number - oldestKnot].moment(from: run.base)
    }

    /// Returns the last knot of a run that is not later than a time, or the first knot if all are later.
    private func knot(at time: BootTime, in run: PoseRun) -> Int {
        let nanoseconds = time.nanoseconds - run.base.time.nanoseconds
        var (low, high) = (max(run.firstKnot, oldestKnot), run.lastKnot)
        while low < high {
            let middle = (low + high + 1) / 2
            if knots[middle - oldestKnot].nanoseconds <= nanoseconds { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// The next knot, and the angular velocity of the knot after it.
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

/// Interpolates the motion between two successive poses.
///
/// The position is a cubic Hermite curve that has the published velocities at both ends. The rotation vector from the
/// first orientation to the second is such a curve too, with the angular velocities. With the time h between the two
/// poses, s = t/h and ΔR = R₀⁻¹·R₁,
///
/// R = R₀·exp(s·log ΔR + (s − 2s² + s³)·(h·ω₀ − log ΔR) + (s³ − s²)·(h·ω₁ − log ΔR))
///
/// Velocity and angular velocity, which jump with corrections, are interpolated linearly between the published values.
struct PoseCurve {
    let first: PoseMoment
    let second: PoseMoment
    /// Angular velocity of the pose after `second`, if known. It is needed because a published rate is the mean over
    /// the interval before its pose.
    let rateAfter: Vector3?

    /// Angular acceleration beyond that of any head. A larger value indicates a correction of the axes, so the rotation
    /// is then interpolated uniformly. Unit: rad/s².
    private static let maximumAcceleration = 150.0

    /// Returns the pose at a time between the first and the second pose.
    func moment(at time: BootTime) -> PoseMoment {
        let span = second.time.seconds(since: first.time)
        let share = span > 0 ? min(1, max(0, time.seconds(since: first.time) / span)) : 0
        let squared = share * share
        let (begin, end) = (share - 2 * squared + squared * share, squared * share - squared)
        let chord = second.position - first.position
        let bend = (first.velocity * span - chord) * begin + (second.velocity * span - chord) * end
        return PoseMoment(
            time: time, position: first.position + chord * share + bend,
            rotationSceneFromBody: first.rotationSceneFromBody * Rotation3.exp(turn(share, begin, end, span)),
            velocity: first.velocity + (second.velocity - first.velocity) * share,
            rate: first.rate + (second.rate - first.rate) * share)
    }

    private func turn(_ share: Double, _ begin: Double, _ end: Double, _ span: Double) -> Vector3 {
        let turn = (first.rotationSceneFromBody.inverse * second.rotationSceneFromBody).log
        let after = rateAfter ?? (second.rate * 2 - first.rate)
        let firstBend = (first.rate + second.rate) * (0.5 * span) - turn
        let secondBend = (second.rate + after) * (0.5 * span) - turn
        let maximum = 0.5 * Self.maximumAcceleration * span * span
        guard max(firstBend.norm, secondBend.norm) <= maximum else { return turn * share }
        return turn * share + firstBend * begin + secondBend * end
    }
}

extension PoseMoment {
    /// Extrapolates the pose at constant velocities.
    func carried(to later: BootTime) -> PoseMoment {
        let span = later.seconds(since: time)
        var result = self
        result.time = later
        result.position = position + velocity * span
        result.rotationSceneFromBody = rotationSceneFromBody * Rotation3.exp(rate * span)
        return result
    }
}
