import Geometry

/// Periods in which another field disturbs the earth's field.
struct MagneticDisturbance {
    struct Stretch: Hashable {
        var start: Double
        var end: Double
        /// Largest deviation of the field's strength, as a fraction of the field strength.
        var standardDeviation: Double
    }

    private(set) var stretches: [Stretch] = []
    private let isDisturbed: [Bool]
    /// Time from the first sample to the last. Unit: seconds.
    private let duration: Double

    /// Finds the samples around which the mean residual over half a second exceeds the scatter of such means.
    ///
    /// - Parameter corrected: corrects a field to a strength of about 1.
    init(_ points: [MagneticPoint], corrected: (Vector3) -> Vector3) {
        let times = points.map(\.time)
        let means = Self.means(points.map { corrected($0.field).norm - 1 }, times)
        let usual = 1.4826 * median(means.map(\.magnitude))
        let limit = max(MagnetometerLimits.disturbance * usual, MagnetometerLimits.minimumDisturbance)
        isDisturbed = means.map { $0.magnitude > limit }
        duration = (times.last ?? 0) - (times.first ?? 0)
        var index = 0
        while let start = isDisturbed[index...].firstIndex(of: true) {
            index = isDisturbed[start...].firstIndex(of: false) ?? times.count
            let worst = means[start..<index].max { $0.magnitude < $1.magnitude } ?? 0
            stretches.append(Stretch(start: times[start], end: times[index - 1], standardDeviation: worst))
        }
    }

    var seconds: Double { stretches.reduce(0) { $0 + $1.end - $1.start } }

    /// Whether the disturbances may be left out without a refusal.
    var isShort: Bool {
        seconds <= max(MagnetometerLimits.shortDisturbance, MagnetometerLimits.shortDisturbanceShare * duration)
    }

    var worst: Stretch? { stretches.max { $0.standardDeviation.magnitude < $1.standardDeviation.magnitude } }

    /// Undisturbed points, or all points if most are disturbed.
    func keeping(_ points: [MagneticPoint]) -> [MagneticPoint] {
        let kept = points.indices.filter { !isDisturbed[$0] }
        return kept.count * 2 > points.count ? kept.map { points[$0] } : points
    }

    /// Means of the residuals over half a second around each time.
    private static func means(_ residuals: [Double], _ times: [Double]) -> [Double] {
        let half = MagnetometerLimits.disturbanceWindow / 2
        var (first, next, sum) = (0, 0, 0.0)
        return times.map { time in
            while next < times.count, times[next] <= time + half {
                sum += residuals[next]
                next += 1
            }
            while times[first] < time - half {
                sum -= residuals[first]
                first += 1
            }
            return sum / Double(next - first)
        }
    }
}
