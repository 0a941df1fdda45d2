import Geometry
import Model

/// Scatter of a whole record's samples in windows of half a second.
///
/// Source: Tedaldi, Pretto, Menegatti, "A robust and easy to implement method for IMU calibration without external
/// equipments", ICRA 2014, section IV, with two changes. Scatter is compared with the stillest windows anywhere in the
/// record, so that a recording need not begin with a still window. The angular rate is also tested.
struct StillWindows: Sendable {
    /// Standard deviations over one window. Each is the root of the sum over the axes. Measured units.
    struct Scatter: Hashable, Sendable {
        var force: Double
        /// Nil without angular rates.
        var rate: Double?
    }

    /// Scatter of each window, at the index of its first block; nil if the window has a gap.
    private(set) var scatters: [Scatter?] = []
    private let blocks: [InertialRecord.Block]

    init(_ record: InertialRecord) {
        blocks = record.blocks
        guard blocks.count >= StillnessLimits.windowBlocks else { return }
        scatters = (0...blocks.count - StillnessLimits.windowBlocks).map { first in
            Self.scatter(blocks[first..<first + StillnessLimits.windowBlocks])
        }
    }

    /// Scatter over a few blocks; nil if they are not consecutive, or if one of them is empty.
    static func scatter(_ blocks: ArraySlice<InertialRecord.Block>) -> Scatter? {
        guard blocks.allSatisfy({ $0.force.count > 0 }), zip(blocks.dropFirst(), blocks).allSatisfy({ $0.follows($1) }),
            let scatter = blocks.force.standardDeviation
        else { return nil }
        return Scatter(force: scatter, rate: VectorMoments(blocks.lazy.map(\.rate)).standardDeviation)
    }

    /// Scatter of the stillest windows; nil if there is no window.
    func stillest(forceQuantum: Double, rateQuantum: Double) -> Scatter? {
        func least(_ values: [Double], _ quantum: Double) -> Double? {
            guard !values.isEmpty else { return nil }
            let sorted = values.sorted()
            let scatter = sorted[Int(StillnessLimits.stillestShare * Double(sorted.count - 1))]
            // Quantisation noise is a step divided by √12 on each of three axes.
            return max(scatter, quantum.isFinite ? quantum / 2 : 0)
        }
        let forces = scatters.compactMap { $0?.force }
        guard let force = least(forces, forceQuantum) else { return nil }
        return Scatter(force: force, rate: least(scatters.compactMap { $0?.rate }, rateQuantum))
    }

    /// Whether each block lies in a window whose scatter is within a limit.
    func still(within limit: Scatter) -> [Bool] {
        var still = [Bool](repeating: false, count: blocks.count)
        for (first, scatter) in scatters.enumerated() {
            guard let scatter, scatter.isWithin(limit) else { continue }
            for block in first..<first + StillnessLimits.windowBlocks { still[block] = true }
        }
        return still
    }
}

extension StillWindows.Scatter {
    func isWithin(_ limit: StillWindows.Scatter) -> Bool {
        guard force <= limit.force else { return false }
        guard let rate, let allowed = limit.rate else { return true }
        return rate <= allowed
    }

    /// Limit that is this scatter times a multiplier.
    func times(_ multiplier: Double) -> StillWindows.Scatter {
        StillWindows.Scatter(
            force: multiplier * force, rate: rate.map { multiplier * StillnessLimits.rateFactor * $0 })
    }
}

extension InertialRecord.Block {
    /// Whether this block begins right after another one ends.
    func follows(_ other: InertialRecord.Block) -> Bool {
        begins.seconds(since: other.ends) <= StillnessLimits.gapSeconds
    }
}

enum StillnessLimits {
    /// Duration of a block. A tenth of a second contains one sample at 10 Hz. It is short compared with the one or two
    /// seconds in which a hand moves from pose to pose. Unit: seconds.
    static let blockSeconds = 0.1
    /// Number of blocks in a scatter window, which is half a second. Tedaldi, Pretto and Menegatti use windows of 1 to
    /// 2 s, and lose that much of every pose. Half a second still contains five samples at 10 Hz, and four periods of a
    /// hand's tremor at 8 Hz.
    static let windowBlocks = 5
    /// Gap in the samples that ends a pose: three blocks, or three periods at 10 Hz. Unit: seconds.
    static let gapSeconds = 0.35
    /// Shortest pose. The user is asked to hold poses for about a second. Unit: seconds.
    static let minimumSeconds = 0.9
    /// Number of blocks removed from both ends of a pose, where the hand settles or starts to move, if the pose is long
    /// enough.
    static let trimmedBlocks = 3
    /// Fewest blocks that a pose keeps after trimming.
    static let minimumBlockCount = 6
    /// Quantile of the windows' scatter that defines the stillest windows. It is small enough for a record in which a
    /// hand is still for five seconds out of four minutes.
    static let stillestShare = 0.02
    /// Candidate multipliers, which are ratios of the largest accepted scatter to the least one. The fit selects one of
    /// them. They range from the chance variation of five samples on three axes (1.4) to the ratio between a hand and a
    /// table. Their number is about that of Tedaldi's search (ten).
    static let multipliers = [1.4, 1.7, 2, 2.5, 3, 4, 6, 9, 13, 20]
    /// Candidate multipliers for a board on a table. Chance does not reach twice the least scatter; larger multipliers
    /// are for places where people walk by.
    static let tableMultipliers = [2.0, 4, 9]
    /// Factor by which the gyroscope's multiplier is larger, because a hand rotates long before it shifts.
    static let rateFactor = 5.0
    /// Drift of the force, as a fraction of gravity, that ends a pose: 3.4°. Over such a drift, the mean vector is
    /// shorter than each vector by 0.05 %, which is 0.005 m/s².
    static let drift = 0.06
    /// Longest interruption within one pose. Unit: seconds.
    static let maximumInterruption = 1.0
    /// Largest change of the force across an interruption within one pose, as a fraction of gravity: 1°.
    static let samePose = 0.02
    /// Largest scatter of the force in a still hand, in a live session: root of the sum over three axes. A tremor of 8
    /// to 12 Hz with 0.1 mm causes 0.3 m/s² at most (Elble and Koller, "Tremor", 1990). Unit: m/s².
    static let handForce = 0.25
    /// Largest scatter of the rate in a still hand, in a live session: root of the sum over three axes. A hand with a
    /// scatter of 3 °/s still turns. Unit: rad/s.
    static let handRate = 0.05
    /// Multiplier of a live session, which is the ratio of the largest accepted scatter to the least one. It is large
    /// enough for a vibrating table.
    static let liveMultiplier = 4.0
    /// Capacity of the record in blocks: an hour.
    static let maximumBlocks = 36_000
    /// Shortest time over which angular rates are averaged. It is short compared with the rotation of a hand. Unit:
    /// seconds.
    static let rateSeconds = 0.004
    /// Capacity of the record in angular rates: an hour at 125 Hz, half an hour at 250 Hz.
    static let maximumRates = 450_000
    /// Largest magnitude of a sample. No sensor delivers larger values, whose squares would overflow when summed.
    static let maximumValue = 1e15
}
