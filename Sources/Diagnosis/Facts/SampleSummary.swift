import Geometry

/// Some seconds of one sensor in a few numbers.
public struct SampleSummary: Hashable, Sendable {
    /// Samples there were.
    public var count: Int
    /// Samples a second, by their stamps. Unit: Hz.
    public var rate: Double
    /// Standard deviation of the time between two samples, gaps left out, as a share of the usual time.
    public var jitter: Double
    /// Times between two samples of more than twice the usual one.
    public var gaps: Int
    /// Frame: body. Unit: that of the sensor.
    public var mean: Vector3
    /// Of the norms, which noise makes larger than the norm of the mean.
    public var meanNorm: Double
    /// Standard deviation of the norm.
    public var normDeviation: Double
    /// Whether every sample is the same to the bit.
    public var isStuck: Bool

    /// - Parameters:
    ///   - nanoseconds: stamps in the order of arrival, one for each value.
    /// - Returns: nil for fewer than three samples, or stamps that do not go forward.
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
        jitter = Self.deviation(regular) / usual
        let norms = values.map(\.norm)
        mean = values.reduce(Vector3.zero, +) / Double(count)
        meanNorm = norms.reduce(0, +) / Double(count)
        normDeviation = Self.deviation(norms)
        isStuck = values.allSatisfy { $0 == values[0] }
    }

    private static func deviation(_ numbers: [Double]) -> Double {
        guard numbers.count > 1 else { return 0 }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(numbers.count)).squareRoot()
    }
}
