import Geometry
import Model

/// Bounded store of a session's samples. It holds raw fields, and means of force and rate over short intervals.
///
/// Frame: body, raw. Times are seconds since the first sample.
package struct MagneticStore: Sendable {
    /// One vector and its time.
    package struct Sample: Hashable, Sendable {
        /// Time since the first sample. Unit: seconds.
        package var time: Double
        /// Measured vector. Measured units.
        package var value: Vector3

        package init(time: Double, value: Vector3) {
            self.time = time
            self.value = value
        }
    }

    /// Raw magnetic fields. They were thinned out whenever the store was full.
    package private(set) var fields: [Sample] = []
    /// Means of the specific force.
    package private(set) var forces = BinnedSamples()
    /// Means of the angular rate.
    package private(set) var rates = BinnedSamples()
    /// Time of the newest measurement of any sensor. Unit: seconds since the first sample.
    package private(set) var lastTime = 0.0
    /// Time of the newest field; nil without any. Unit: seconds since the first sample.
    package private(set) var lastFieldTime: Double?
    /// Longest gap between two fields. Unit: seconds.
    package private(set) var longestGap = 0.0
    /// Number of fields that were taken, including those that were thinned out later.
    package private(set) var fieldCount = 0
    /// Whether the session exceeded its longest duration.
    package private(set) var isOver = false

    private var origin: BootTime?

    package init() {}

    /// Adds a measurement. Returns whether it is a field that was taken.
    package mutating func add(_ measurement: Measurement) -> Bool {
        let start = origin ?? measurement.time
        let time = measurement.time.seconds(since: start)
        guard time >= 0, time <= MagnetometerLimits.sessionSeconds else {
            isOver = isOver || time > 0
            return false
        }
        switch measurement {
        case .magneticField(let sample):
            guard sample.field.isUsable(below: Self.maximumValue), time > lastFieldTime ?? -1 else { return false }
            if let lastFieldTime { longestGap = max(longestGap, time - lastFieldTime) }
            lastFieldTime = time
            fieldCount += 1
            fields.append(Sample(time: time, value: sample.field))
        case .specificForce(let sample):
            if sample.force.isUsable(below: Self.maximumValue) { forces.add(time, sample.force) }
        case .angularRate(let sample):
            if sample.rate.isUsable(below: Self.maximumValue) { rates.add(time, sample.rate) }
        case .clock: break
        case .fix, .aid, .pressure, .calibration: return false
        }
        origin = start
        lastTime = max(lastTime, time)
        if case .magneticField = measurement { return true }
        return false
    }

    /// Largest magnitude of a component. The fit adds fourth powers of the components.
    private static let maximumValue = 1e12

    /// Whether the store has no room for another field.
    package var isFull: Bool { fields.count >= MagnetometerLimits.capacity }

    /// Whether fields were added after others had been thinned out, so that their density is uneven.
    package var isUneven: Bool { fieldCount > MagnetometerLimits.capacity }

    /// Replaces the fields by others at the same times.
    mutating func replaceFields(_ fields: [Sample]) { self.fields = fields }

    /// Thins out the fields to an equal number for each direction, evenly over time. Hours at rest therefore do not
    /// displace the samples of a rotation.
    ///
    /// - Parameter region: maps a field to the region of its direction, as numbered by `SphereCoverage`.
    package mutating func thin(by region: (Vector3) -> Int) {
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

/// Samples averaged over a fiftieth of a second, in order of time.
package struct BinnedSamples: Sendable {
    /// Completed means.
    package private(set) var bins: [MagneticStore.Sample] = []
    private var sum = Vector3.zero
    private var timeSum = 0.0
    private var count = 0.0
    private var start = 0.0

    package init() {}

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

    /// All means, including the last one, which is incomplete.
    package var all: [MagneticStore.Sample] {
        guard count > 0 else { return bins }
        return bins + [MagneticStore.Sample(time: timeSum / count, value: sum / count)]
    }
}
