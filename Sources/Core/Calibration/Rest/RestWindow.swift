import Geometry
import Model

/// Mean and variance of the samples of one sensor over a short window.
struct Moments: Sendable {
    private var samples = VectorMoments()
    /// Moments of the means of groups of consecutive samples. These means are free of high-frequency noise.
    private var groupMeans = VectorMoments()
    private var groupSum = Vector3.zero
    private let group: Int
    /// Smallest nonzero change between successive samples, for each axis. It is at least one step of the converter.
    private(set) var step = Vector3(.infinity, .infinity, .infinity)
    private var last: Vector3?

    /// - Parameter group: number of samples of a group, at least one.
    init(group: Int = 1) { self.group = group }

    mutating func add(_ value: Vector3) {
        samples.add(value)
        if let last {
            func less(_ step: Double, _ change: Double) -> Double { change == 0 ? step : min(step, change.magnitude) }
            step = Vector3(
                less(step.x, value.x - last.x), less(step.y, value.y - last.y), less(step.z, value.z - last.z))
        }
        last = value
        groupSum += value
        guard count % group == 0 else { return }
        groupMeans.add(groupSum / Double(group))
        groupSum = .zero
    }

    var count: Int { Int(samples.count) }
    var mean: Vector3 { samples.mean }
    /// Variance of the samples, summed over the axes.
    var variance: Double { samples.variance }

    var groups: Int { Int(groupMeans.count) }
    /// Variance of the group means, summed over the axes.
    var groupVariance: Double { groupMeans.variance }

    /// Squared difference of the mean from that of another window; nil if one of them is empty.
    func squaredChange(from before: Moments) -> Double? {
        count > 0 && before.count > 0 ? (mean - before.mean).squaredNorm : nil
    }

    /// Variance that quantisation may hide, summed over the axes. It is the square of half a step, the largest variance
    /// of a value that toggles by one step.
    var floor: Double {
        [step.x, step.y, step.z].reduce(0) { $0 + ($1.isFinite ? 0.25 * $1 * $1 : 0) }
    }
}

/// Statistics of all sensors over a short window in which the board should be at rest.
struct RestWindow: Sendable {
    let begin: BootTime
    var rate: Moments
    var force: Moments
    var field = Moments()
    /// Moments that leave out samples equal to the previous sample on all axes.
    private var changedRate: Moments
    private var changedForce: Moments

    /// Number of groups in a window. In half a second, each group is longer than the correlation that sensors' low-pass
    /// filters cause.
    private static let groups = 5

    /// - Parameter before: previous window. This window is expected to have as many samples as that one.
    init(begin: BootTime, after before: RestWindow? = nil) {
        self.begin = begin
        rate = Moments(group: max(1, (before?.rate.count ?? 0) / Self.groups))
        force = Moments(group: max(1, (before?.force.count ?? 0) / Self.groups))
        changedRate = Moments(group: max(1, (before?.changedRate.count ?? 0) / Self.groups))
        changedForce = Moments(group: max(1, (before?.changedForce.count ?? 0) / Self.groups))
    }

    mutating func addRate(_ value: Vector3, isRepeated: Bool) {
        rate.add(value)
        if !isRepeated { changedRate.add(value) }
    }

    mutating func addForce(_ value: Vector3, isRepeated: Bool) {
        force.add(value)
        if !isRepeated { changedForce.add(value) }
    }

    /// Statistics of the window without the rows that the sensor did not measure.
    func measured(rates: RepeatedSamples, forces: RepeatedSamples) -> RestWindow {
        var window = self
        if rates.areStale { window.rate = changedRate }
        if forces.areStale { window.force = changedForce }
        return window
    }
}
