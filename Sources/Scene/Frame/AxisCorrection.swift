import Estimation
import Geodesy
import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// What the axes of a track are off, found from pairs of estimates: the bearing from one to the other by satellites
/// against the bearing by the track.
///
/// With the track's offset a and the geodetic offset b of each pair, both in scene axes, and the weight
/// w = 1/(r₁ + r₂)², by which a pair counts with the square of its distance over its error, the turn about +Y that brings
/// a onto b is in closed form
///
///     θ = atan2(Σ w·(b_x·a_z − b_z·a_x), Σ w·(b_x·a_x + b_z·a_z))
///
/// Pairs that contradict the others count less, after Cauchy; each round weighs them anew.
///
/// Source: Schönemann, "A generalized solution of the orthogonal Procrustes problem", Psychometrika 31(1), 1966; Holland,
/// Welsch, "Robust regression using iteratively reweighted least-squares", Communications in Statistics 6(9), 1977.
public struct AxisCorrection: Sendable {
    /// Nil until enough has been walked, and again when the pairs tell nothing any more.
    public private(set) var reading: AxisReading?
    private var buffer: EstimateBuffer
    private let settings: SceneSettings.Frame
    /// Since the axes were looked at.
    private var fresh = 0
    private var lookedAt: BootTime?

    public init(settings: SceneSettings.Frame) {
        self.settings = settings
        buffer = EstimateBuffer(capacity: settings.estimateCount)
    }

    /// Rounds of weighing anew.
    private static let iterations = 8
    /// Residuals, in standard deviations, at which Cauchy's weight is one half.
    private static let tuning = 1.5
    /// Below so many pairs nothing is read.
    private static let fewestPairs = 3
    /// Errors of a receiver last: estimates so far apart count as news. Unit: seconds.
    private static let memorySeconds = 10.0
    /// A scale of the track beyond this is no walk's: the two do not belong together.
    private static let scales = 0.4...2.5

    /// Takes an estimate; those whose accuracy is not known or too poor are left out.
    public mutating func add(_ estimate: PositionFixEstimate) {
        if let last = buffer.newest, last.generation != estimate.generation { forget() }
        guard let accuracy = estimate.accuracy, accuracy <= settings.worstAccuracyMetres else { return }
        if lookedAt == nil { lookedAt = estimate.epoch }
        buffer.add(estimate)
        fresh += 1
    }

    /// Whether it is time to look at the pairs: as many new estimates as are kept have come, or the time is up.
    public func due(at time: BootTime) -> Bool {
        guard let lookedAt, fresh > 0 else { return false }
        return fresh >= settings.estimateCount || time.seconds(since: lookedAt) >= settings.correctionSeconds
    }

    /// Looks at the pairs of all estimates that are kept.
    ///
    /// - Parameter systematic: standard deviation of what all pairs have in common, radians.
    /// - Returns: what the axes are off; nil where the pairs do not tell.
    @discardableResult
    public mutating func look(at time: BootTime, systematic: Double = 0) -> AxisReading? {
        lookedAt = time
        fresh = 0
        reading = measure(at: time, systematic: systematic)
        return reading
    }

    /// The axes of the track have been turned, and with them all that is kept. Counter-clockwise about up, radians.
    public mutating func follow(turn angle: Double) {
        buffer.turn(by: angle)
        guard var turned = reading else { return }
        turned.angle = Angle.wrapped(turned.angle - angle)
        reading = turned
    }

    public mutating func forget() {
        buffer.removeAll()
        reading = nil
        fresh = 0
        lookedAt = nil
    }

    /// Of the direction from one estimate to another, at the worst. Units: metres, radians.
    public static func worstError(accuracies first: Double, _ second: Double, distance: Double) -> Double {
        let sum = first + second
        return distance > sum ? asin(sum / distance) : .pi / 2
    }

    /// With which a pair's direction counts: the square of its distance over the sum of its errors.
    public static func weight(accuracies first: Double, _ second: Double, distance: Double) -> Double {
        let ratio = distance / (first + second)
        return ratio * ratio
    }
}

// MARK: The pairs

extension AxisCorrection {
    /// One estimate over ground, by both.
    private struct Point {
        var track: Vector2
        var geodetic: Vector2
        var accuracy: Double
    }

    private func measure(at time: BootTime, systematic: Double) -> AxisReading? {
        guard let newest = buffer.newest else { return nil }
        let plane = LocalTangentPlane(origin: newest.position)
        let points = (0..<buffer.count).map { index in
            let estimate = buffer[index]
            let place = plane.pointENU(of: estimate.position)
            return Point(
                track: Vector2(estimate.positionInScene.x, -estimate.positionInScene.z),
                geodetic: Vector2(place), accuracy: estimate.accuracy ?? .infinity)
        }
        let worst = Angle.radians(degrees: settings.worstPairDegrees)
        var fit: PairFit?
        for _ in 0..<Self.iterations {
            var sums = PairSums()
            for i in points.indices {
                for j in (i + 1)..<max(i + 1, points.count) { Self.add(points[i], points[j], worst, fit, to: &sums) }
            }
            guard sums.pairs >= Self.fewestPairs, let found = PairFit(sums) else { return nil }
            fit = found
        }
        guard let fit, Self.scales.contains(fit.scale) else { return nil }
        let span = newest.epoch.seconds(since: buffer[0].epoch)
        let independent = min(Double(points.count), 1 + span / Self.memorySeconds)
        // Each estimate stands in as many pairs as there are others.
        let variance = fit.variance * Double(points.count) / 2 * Double(points.count) / independent
        return AxisReading(
            time: time, angle: fit.angle, deviation: (variance + systematic * systematic).squareRoot(),
            pairs: fit.pairs)
    }

    private static func add(_ first: Point, _ second: Point, _ worst: Double, _ fit: PairFit?, to sums: inout PairSums)
    {
        let a = second.track - first.track
        let b = second.geodetic - first.geodetic
        let distance = b.norm
        guard worstError(accuracies: first.accuracy, second.accuracy, distance: distance) <= worst,
            worstError(accuracies: first.accuracy, second.accuracy, distance: a.norm) <= worst
        else { return }
        let sum = first.accuracy + second.accuracy
        var share = 1.0
        var square = 0.0
        if let fit {
            // Independent radii of 68 % add by their squares; per axis they are smaller by 1.51.
            let radius = PoseAccuracy.radius68
            let variance = (first.accuracy * first.accuracy + second.accuracy * second.accuracy) / (radius * radius)
            let off = b - fit.similarity * a
            square = off.squaredNorm / (2 * variance)
            share = 1 / (1 + square / (tuning * tuning))
        }
        sums.add(a, b, weight: share / (sum * sum), square: share * square)
    }
}

/// What the pairs of an axis correction tell.
public struct AxisReading: Hashable, Sendable {
    public var time: BootTime
    /// By which the track must be turned about up, counter-clockwise. Unit: radians, in [−π, π].
    public var angle: Double
    /// Standard deviation. Unit: radians.
    public var deviation: Double
    /// That were good enough to count.
    public var pairs: Int

    public init(time: BootTime, angle: Double, deviation: Double, pairs: Int) {
        self.time = time
        self.angle = angle
        self.deviation = deviation
        self.pairs = pairs
    }
}
