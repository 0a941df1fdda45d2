import Geometry

/// Data stream of one sensor.
package struct StreamFacts: Sendable {
    package var kind: SensorFacts.Kind
    package var device: String
    /// `streaming`, `polling`, `silent`, `failed` or `searching`, with details.
    package var state: String
    package var detail: String?
    /// Rate that was requested from the driver, and rate that the driver reports. Unit: Hz.
    package var requestedRate, grantedRate: Double?
    /// Error with which the driver refused the requested rate; nil if it did not.
    package var rateProblem: String?
    /// Description of what paces the device's samples, such as `the hrtimer trigger waymark-accelerometer`.
    package var sampling: String?
    /// Why the device's buffer is not used; nil if it is used, or if the device has none.
    package var pollingReason: String?
    /// Whether the buffer is not used because it needs a trigger and there is none.
    package var isTriggerMissing = false
    /// Whether another program, instead of an IIO device, provides the samples.
    package var isOffered = false
    /// Clock of the timestamps: `boottime`, `monotonic`, `realtime` or `host`.
    package var clock: String?
    /// Origin of the mount matrix: `configuration`, `device`, `udev`, `sibling` or `none`.
    package var mountOrigin: String?
    /// Mount matrix in use, nine elements row by row.
    package var mountMatrix: [Double]?
    /// Whether the given mount matrix is a mirror image. If so, the opposite matrix is used.
    package var isMountMirrored = false
    /// Sign that the settings apply to the readings: -1 or 1.
    package var sign = 1
    /// Number of samples lost because the daemon did not keep up.
    package var dropped = 0
    /// Rate from the sample counter of the device. Unit: Hz.
    package var countedRate: Double?
    /// Statistics of the calibrated samples in body axes.
    package var summary: SampleSummary?

    package init(kind: SensorFacts.Kind, device: String, state: String) {
        (self.kind, self.device, self.state) = (kind, device, state)
    }

    /// The summary; nil if it has too few samples for statistics.
    var statistics: SampleSummary? { summary.flatMap { $0.count >= Limits.minimumSampleCount ? $0 : nil } }
}

/// Statistics of several seconds of samples of one sensor.
package struct SampleSummary: Hashable, Sendable {
    package var count: Int
    /// Sampling rate from the timestamps. Unit: Hz.
    package var rate: Double
    /// Standard deviation of the sampling interval, gaps excluded, relative to the median interval.
    package var jitter: Double
    /// Number of sampling intervals longer than twice the median.
    package var gaps: Int
    /// Mean of the samples. Frame: body. Unit: that of the sensor.
    package var mean: Vector3
    /// Mean of the samples' norms; noise makes it larger than the norm of `mean`.
    package var meanNorm: Double
    package var normStandardDeviation: Double
    /// Whether all samples are bitwise identical.
    package var isStuck: Bool

    /// - Parameter nanoseconds: timestamps in the order of arrival, one per value.
    /// - Returns: nil for fewer than three samples or timestamps that do not increase.
    package init?(nanoseconds: [Int64], values: [Vector3]) {
        guard values.count > 2, nanoseconds.count == values.count, let first = nanoseconds.first,
            let last = nanoseconds.last, last > first, case (let span, false) = last.subtractingReportingOverflow(first)
        else { return nil }
        count = values.count
        let intervals = zip(nanoseconds.dropFirst(), nanoseconds).map { Double($0 &- $1) }
        let usual = intervals.sorted()[intervals.count / 2]
        guard usual > 0 else { return nil }
        rate = Double(count - 1) * 1e9 / Double(span)
        let regular = intervals.filter { $0 <= Limits.gapFactor * usual }
        gaps = intervals.count - regular.count
        jitter = Self.standardDeviation(regular) / usual
        let norms = values.map(\.norm)
        mean = values.reduce(Vector3.zero, +) / Double(count)
        meanNorm = norms.reduce(0, +) / Double(count)
        normStandardDeviation = Self.standardDeviation(norms)
        isStuck = values.allSatisfy { $0 == values[0] }
    }

    private static func standardDeviation(_ numbers: [Double]) -> Double {
        guard numbers.count > 1 else { return 0 }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(numbers.count)).squareRoot()
    }
}
