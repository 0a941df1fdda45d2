import Geometry

/// Stretches of time in which the field was not the earth's alone.
struct MagneticDisturbance {
    struct Stretch: Hashable {
        var samples: Range<Int>
        var start: Double
        var end: Double
        /// Of the strength or the elevation from the rest, as a part of the field.
        var deviation: Double
    }

    private(set) var stretches: [Stretch] = []
    private(set) var isDisturbed: [Bool]

    /// - Parameter residuals: of strength, and others in parts of the field with nil where they are not known; each over
    ///   all samples.
    init(times: [Double], residuals: [[Double?]]) {
        isDisturbed = [Bool](repeating: false, count: times.count)
        var deviations = [Double](repeating: 0, count: times.count)
        for series in residuals { Self.mark(times, series, &isDisturbed, &deviations) }
        var index = 0
        while index < times.count {
            guard isDisturbed[index] else {
                index += 1
                continue
            }
            var end = index + 1
            while end < times.count, isDisturbed[end] { end += 1 }
            let deviation = deviations[index..<end].max { $0.magnitude < $1.magnitude } ?? 0
            stretches.append(
                Stretch(samples: index..<end, start: times[index], end: times[end - 1], deviation: deviation))
            index = end
        }
    }

    var seconds: Double { stretches.reduce(0) { $0 + $1.end - $1.start } }

    var worst: Stretch? { stretches.max { $0.deviation.magnitude < $1.deviation.magnitude } }

    /// Means over half a second, against how those means scatter over all.
    private static func mark(
        _ times: [Double], _ series: [Double?], _ isDisturbed: inout [Bool], _ deviations: inout [Double]
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
        let limit = max(MagnetometerLimits.disturbance * usual, MagnetometerLimits.leastDisturbance)
        for index in times.indices where means[index].magnitude > limit {
            isDisturbed[index] = true
            if means[index].magnitude > deviations[index].magnitude { deviations[index] = means[index] }
        }
    }
}
