import Geometry

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
