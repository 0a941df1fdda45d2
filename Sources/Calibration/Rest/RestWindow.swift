import Geometry
import Model

/// Mean and spread of the samples of one sensor in a short while.
struct Moments: Sendable {
    private(set) var count = 0
    private(set) var mean = Vector3.zero
    /// Sum of squared distances from the mean, all axes. Source: Welford, 1962.
    private var squares = 0.0
    /// The least change from one sample to the next that is none of zero, by axis: no less than a step of the converter.
    private(set) var step = Vector3(.infinity, .infinity, .infinity)
    private var last: Vector3?
    /// Means of so many samples in a row, and their squared distances as above: noise of high pitch is gone from them.
    private let group: Int
    private(set) var groups = 0
    private var groupSum = Vector3.zero
    private var groupMean = Vector3.zero
    private var groupSquares = 0.0

    /// - Parameter group: samples, at least one.
    init(group: Int = 1) { self.group = group }

    mutating func add(_ value: Vector3) {
        count += 1
        let before = value - mean
        mean += before / Double(count)
        squares += before.dot(value - mean)
        if let last {
            func less(_ step: Double, _ change: Double) -> Double { change == 0 ? step : min(step, change.magnitude) }
            step = Vector3(
                less(step.x, value.x - last.x), less(step.y, value.y - last.y), less(step.z, value.z - last.z))
        }
        last = value
        groupSum += value
        guard count % group == 0 else { return }
        addGroup(groupSum / Double(group))
        groupSum = .zero
    }

    private mutating func addGroup(_ value: Vector3) {
        groups += 1
        let before = value - groupMean
        groupMean += before / Double(groups)
        groupSquares += before.dot(value - groupMean)
    }

    /// Of the means of groups, sum over the axes.
    var groupVariance: Double { groups > 1 ? max(0, groupSquares) / Double(groups - 1) : 0 }

    /// Sum over the axes.
    var variance: Double { count > 1 ? max(0, squares) / Double(count - 1) : 0 }

    /// What rounding to the steps of the converter may hide of the variance: half a step, which is what one toggling digit
    /// gives at most.
    var floor: Double {
        [step.x, step.y, step.z].reduce(0) { $0 + ($1.isFinite ? 0.25 * $1 * $1 : 0) }
    }
}

/// What the sensors showed in a short while in which the board should be at rest.
struct RestWindow: Sendable {
    let begin: BootTime
    var rate: Moments
    var force: Moments
    var field = Moments()

    /// Groups of a window: of half a second, each is long enough for what low-passes of sensors leave.
    private static let groups = 5

    /// - Parameter before: tells how many samples to expect.
    init(begin: BootTime, after before: RestWindow? = nil) {
        self.begin = begin
        rate = Moments(group: max(1, (before?.rate.count ?? 0) / Self.groups))
        force = Moments(group: max(1, (before?.force.count ?? 0) / Self.groups))
    }
}
