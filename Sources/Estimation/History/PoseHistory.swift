import Geometry
import Measurements

/// Published poses of the last ten minutes, in memory allocated once.
///
/// Poses are kept at up to 208 Hz; of a faster stream some are dropped. They are kept as knots of 28 bytes in runs that
/// share a base and a context; a run ends where its base is too far away, where the context changes, and after a third
/// of a second. The same poses always give the same answers.
public struct PoseHistory: Sendable {
    /// Length of the history. Unit: seconds.
    public static let span = 600.0
    /// Interval between two kept poses beyond which there is a gap between them. Unit: nanoseconds.
    static let gap: Int64 = 150_000_000
    /// Least mean interval between kept poses, and how much of it may be made up after a late one. Unit: nanoseconds.
    private static let interval: Int64 = 4_800_000
    private static let slack: Int64 = 48_000_000
    /// Capacities, for the span at that interval.
    static let knotCapacity = 125_056
    static let runCapacity = 2800
    /// Largest number of knots in a run, and its longest duration. Units: 1, nanoseconds.
    private static let longestRun = 64
    private static let runSpan: Int64 = 330_000_000
    /// Interval, in knots, at which the context is compared.
    private static let contextInterval = 4
    /// Credit in knots that a run costs, while each knot earns one, so that runs last as long as knots.
    private static let runPrice = 45
    /// Largest credit. Unit: knots.
    private static let highestCredit = 2048

    var knots = Ring<PoseKnot>(capacity: Self.knotCapacity)
    /// Runs; the last one is still open, and `open` is its present value.
    var runs = Ring<PoseRun>(capacity: Self.runCapacity)
    var open: PoseRun?
    /// Time of the newest pose, kept or not, without poses held while the sensors were silent.
    private(set) var newest: BootTime?
    /// Number of poses so far.
    private(set) var sequence: UInt64 = 0
    /// Number of knots so far, overwritten ones included.
    var knotCount = 0
    /// Base of the open run, stored twice because reading it from `open` would copy the whole run at each pose.
    private var base = PoseBase(time: BootTime(nanoseconds: 0), position: .zero, velocity: .zero)
    private var generation: UInt32 = 0
    private var due = BootTime(nanoseconds: .min)
    private var credit = Self.highestCredit

    /// Makes an empty history, and allocates its memory.
    public init() {}

    /// Memory of the history. Unit: bytes.
    public static var memory: Int {
        knotCapacity * MemoryLayout<PoseKnot>.stride + runCapacity * MemoryLayout<PoseRun>.stride
            + MemoryLayout<PoseHistory>.size
    }

    /// Adds the next pose. Times increase; one that does not shows a clock set back, and all earlier poses are dropped.
    @inline(__always)
    public mutating func add(_ pose: PoseEstimate) {
        sequence += 1
        if let newest, pose.time <= newest { forget() }
        newest = pose.time
        guard pose.time >= due else { return }
        due = max(due, pose.time.shifted(by: -Self.slack)).shifted(by: Self.interval)
        credit = min(credit + 1, Self.highestCredit)
        if !extend(with: pose) { begin(with: pose) }
    }

    /// Counts a pose that was only held, while the inertial sensors were silent.
    public mutating func skip() { sequence += 1 }

    private mutating func forget() {
        knots.removeAll()
        runs.removeAll()
        open = nil
        due = BootTime(nanoseconds: .min)
    }

    /// Adds a pose to the open run; false if another run has to begin.
    @inline(__always)
    private mutating func extend(with pose: PoseEstimate) -> Bool {
        let nanoseconds = pose.time.nanoseconds &- base.time.nanoseconds
        guard let length = open?.following, length < Self.longestRun, generation == pose.generation,
            (0..<Self.runSpan).contains(nanoseconds), let knot = PoseKnot(pose, after: nanoseconds, from: base)
        else { return false }
        if knotCount % Self.contextInterval == 0, credit >= Self.runPrice, isOutdated(by: pose) { return false }
        knots.append(knot)
        knotCount += 1
        open?.following += 1
        open?.lastSequence = sequence
        return true
    }

    @inline(__always)
    private mutating func isOutdated(by pose: PoseEstimate) -> Bool {
        open?.context.isOutdated(by: pose, since: base) ?? true
    }

    private mutating func begin(with pose: PoseEstimate) {
        let run = PoseRun(pose, sequence: sequence, firstKnot: knotCount)
        // A pose that is not finite cannot be kept.
        guard let knot = PoseKnot(pose, after: 0, from: run.base) else { return }
        if let open, !runs.isEmpty { runs[runs.count - 1] = open }
        runs.append(run)
        open = run
        (base, generation) = (run.base, run.generation)
        knots.append(knot)
        knotCount += 1
        credit = max(credit - Self.runPrice, -Self.highestCredit)
    }
}
