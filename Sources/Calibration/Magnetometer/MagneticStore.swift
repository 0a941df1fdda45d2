import Geometry
import Model

/// What a session keeps of what it is fed: raw fields, and means of force and rate over short times. Bounded.
///
/// Frame: body, raw. Times in seconds since the first sample.
public struct MagneticStore: Sendable {
    /// One vector and its time.
    public struct Sample: Hashable, Sendable {
        public var time: Double
        public var value: Vector3

        public init(time: Double, value: Vector3) {
            self.time = time
            self.value = value
        }
    }

    public private(set) var fields: [Sample] = []
    public private(set) var forces = BinnedSamples()
    public private(set) var rates = BinnedSamples()
    /// Of any measurement and of the field.
    public private(set) var lastTime = 0.0
    public private(set) var lastFieldTime: Double?
    /// The longest silence of the field between two samples of it.
    public private(set) var longestGap = 0.0
    /// All samples of the field that were taken, also those given up since.
    public private(set) var fieldCount = 0
    /// The session went on for longer than anything is kept.
    public private(set) var isOver = false

    private var origin: BootTime?

    public init() {}

    /// Whether a field was taken.
    public mutating func add(_ measurement: Measurement) -> Bool {
        let start = origin ?? measurement.time
        let time = measurement.time.seconds(since: start)
        guard time >= 0, time <= MagnetometerLimits.sessionSeconds else {
            isOver = isOver || time > 0
            return false
        }
        switch measurement {
        case .magneticField(let sample):
            guard Self.isUsable(sample.field), time > lastFieldTime ?? -1 else { return false }
            if let lastFieldTime { longestGap = max(longestGap, time - lastFieldTime) }
            lastFieldTime = time
            fieldCount += 1
            fields.append(Sample(time: time, value: sample.field))
        case .specificForce(let sample): if Self.isUsable(sample.force) { forces.add(time, sample.force) }
        case .angularRate(let sample): if Self.isUsable(sample.rate) { rates.add(time, sample.rate) }
        case .clock: break
        case .fix, .pressure, .calibration: return false
        }
        origin = start
        lastTime = max(lastTime, time)
        if case .magneticField = measurement { return true }
        return false
    }

    /// Finite, and small enough that fourth powers are too.
    private static func isUsable(_ value: Vector3) -> Bool {
        value.isFinite && max(value.x.magnitude, value.y.magnitude, value.z.magnitude) < 1e12
    }

    public var isFull: Bool { fields.count >= MagnetometerLimits.capacity }

    /// Samples were given up, and others came since.
    public var isUneven: Bool { fieldCount > MagnetometerLimits.capacity }

    /// Leaves each direction its share of the room, evenly over the time it was seen: what lies still for hours does not
    /// drive out what was turned.
    ///
    /// - Parameter region: the region of a sample's direction, of `SphereCoverage.regions`.
    public mutating func thin(by region: (Vector3) -> Int) {
        let share = MagnetometerLimits.capacity / SphereCoverage.regions / 2
        let regions = fields.map { region($0.value) }
        var counts = [Int](repeating: 0, count: SphereCoverage.regions)
        for region in regions { counts[region] += 1 }
        var seen = [Int](repeating: 0, count: SphereCoverage.regions)
        var fewer: [Sample] = []
        fewer.reserveCapacity(MagnetometerLimits.capacity)
        for (sample, region) in zip(fields, regions) {
            let index = seen[region]
            seen[region] += 1
            let kept = min(share, counts[region])
            if (index + 1) * kept / counts[region] > index * kept / counts[region] { fewer.append(sample) }
        }
        fields = fewer
    }
}

/// Samples as means over a fiftieth of a second, in the order of time.
public struct BinnedSamples: Sendable {
    public private(set) var bins: [MagneticStore.Sample] = []
    private var sum = Vector3.zero
    private var timeSum = 0.0
    private var count = 0.0
    private var start = 0.0

    public init() {}

    mutating func add(_ time: Double, _ value: Vector3) {
        if count > 0 {
            guard time >= start else { return }
            if time >= start + MagnetometerLimits.binSeconds { close() }
        } else if let last = bins.last, time <= last.time {
            return
        }
        if count == 0 { start = time }
        sum += value
        timeSum += time
        count += 1
    }

    private mutating func close() {
        bins.append(MagneticStore.Sample(time: timeSum / count, value: sum / count))
        (sum, timeSum, count) = (.zero, 0, 0)
    }

    /// With the last one, also where it is not full.
    public var all: [MagneticStore.Sample] {
        guard count > 0 else { return bins }
        return bins + [MagneticStore.Sample(time: timeSum / count, value: sum / count)]
    }
}
