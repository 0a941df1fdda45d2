import Geometry
import Model

/// Scatter of the samples in windows of half a second over a whole record.
///
/// Source: Tedaldi, Pretto, Menegatti, "A robust and easy to implement method for IMU calibration without external
/// equipments", ICRA 2014, section IV, with two changes: scatter is compared with the stillest windows anywhere in the
/// record, so that a recording need not begin with a still window, and the angular rate is tested as well.
struct StillWindows: Sendable {
    /// Standard deviations over one window, each the root of the sum over the axes. Measured units.
    struct Scatter: Hashable, Sendable {
        var force: Double
        /// Nil without angular rates.
        var rate: Double?
    }

    /// Scatter of each window, by the index of its first block; nil across a gap.
    private(set) var scatters: [Scatter?] = []
    private let blocks: [InertialRecord.Block]

    init(_ record: InertialRecord) {
        blocks = record.blocks
        guard blocks.count >= StillnessLimits.windowBlocks else { return }
        scatters = (0...blocks.count - StillnessLimits.windowBlocks).map { first in
            Self.scatter(blocks[first..<first + StillnessLimits.windowBlocks])
        }
    }

    /// Scatter over a few blocks; nil if they are not consecutive or if one of them is empty.
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
            // Quantisation noise: a step divided by √12 on each of three axes.
            return max(scatter, quantum.isFinite ? quantum / 2 : 0)
        }
        let forces = scatters.compactMap { $0?.force }
        guard let force = least(forces, forceQuantum) else { return nil }
        return Scatter(force: force, rate: least(scatters.compactMap { $0?.rate }, rateQuantum))
    }

    /// For each block, whether it lies in a window whose scatter is within a limit.
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

    /// This scatter times a multiplier, as a limit.
    func times(_ multiplier: Double) -> StillWindows.Scatter {
        StillWindows.Scatter(
            force: multiplier * force, rate: rate.map { multiplier * StillnessLimits.rateFactor * $0 })
    }
}

extension InertialRecord.Block {
    /// Whether this block begins right after another one.
    func follows(_ other: InertialRecord.Block) -> Bool {
        begins.seconds(since: other.ends) <= StillnessLimits.gapSeconds
    }
}

enum StillnessLimits {
    /// Duration of a block. A tenth of a second contains one sample at 10 Hz, and is short compared with the second or
    /// two that a hand takes from pose to pose. Unit: seconds.
    static let blockSeconds = 0.1
    /// Number of blocks of a scatter window, half a second. Tedaldi, Pretto and Menegatti use windows of 1 to 2 s, and
    /// lose that much of every pose; half a second still contains five samples at 10 Hz and four periods of a hand's
    /// tremor at 8 Hz.
    static let windowBlocks = 5
    /// Gap in the samples that ends a pose: three blocks, or three periods at 10 Hz. Unit: seconds.
    static let gapSeconds = 0.35
    /// Shortest pose; the user is asked for about a second. Unit: seconds.
    static let minimumSeconds = 0.9
    /// Number of blocks removed from both ends of a long enough pose, where the hand settles or starts to move.
    static let trimmedBlocks = 3
    /// Fewest blocks that remain of a pose after trimming.
    static let minimumBlockCount = 6
    /// Quantile of the windows' scatter that defines the stillest windows: small enough for a record in which a hand is
    /// still for five seconds out of four minutes.
    static let stillestShare = 0.02
    /// Candidate multipliers: ratios of the largest accepted scatter to the least one; the fit selects one. They range
    /// from the chance variation of five samples on three axes (1.4) to the ratio between a hand and a table; their
    /// number is about that of Tedaldi's search (ten).
    static let multipliers = [1.4, 1.7, 2, 2.5, 3, 4, 6, 9, 13, 20]
    /// Candidate multipliers for a board on a table: twice the least scatter, which chance does not reach; more for
    /// places where people walk by.
    static let tableMultipliers = [2.0, 4, 9]
    /// Factor by which the multiplier is larger for the gyroscope: a hand rotates long before it shifts.
    static let rateFactor = 5.0
    /// Drift of the force, as a fraction of gravity, that ends a pose: 3.4°. Over such a drift the mean vector is
    /// shorter than each vector by 0.05 %, 0.005 m/s².
    static let drift = 0.06
    /// Longest interruption within one pose. Unit: seconds.
    static let maximumInterruption = 1.0
    /// Largest change of the force across an interruption within one pose, as a fraction of gravity: 1°.
    static let samePose = 0.02
    /// In a live session: largest scatter of the force in a still hand, root of the sum over three axes. Tremor of 8 to
    /// 12 Hz with 0.1 mm is 0.3 m/s² at most (Elble and Koller, "Tremor", 1990). Unit: m/s².
    static let handForce = 0.25
    /// In a live session: largest scatter of the rate in a still hand, root of the sum over three axes. A hand with a
    /// scatter of 3 °/s still turns. Unit: rad/s.
    static let handRate = 0.05
    /// Multiplier of a live session: ratio of the largest accepted scatter to the least one. It is large enough for a
    /// vibrating table.
    static let liveMultiplier = 4.0
    /// Capacity of the record in blocks: an hour.
    static let maximumBlocks = 36_000
    /// Shortest time over which angular rates are averaged, short compared with the rotation of a hand. Unit: seconds.
    static let rateSeconds = 0.004
    /// Capacity of the record in angular rates: an hour at 125 Hz, half an hour at 250 Hz.
    static let maximumRates = 450_000
    /// Largest magnitude of a sample: no sensor delivers larger values, whose sums of squares would overflow.
    static let maximumValue = 1e15
}
