import Geometry
import Model

/// The poses of the last ten minutes, each as it was published, in memory taken once.
///
/// Poses are kept at up to 208 Hz: what comes faster loses single ones. They are kept as knots of 28 bytes in runs that
/// share a base and a context; a run ends where its base is too far away, where the context is another, and after a third
/// of a second. The same poses always give the same answers.
public struct PoseHistory: Sendable {
    /// How far it reaches back. Unit: seconds.
    public static let span = 600.0
    /// Kept poses that are farther apart have a gap between them, of which nothing is known. Unit: nanoseconds.
    static let gap: Int64 = 150_000_000
    /// Mean interval at the least, and how much of it may be made up after a late pose. Unit: nanoseconds.
    private static let interval: Int64 = 4_800_000
    private static let slack: Int64 = 48_000_000
    /// Enough for the span at that interval.
    static let knotCapacity = 125_056
    static let runCapacity = 2800
    /// A run's knots at the most, and its length. Units: 1, nanoseconds.
    private static let longestRun = 64
    private static let runSpan: Int64 = 330_000_000
    /// So often the context is compared: every fourth knot.
    private static let contextInterval = 4
    /// Each run costs this many knots of credit, and each knot earns one, so that the runs last as long as the knots.
    private static let runPrice = 45
    /// Most credit that is saved up. Unit: knots.
    private static let highestCredit = 2048

    var knots = Ring<PoseKnot>(capacity: Self.knotCapacity)
    /// The last one is not yet closed: `open` is what it will be.
    var runs = Ring<PoseRun>(capacity: Self.runCapacity)
    var open: PoseRun?
    /// Time of the newest pose, whether it was kept or not. Poses held while the sensors were silent do not count.
    private(set) var newest: BootTime?
    /// Poses so far.
    private(set) var sequence: UInt64 = 0
    /// Knots so far, those that were forgotten among them.
    var knotCount = 0
    /// Base of the open run. It is stored twice, because reading it from `open` would copy the whole run at each pose.
    private var base = PoseBase(time: BootTime(nanoseconds: 0), position: .zero, velocity: .zero)
    private var generation: UInt32 = 0
    private var due = BootTime(nanoseconds: .min)
    private var credit = Self.highestCredit

    public init() {}

    /// What the whole takes, once and for all. Unit: bytes.
    public static var memory: Int {
        knotCapacity * MemoryLayout<PoseKnot>.stride + runCapacity * MemoryLayout<PoseRun>.stride
            + MemoryLayout<PoseHistory>.size
    }

    /// Takes the next pose. Their times grow; where one does not, the clock was set back, and all before it is forgotten.
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

    /// False where another run has to begin.
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
        // What is no number cannot be kept.
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
