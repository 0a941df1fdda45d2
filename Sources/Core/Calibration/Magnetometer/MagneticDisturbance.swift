import Geometry

/// Periods in which another field is added to the earth's field.
struct MagneticDisturbance {
    /// One disturbed period.
    struct Stretch: Hashable {
        var samples: Range<Int>
        var start: Double
        var end: Double
        /// Largest deviation of the field's strength or elevation, as a part of the field.
        var standardDeviation: Double
    }

    private(set) var stretches: [Stretch] = []
    private(set) var isDisturbed: [Bool]
    /// Time from the first sample to the last. Unit: seconds.
    private let duration: Double

    /// - Parameter residuals: series of residuals over all samples, as fractions of the field; nil where a residual is
    ///   unknown.
    init(times: [Double], residuals: [[Double?]]) {
        isDisturbed = [Bool](repeating: false, count: times.count)
        duration = (times.last ?? 0) - (times.first ?? 0)
        var standardDeviations = [Double](repeating: 0, count: times.count)
        for series in residuals { Self.mark(times, series, &isDisturbed, &standardDeviations) }
        var index = 0
        while index < times.count {
            guard isDisturbed[index] else {
                index += 1
                continue
            }
            var end = index + 1
            while end < times.count, isDisturbed[end] { end += 1 }
            let standardDeviation = standardDeviations[index..<end].max { $0.magnitude < $1.magnitude } ?? 0
            stretches.append(
                Stretch(
                    samples: index..<end, start: times[index], end: times[end - 1], standardDeviation: standardDeviation
                ))
            index = end
        }
    }

    var seconds: Double { stretches.reduce(0) { $0 + $1.end - $1.start } }

    /// Whether the disturbances may be left out without a refusal.
    var isShort: Bool {
        seconds <= max(MagnetometerLimits.shortDisturbance, MagnetometerLimits.shortDisturbanceShare * duration)
    }

    var worst: Stretch? { stretches.max { $0.standardDeviation.magnitude < $1.standardDeviation.magnitude } }

    /// Marks samples at which the mean residual over half a second exceeds the scatter of these means.
    private static func mark(
        _ times: [Double], _ series: [Double?], _ isDisturbed: inout [Bool], _ standardDeviations: inout [Double]
    ) {
        let half = MagnetometerLimits.disturbanceWindow / 2
        var means = [Double](repeating: 0, count: times.count)
        var (first, last, sum, count) = (0, 0, 0.0, 0.0)
        for index in times.indices {
            while last < times.count, times[last] <= times[index] + half {
                if let value = series[last] {
                    sum += value
                    count += 1
                }
                last += 1
            }
            while times[first] < times[index] - half {
                if let value = series[first] {
                    sum -= value
                    count -= 1
                }
                first += 1
            }
            means[index] = count > 0 ? sum / count : 0
        }
        let usual = 1.4826 * median(means.map(\.magnitude))
        let limit = max(MagnetometerLimits.disturbance * usual, MagnetometerLimits.minimumDisturbance)
        for index in times.indices where means[index].magnitude > limit {
            isDisturbed[index] = true
            if means[index].magnitude > standardDeviations[index].magnitude { standardDeviations[index] = means[index] }
        }
    }
}
