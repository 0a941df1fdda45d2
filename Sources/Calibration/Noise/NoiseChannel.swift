import Geometry
import Model

/// The samples of one sensor on their way into its Allan variance.
struct NoiseChannel: Sendable {
    private(set) var estimator = AllanEstimator()
    private(set) var samples = 0
    private var clock: SlotClock?
    /// Until the clock knows how far apart samples are.
    private var early: [(time: BootTime, value: Vector3)] = []

    /// Takes a sample that is finite.
    mutating func take(_ time: BootTime, _ value: Vector3) {
        samples += 1
        guard clock != nil else {
            early.append((time, value))
            if early.count >= NoiseLimits.firstStamps { start() }
            return
        }
        step(time, value)
    }

    /// What comes now cannot be compared with what was before.
    mutating func interrupt() {
        start()
        estimator.interrupt()
    }

    /// With what there is, also of a short record.
    mutating func start() {
        guard clock == nil, let clock = SlotClock(early.map(\.time)) else { return }
        self.clock = clock
        let exact = (NoiseLimits.exactCluster / clock.seconds).rounded()
        estimator = AllanEstimator(exact: exact <= Double(NoiseLimits.mostExact) ? Int(exact) : nil)
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

    /// How long a sample lasts; nil where there are too few. Unit: seconds.
    var interval: Double? { clock.map(\.seconds).flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }

    /// Measured, gaps taken out. Unit: seconds.
    var duration: Double { Double(samples) * (interval ?? 0) }

    /// Points of which there are enough windows.
    var points: [AllanEstimator.Point] {
        estimator.points.filter { Double($0.cluster) <= NoiseLimits.longestShare * Double(samples) }
    }

    /// The curve of each axis, and the processes that it is the sum of.
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
    /// Of each point, by the slope of the curve around it: over three octaves, so that chance does not make it.
    static func freedoms(_ points: [AllanEstimator.Point], _ variances: [Double]) -> [Double] {
        func slope(_ first: Int, _ last: Int) -> Double {
            let run = (Double(points[last].cluster) / Double(points[first].cluster)).logarithm
            return run > 0 ? (variances[last] / variances[first]).logarithm / run : -1
        }
        return points.indices.map { index in
            let around = slope(max(0, index - 6), min(points.count - 1, index + 6))
            // Quantisation shows from the shortest cluster on or not at all.
            let least = index < 3 || slope(0, index) < -1.5 ? -2.0 : -1
            let cluster = Double(points[index].cluster)
            return freedom(sums: points[index].windows + 2 * cluster, cluster: cluster, slope: max(least, around))
        }
    }
}
