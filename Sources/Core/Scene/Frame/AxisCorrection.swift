import Geometry
import Glibc
import Model

/// Yaw error of a track, estimated from pairs of position estimates. It compares the bearing from one GNSS fix to
/// another with the bearing between the corresponding points of the track.
///
/// Each pair has the track's offset a and the geodetic offset b, both in scene axes. Its weight is w = 1/(r₁ + r₂)²,
/// with the accuracies r₁ and r₂ of the two estimates. A pair therefore counts with the square of the ratio of its
/// distance to its error. The rotation about +Y that brings a onto b has the closed form
///
///     θ = atan2(Σ w·(b_x·a_z − b_z·a_x), Σ w·(b_x·a_x + b_z·a_z))
///
/// Outlying pairs are down-weighted with the Cauchy weight function by iteratively reweighted least squares.
///
/// Source: Schönemann, "A generalized solution of the orthogonal Procrustes problem", Psychometrika 31(1), 1966;
/// Holland, Welsch, "Robust regression using iteratively reweighted least-squares", Communications in Statistics 6(9),
/// 1977.
public struct AxisCorrection: Sendable {
    /// Result of the last evaluation; nil until the wearer has walked far enough, and when the pairs no longer
    /// determine the yaw.
    public private(set) var reading: AxisReading?
    private var buffer: EstimateBuffer
    private let settings: SceneSettings.Frame
    /// Number of estimates added since the last evaluation.
    private var newEstimates = 0
    private var lastEvaluation: BootTime?

    package init(settings: SceneSettings.Frame) {
        self.settings = settings
        buffer = EstimateBuffer(capacity: settings.estimateCount)
    }

    /// Number of reweighting iterations.
    private static let iterations = 8
    /// Residual, in standard deviations, at which the Cauchy weight is one half.
    private static let tuning = 1.5
    /// Least number of pairs for a result.
    private static let minimumPairCount = 3
    /// Correlation time of a receiver's errors. Estimates separated by this time count as independent. Unit: seconds.
    private static let memorySeconds = 10.0
    /// Plausible ratios of geodetic to track distance. With any other ratio, the fixes and the track do not belong
    /// together.
    private static let scales = 0.4...2.5

    /// Adds an estimate. Ignores it if its accuracy is unknown or too poor.
    public mutating func add(_ estimate: PositionFixEstimate) {
        if let last = buffer.newest, last.generation != estimate.generation { forget() }
        guard let accuracy = estimate.accuracy, accuracy <= settings.worstAccuracyMetres else { return }
        if lastEvaluation == nil { lastEvaluation = estimate.epoch }
        buffer.add(estimate)
        newEstimates += 1
    }

    /// Whether an evaluation is due: `estimateCount` new estimates have arrived, or the interval has elapsed.
    public func isDue(at time: BootTime) -> Bool {
        guard let lastEvaluation, newEstimates > 0 else { return false }
        return newEstimates >= settings.estimateCount
            || time.seconds(since: lastEvaluation) >= settings.correctionSeconds
    }

    /// Evaluates all pairs of the stored estimates.
    ///
    /// - Parameter systematic: standard deviation of the error that all pairs share, in radians.
    /// - Returns: the yaw error of the axes; nil if the pairs do not determine it.
    @discardableResult
    public mutating func evaluate(at time: BootTime, systematic: Double = 0) -> AxisReading? {
        lastEvaluation = time
        newEstimates = 0
        reading = measure(systematic: systematic)
        return reading
    }

    /// Rotates the stored estimates and the result together with the axes of the track, counter-clockwise about up, by
    /// an angle in radians.
    public mutating func rotate(by angle: Double) {
        buffer.turn(by: angle)
        guard var turned = reading else { return }
        turned.angle = Angle.wrapped(turned.angle - angle)
        reading = turned
    }

    package mutating func forget() {
        buffer.removeAll()
        reading = nil
        newEstimates = 0
        lastEvaluation = nil
    }

    /// Returns the worst-case error of the direction from one estimate to another, given their accuracies and distance.
    /// Units: metres, radians.
    public static func worstError(accuracies first: Double, _ second: Double, distance: Double) -> Double {
        let sum = first + second
        return distance > sum ? asin(sum / distance) : .pi / 2
    }
}

// MARK: The pairs

extension AxisCorrection {
    /// Horizontal position of one estimate according to the track and to GNSS.
    private struct Point {
        var track: Vector2
        var geodetic: Vector2
        var accuracy: Double
    }

    private func measure(systematic: Double) -> AxisReading? {
        guard let newest = buffer.newest else { return nil }
        let plane = LocalTangentPlane(origin: newest.position)
        let points = (0..<buffer.count).map { index in
            let estimate = buffer[index]
            let place = plane.pointENU(of: estimate.position)
            return Point(
                track: Vector2(estimate.positionInScene.x, -estimate.positionInScene.z),
                geodetic: Vector2(place), accuracy: estimate.accuracy ?? .infinity)
        }
        let pairs = usablePairs(of: points)
        var fit: PairFit?
        for _ in 0..<Self.iterations {
            var sums = PairSums()
            for pair in pairs { Self.add(points[Int(pair.first)], points[Int(pair.second)], fit, to: &sums) }
            guard sums.pairs >= Self.minimumPairCount, let found = PairFit(sums) else { return nil }
            fit = found
        }
        guard let fit, Self.scales.contains(fit.scale) else { return nil }
        let span = newest.epoch.seconds(since: buffer[0].epoch)
        let independent = min(Double(points.count), 1 + span / Self.memorySeconds)
        // `fit.variance` assumes that all pairs are independent. The n estimates form about n²/2 pairs, because each is
        // paired with every other one, but they count only as `independent` independent measurements.
        let variance = fit.variance * Double(points.count) / 2 * Double(points.count) / independent
        return AxisReading(
            time: newest.epoch, angle: fit.angle, standardDeviation: (variance + systematic * systematic).squareRoot(),
            pairs: fit.pairs)
    }

    /// Returns the pairs of points whose direction is known well enough, by index. They are the same in each iteration.
    private func usablePairs(of points: [Point]) -> [(first: Int32, second: Int32)] {
        let worst = Angle.radians(degrees: settings.worstPairDegrees)
        var pairs: [(first: Int32, second: Int32)] = []
        for i in points.indices {
            for j in (i + 1)..<max(i + 1, points.count) where Self.isUsable(points[i], points[j], worst) {
                pairs.append((Int32(i), Int32(j)))
            }
        }
        return pairs
    }

    private static func isUsable(_ first: Point, _ second: Point, _ worst: Double) -> Bool {
        func error(_ distance: Double) -> Double {
            worstError(accuracies: first.accuracy, second.accuracy, distance: distance)
        }
        return error((second.geodetic - first.geodetic).norm) <= worst
            && error((second.track - first.track).norm) <= worst
    }

    private static func add(_ first: Point, _ second: Point, _ fit: PairFit?, to sums: inout PairSums) {
        let a = second.track - first.track
        let b = second.geodetic - first.geodetic
        let sum = first.accuracy + second.accuracy
        var share = 1.0
        var square = 0.0
        if let fit {
            // Independent 68 % radii add in quadrature; the standard deviation along each axis is smaller by the factor
            // 1.51.
            let radius = PoseAccuracy.radius68
            let variance = (first.accuracy * first.accuracy + second.accuracy * second.accuracy) / (radius * radius)
            let off = b - fit.similarity * a
            square = off.squaredNorm / (2 * variance)
            share = 1 / (1 + square / (tuning * tuning))
        }
        sums.add(a, b, weight: share / (sum * sum), square: share * square)
    }
}

/// Yaw error of a track's axes with its standard deviation.
public struct AxisReading: Hashable, Sendable {
    /// Epoch of the newest estimate.
    package var time: BootTime
    /// Angle by which the track must be rotated about up, counter-clockwise, radians in [−π, π].
    public var angle: Double
    /// Standard deviation of the angle. Unit: radians.
    public var standardDeviation: Double
    /// Number of pairs that are accurate enough to be used.
    public var pairs: Int
}

/// Weighted sums over pairs of horizontal offsets, a from the track and b from GNSS. Frame: east, north. Unit: metres.
struct PairSums {
    private(set) var pairs = 0
    private(set) var turn = PlanarAlignment()
    /// Weighted sum of the squared normalised residuals.
    private(set) var scatter = 0.0

    mutating func add(_ a: Vector2, _ b: Vector2, weight w: Double, square: Double) {
        pairs += 1
        turn.add(a, b, weight: w)
        scatter += square
    }
}

/// Least-squares rotation and scale from one set of offsets to another.
struct PairFit {
    let angle: Double
    let scale: Double
    let pairs: Int
    /// Variance of the angle under the assumption that all pairs are independent. Unit: rad².
    let variance: Double
    /// Rotation and scale from the track to GNSS.
    let similarity: PlanarSimilarity

    /// Makes the fit to the sums; nil if the two sets of offsets have no rotation in common.
    init?(_ sums: PairSums) {
        guard sums.turn.likeness > 0.3 else { return nil }
        angle = sums.turn.angle
        scale = sums.turn.scale
        pairs = sums.pairs
        // For two equal accuracies, (r₁ + r₂)² is 4·1.51²/2 times the variance of the difference.
        let noise = 1 / (2 * PoseAccuracy.radius68 * PoseAccuracy.radius68)
        let excess = max(1, sums.scatter / Double(max(1, sums.pairs)))
        variance = noise * excess / sums.turn.squareOfB
        similarity = PlanarSimilarity(angle: angle, scale: scale)
    }
}
