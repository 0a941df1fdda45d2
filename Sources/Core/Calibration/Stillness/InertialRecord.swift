import Geometry
import Model

/// Bounded record of a board that is turned from pose to pose. Specific forces are in blocks of a tenth of a second,
/// and angular rates are kept nearly sample by sample.
///
/// A sample is ignored if it is not finite, or if it is older than the previous one of the same sensor.
struct InertialRecord: Sendable {
    /// Statistics over a tenth of a second.
    struct Block: Hashable, Sendable {
        var begins: BootTime
        var ends: BootTime
        var force = VectorMoments()
        var rate = VectorMoments()
    }

    /// Mean angular rate over a few milliseconds, at the mean time of the samples.
    struct Rate: Hashable, Sendable {
        var time: BootTime
        var value: Vector3
    }

    private(set) var blocks: [Block] = []
    private(set) var rates: [Rate] = []
    private(set) var firstTime: BootTime?
    private(set) var lastForceTime: BootTime?
    private(set) var lastRateTime: BootTime?
    private(set) var forces = 0
    /// Smallest nonzero step between two values of one axis. A coarse converter resolves no smaller scatter than half
    /// of it.
    private(set) var forceQuantum = Double.infinity
    private(set) var rateQuantum = Double.infinity

    /// Minimum and maximum of the block means, axis by axis.
    private(set) var forceEnds: (low: Vector3, high: Vector3)?
    /// Extremes of each axis of the gyroscope.
    private(set) var rateEnds = ChannelEnds()

    private var current: Block?
    private var lastForce: Vector3?
    private var lastRate: Vector3?
    private var gathered = VectorMoments()
    private var gatheredSpan: (begin: BootTime, end: BootTime)?

    var isFull: Bool { blocks.count >= StillnessLimits.maximumBlocks || rates.count >= StillnessLimits.maximumRates }

    /// Adds a specific force. Returns whether it completed a block.
    @discardableResult
    mutating func add(force: Vector3, at time: BootTime) -> Bool {
        guard force.isUsable(below: StillnessLimits.maximumValue), lastForceTime.map({ $0 < time }) ?? true, !isFull
        else { return false }
        firstTime = firstTime ?? time
        lastForceTime = time
        forces += 1
        if let lastForce { forceQuantum = min(forceQuantum, Self.step(from: lastForce, to: force)) }
        lastForce = force
        let completed = advance(to: time)
        current?.force.add(force)
        return completed
    }

    /// Adds an angular rate. Returns whether it completed a block.
    @discardableResult
    mutating func add(rate: Vector3, at time: BootTime) -> Bool {
        guard rate.isUsable(below: StillnessLimits.maximumValue), lastRateTime.map({ $0 < time }) ?? true, !isFull
        else { return false }
        let gap = lastRateTime.map { time.seconds(since: $0) > StillnessLimits.gapSeconds } ?? false
        lastRateTime = time
        if let lastRate { rateQuantum = min(rateQuantum, Self.step(from: lastRate, to: rate)) }
        lastRate = rate
        rateEnds.add(rate)
        gather(rate, at: time, afterGap: gap)
        let completed = advance(to: time)
        current?.rate.add(rate)
        return completed
    }

    private static func step(from old: Vector3, to new: Vector3) -> Double {
        let change = new - old
        return [change.x, change.y, change.z].reduce(.infinity) { $1 == 0 ? $0 : min($0, $1.magnitude) }
    }

    /// Completes the open block if a sample lies beyond its duration. Until then, the block also receives older samples
    /// of the slower sensor.
    private mutating func advance(to time: BootTime) -> Bool {
        guard let block = current else {
            current = Block(begins: time, ends: time)
            return false
        }
        // Half a millisecond of jitter must not put two samples at 10 Hz into one block.
        guard time.seconds(since: block.begins) >= StillnessLimits.blockSeconds - 5e-4 else {
            current?.ends = max(block.ends, time)
            return false
        }
        blocks.append(block)
        if block.force.count > 0 { widen(by: block.force.mean) }
        current = Block(begins: time, ends: time)
        return true
    }

    private mutating func widen(by mean: Vector3) {
        let (low, high) = forceEnds ?? (mean, mean)
        forceEnds = (
            Vector3(min(low.x, mean.x), min(low.y, mean.y), min(low.z, mean.z)),
            Vector3(max(high.x, mean.x), max(high.y, mean.y), max(high.z, mean.z))
        )
    }

    private mutating func gather(_ rate: Vector3, at time: BootTime, afterGap: Bool) {
        if let (begin, end) = gatheredSpan,
            afterGap || time.seconds(since: begin) >= StillnessLimits.rateSeconds - 1e-5
        {
            let middle = begin.nanoseconds + (end.nanoseconds - begin.nanoseconds) / 2
            rates.append(Rate(time: BootTime(nanoseconds: middle), value: gathered.mean))
            (gathered, gatheredSpan) = (VectorMoments(), nil)
        }
        gatheredSpan = (gatheredSpan?.begin ?? time, time)
        gathered.add(rate)
    }
}

/// Minimum and maximum of three axes, and how often each occurs. An extreme that recurs is the end of the range.
struct ChannelEnds: Hashable, Sendable {
    private struct End: Hashable, Sendable {
        var value = -Double.infinity
        var count = 0

        mutating func add(_ next: Double) {
            if next > value { (value, count) = (next, 0) }
            if next == value { count += 1 }
        }
    }

    /// Maxima of x, y, z, −x, −y, −z.
    private var ends = [End](repeating: End(), count: 6)

    /// Fewest occurrences at which an extreme counts as the end of the range. A peak may well occur twice.
    private static let minimumCount = 3

    mutating func add(_ value: Vector3) {
        for (index, part) in Self.parts(value).enumerated() { ends[index].add(part) }
    }

    /// Whether a mean of samples lies within a fiftieth of the range from one end of it. Averaging moves clipped values
    /// away from the end.
    func isClipped(_ value: Vector3) -> Bool {
        for (index, part) in Self.parts(value).enumerated() {
            let (end, other) = (ends[index], ends[(index + 3) % 6])
            if end.count >= Self.minimumCount, part > end.value - 0.02 * (end.value + other.value) { return true }
        }
        return false
    }

    private static func parts(_ v: Vector3) -> [Double] { [v.x, v.y, v.z, -v.x, -v.y, -v.z] }
}

/// Running count, mean and scatter of vectors.
///
/// Values around 32768 lose no digits. Source: Welford, "Note on a method for calculating corrected sums of squares and
/// products", Technometrics 4(3), 1962; for merging, Chan, Golub, LeVeque, 1979.
struct VectorMoments: Hashable, Sendable {
    private(set) var count = 0.0
    private(set) var mean = Vector3.zero
    /// Sum of the squared distances from the mean.
    private(set) var squares = 0.0

    mutating func add(_ value: Vector3) {
        count += 1
        let before = value - mean
        mean += before / count
        squares += before.dot(value - mean)
    }

    mutating func add(_ other: VectorMoments) {
        guard other.count > 0 else { return }
        let sum = count + other.count
        let apart = other.mean - mean
        squares += other.squares + apart.squaredNorm * (count * other.count / sum)
        mean += apart * (other.count / sum)
        count = sum
    }

    /// Moments of `count` equal vectors; empty if `count` is not positive.
    init(_ mean: Vector3, count: Double) {
        guard count > 0 else { return }
        self.mean = mean
        self.count = count
    }

    init() {}

    init(_ vectors: some Sequence<Vector3>) {
        for vector in vectors { add(vector) }
    }

    init(_ parts: some Sequence<VectorMoments>) {
        for part in parts { add(part) }
    }

    /// Sum of the three axes' variances; 0 for fewer than two vectors.
    var variance: Double { count > 1 ? max(0, squares) / (count - 1) : 0 }

    /// Square root of the sum of the three axes' variances; nil for fewer than two vectors.
    var standardDeviation: Double? { count > 1 ? variance.squareRoot() : nil }
}
