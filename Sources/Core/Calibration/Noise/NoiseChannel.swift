import Geometry
import Model

/// Allan variance of one sensor, estimated from its time-stamped samples.
struct NoiseChannel: Sendable {
    private(set) var estimator = AllanEstimator()
    private(set) var samples = 0
    private var clock: SlotClock?
    /// Samples that are held until the sampling interval is known.
    private var early: [(time: BootTime, value: Vector3)] = []

    /// Adds a finite sample.
    mutating func take(_ time: BootTime, _ value: Vector3) {
        samples += 1
        guard clock != nil else {
            early.append((time, value))
            if early.count >= NoiseLimits.firstStamps { start() }
            return
        }
        step(time, value)
    }

    /// Starts a new segment, so that no window spans the interruption.
    mutating func interrupt() {
        start()
        estimator.interrupt()
    }

    /// Determines the sampling interval from the samples so far, so that even a short record has one.
    mutating func start() {
        guard clock == nil, let clock = SlotClock(early.map(\.time)) else { return }
        self.clock = clock
        let exact = (NoiseLimits.exactCluster / clock.seconds).rounded()
        estimator = AllanEstimator(exact: exact <= Double(NoiseLimits.maximumExactCount) ? Int(exact) : nil)
        for sample in early { step(sample.time, sample.value) }
        early = []
    }

    private mutating func step(_ time: BootTime, _ value: Vector3) {
        switch clock?.step(to: time) {
        case .take(let missing):
            if missing > 0 { estimator.skip(missing) }
            estimator.add(value)
        case .restart:
            estimator.interrupt()
            estimator.add(value)
        case .leave, nil: break
        }
    }

    /// Mean sampling interval; nil if there are too few samples. Unit: seconds.
    var interval: Double? { clock.map(\.seconds).flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }

    /// Duration of the samples, without gaps. Unit: seconds.
    var duration: Double { Double(samples) * (interval ?? 0) }

    /// Points with enough windows.
    var points: [AllanEstimator.Point] {
        estimator.points.filter { Double($0.cluster) <= NoiseLimits.maximumShare * Double(samples) }
    }

    /// Allan deviation and fitted noise coefficients of each axis.
    func axes() -> [AxisNoise] {
        guard let interval else { return [] }
        let points = points
        return [\Vector3.x, \.y, \.z].map { axis in Self.axis(axis, points, interval, duration) }
    }

    private static func axis(
        _ axis: KeyPath<Vector3, Double>, _ points: [AllanEstimator.Point], _ interval: Double, _ duration: Double
    ) -> AxisNoise {
        let points = points.filter { $0.variance[keyPath: axis] > 0 && $0.variance[keyPath: axis].isFinite }
        let variances = points.map { $0.variance[keyPath: axis] }
        let clusters = points.map(\.cluster)
        let freedoms = AllanConfidence.freedoms(points, variances)
        let curve = points.indices.map { index in
            AllanPoint(
                tau: Double(clusters[index]) * interval, deviation: variances[index].squareRoot(),
                uncertainty: AllanConfidence.uncertainty(freedom: freedoms[index]))
        }
        var noise = AxisNoise(curve: curve)
        guard
            let fit = NoiseFit(
                clusters: clusters, variances: variances, freedoms: freedoms, interval: interval, duration: duration)
        else { return noise }
        noise.take(fit)
        return noise
    }
}

extension AllanConfidence {
    /// Equivalent degrees of freedom of each point, from the slope of the curve over the three octaves around it.
    static func freedoms(_ points: [AllanEstimator.Point], _ variances: [Double]) -> [Double] {
        func slope(_ first: Int, _ last: Int) -> Double {
            let run = (Double(points[last].cluster) / Double(points[first].cluster)).logarithm
            return run > 0 ? (variances[last] / variances[first]).logarithm / run : -1
        }
        return points.indices.map { index in
            let around = slope(max(0, index - 6), min(points.count - 1, index + 6))
            // Quantisation noise dominates at the shortest clusters if it dominates at all. A slope below −1 is
            // therefore accepted only there.
            let minimum = index < 3 || slope(0, index) < -1.5 ? -2.0 : -1
            let cluster = Double(points[index].cluster)
            return freedom(sums: points[index].windows + 2 * cluster, cluster: cluster, slope: max(minimum, around))
        }
    }
}

/// Uncertainty of an overlapping Allan variance, from its equivalent degrees of freedom.
///
/// Source: Riley, Howe, NIST SP 1065, section 5.4.1, table 5, after Howe, Allan, Barnes, 1981. N is the number of
/// cumulative sums, and m the number of samples in a cluster.
enum AllanConfidence {
    /// Equivalent degrees of freedom if the variance depends on the cluster time as `τ^slope`.
    static func freedom(sums n: Double, cluster m: Double, slope: Double) -> Double {
        guard n > 2 * m, n > 3 else { return 1 }
        let freedom: Double
        switch slope {
        case ..<(-1.5):
            // Quantisation noise: white phase noise.
            freedom = (n + 1) * (n - 2 * m) / (2 * (n - m))
        case ..<(-0.5):
            // Angle random walk: white frequency noise.
            freedom = (3 * (n - 1) / (2 * m) - 2 * (n - 2) / n) * 4 * m * m / (4 * m * m + 5)
        case ..<0.5:
            // Bias instability: flicker frequency noise.
            freedom = m < 2 ? 2 * (n - 2) * (n - 2) / (2.3 * n - 4.9) : 5 * n * n / (4 * m * (n + 3 * m))
        default:
            // Rate random walk: random-walk frequency noise.
            freedom = (n - 2) / m * ((n - 1) * (n - 1) - 3 * m * (n - 1) + 4 * m * m) / ((n - 3) * (n - 3))
        }
        return max(1, freedom)
    }

    /// Relative standard deviation of an Allan deviation.
    static func uncertainty(freedom: Double) -> Double { (1 / (2 * freedom)).squareRoot() }
}
