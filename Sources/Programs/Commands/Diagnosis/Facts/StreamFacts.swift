import Geometry

/// Data stream of one sensor.
public struct StreamFacts: Sendable {
    /// Kind of the sensor.
    public var kind: SensorFacts.Kind
    /// Name of its device.
    public var device: String
    /// `streaming`, `polling`, `silent`, `failed` or `searching`, as reported by the daemon.
    public var state: String
    /// Details of the state.
    public var detail: String?
    /// Rate requested from the driver. Unit: Hz.
    public var requestedRate: Double?
    /// Rate reported by the driver. Unit: Hz.
    public var grantedRate: Double?
    /// Refusal of the rate by the driver; nil if there was none.
    public var rateProblem: String?
    /// What the device is sampled by, such as `the hrtimer trigger waymark-accelerometer`; nil if it is not known.
    public var sampling: String?
    /// Why its buffer is not used, although it has one; nil if it is used.
    public var pollingReason: String?
    /// Whether the reason is that its buffer needs a trigger and there is none.
    public var isTriggerMissing = false
    /// Whether a program offers the samples, in place of an IIO device.
    public var isOffered = false
    /// Clock of the timestamps: `boottime`, `monotonic`, `realtime` or `host`.
    public var clock: String?
    /// Origin of the mount matrix: `configuration`, `device`, `udev`, `sibling` or `none`.
    public var mountOrigin: String?
    /// Mount matrix in use, nine elements row by row; nil if it is not known.
    public var mountMatrix: [Double]?
    /// Whether the matrix of the origin is a mirror image, whose opposite is used.
    public var isMountMirrored = false
    /// -1 for a sensor whose readings are turned round by the settings, else 1.
    public var sign = 1
    /// Number of samples lost because the daemon did not keep up.
    public var dropped = 0
    /// Rate from the sample counter of the device. Unit: Hz.
    public var countedRate: Double?
    /// Statistics of the calibrated samples in body axes; nil without samples.
    public var summary: SampleSummary?

    /// A stream without further facts.
    public init(kind: SensorFacts.Kind, device: String, state: String) {
        self.kind = kind
        self.device = device
        self.state = state
    }
}

/// Statistics of several seconds of samples of one sensor.
public struct SampleSummary: Hashable, Sendable {
    /// Number of samples.
    public var count: Int
    /// Sampling rate from the timestamps. Unit: Hz.
    public var rate: Double
    /// Standard deviation of the sampling interval, gaps excluded, relative to the median interval.
    public var jitter: Double
    /// Number of sampling intervals longer than twice the median.
    public var gaps: Int
    /// Mean of the samples. Frame: body. Unit: that of the sensor.
    public var mean: Vector3
    /// Mean of the norms; noise makes it larger than the norm of the mean.
    public var meanNorm: Double
    /// Standard deviation of the norms.
    public var normStandardDeviation: Double
    /// Whether all samples are bitwise identical.
    public var isStuck: Bool

    /// - Parameters:
    ///   - nanoseconds: timestamps in the order of arrival, one per value.
    /// - Returns: nil for fewer than three samples or timestamps that do not increase.
    public init?(nanoseconds: [Int64], values: [Vector3]) {
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
