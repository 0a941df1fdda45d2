import Geometry
import Measurements

/// Scatter of the samples in windows of half a second over a whole record.
///
/// Source: Tedaldi, Pretto, Menegatti, "A robust and easy to implement method for IMU calibration without external
/// equipments", ICRA 2014, section IV, with two changes: scatter is compared with the stillest windows wherever they
/// lie, so that a recording need not begin with one, and the angular rate is tested as well.
struct StillWindows: Sendable {
    /// Standard deviations over one window, root of the sum over the axes. Measured units.
    struct Scatter: Hashable, Sendable {
        var force: Double
        /// Nil without angular rates.
        var rate: Double?
    }

    /// Scatter by the first block of the window; nil across a gap.
    private(set) var scatters: [Scatter?] = []
    private let blocks: [InertialRecord.Block]

    init(_ record: InertialRecord) {
        blocks = record.blocks
        guard blocks.count >= StillnessLimits.windowBlocks else { return }
        scatters = (0...blocks.count - StillnessLimits.windowBlocks).map { first in
            Self.scatter(blocks[first..<first + StillnessLimits.windowBlocks])
        }
    }

    /// Scatter over a few blocks; nil if they are not consecutive or one is empty.
    static func scatter(_ blocks: ArraySlice<InertialRecord.Block>) -> Scatter? {
        var (force, rate) = (VectorMoments(), VectorMoments())
        for (index, block) in zip(blocks.indices, blocks) {
            guard block.force.count > 0 else { return nil }
            if index > blocks.startIndex, !block.follows(blocks[index - 1]) { return nil }
            force.add(block.force)
            rate.add(block.rate)
        }
        guard let scatter = force.deviation else { return nil }
        return Scatter(force: scatter, rate: rate.deviation)
    }

    /// Scatter of the stillest windows; nil if there is no window.
    func stillest(forceQuantum: Double, rateQuantum: Double) -> Scatter? {
        func least(_ values: [Double], _ quantum: Double) -> Double? {
            guard !values.isEmpty else { return nil }
            let sorted = values.sorted()
            let scatter = sorted[Int(StillnessLimits.stillestShare * Double(sorted.count - 1))]
            // Quantisation noise: a step over √12 on each of three axes.
            return max(scatter, quantum.isFinite ? quantum / 2 : 0)
        }
        let forces = scatters.compactMap { $0?.force }
        guard let force = least(forces, forceQuantum) else { return nil }
        return Scatter(force: force, rate: least(scatters.compactMap { $0?.rate }, rateQuantum))
    }

    /// Flags of the blocks that lie in a window whose scatter is within a limit.
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
