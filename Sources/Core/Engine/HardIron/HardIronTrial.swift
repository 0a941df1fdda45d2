import Estimation
import Geometry
import Glibc
import Model

/// Compares a proposed hard iron with the active calibration, using measurements that were not used to find the
/// proposal.
package struct HardIronTrial: Sendable, Codable {
    package enum Verdict: UInt8, CaseIterable, Hashable, Sendable, Codable {
        case open
        case proven
        case refuted
    }

    /// Proposed hard iron. Frame: body.
    package private(set) var offset: Vector3
    /// Standard deviation of the proposed hard iron, per axis.
    package private(set) var standardDeviation: Vector3
    private var present = HardIronCompetitor(offset: .zero)
    private var proposed: HardIronCompetitor
    /// Squared scale of the distribution of the residuals.
    private var variance: Double

    private var count = 0
    private var gain = 0.0
    /// Number of completed parts since the last part in which the proposal was not better.
    private var parts = 0
    /// Sum of the mean gains of the parts that `parts` counts.
    private var gains = 0.0
    /// Sum of the squared mean gains of the parts that `parts` counts.
    private var squaredGains = 0.0
    private var lastGain = 0.0
    private var losses = 0

    /// Sum of the unit vectors of the field in the body frame.
    private var direction = Vector3.zero
    private var start: Place?
    private var reach = 0.0
    private var last: BootTime?
    package private(set) var verdict = Verdict.open

    /// Position on a step track.
    private struct Place: Codable {
        var walked: Vector3
        var track: UInt32
    }

    package init(offset: Vector3, standardDeviation: Vector3, variance: Double) {
        self.offset = offset
        self.standardDeviation = standardDeviation
        self.variance = variance
        proposed = HardIronCompetitor(offset: offset)
    }

    /// Pause beyond which the gyroscope may have drifted too far. Unit: seconds.
    private static let maximumPause = 5.0

    package mutating func add(_ sample: LevelField, settings: PublicationSettings.HardIron) {
        if let last, sample.time.seconds(since: last) > Self.maximumPause { loseDirection() }
        last = sample.time
        gain +=
            present.add(sample, variance: variance, settings: settings)
            - proposed.add(sample, variance: variance, settings: settings)
        count += 1
        follow(sample)
        let perPart = Int(settings.partSeconds / settings.meanSeconds)
        guard count % perPart == 0 else { return }
        close(part: gain / Double(perPart))
        updateVerdict(settings)
    }

    package mutating func loseDirection() {
        present.loseDirection()
        proposed.loseDirection()
    }

    package func seconds(_ settings: PublicationSettings.HardIron) -> Double { Double(count) * settings.meanSeconds }

    private mutating func follow(_ sample: LevelField) {
        let f = sample.remainder(offset)
        let (cosine, sine) = (sample.turn[0, 0] + sample.turn[1, 1], sample.turn[1, 0] - sample.turn[0, 1])
        let seen = Vector3(cosine * f.x + sine * f.y, cosine * f.y - sine * f.x, 0)
        direction += seen.normalized ?? .zero
        guard let start, start.track == sample.track else {
            return start = Place(walked: sample.walked, track: sample.track)
        }
        reach = max(reach, (sample.walked - start.walked).norm)
    }

    private mutating func close(part mean: Double) {
        gain = 0
        lastGain = mean
        // The proposal must be better in every part; otherwise the count restarts.
        guard mean > 0 else { return (parts, gains, squaredGains) = (0, 0, 0) }
        parts += 1
        gains += mean
        squaredGains += mean * mean
    }

    /// Updates the verdict after a part of the trial. Equation: docs/filter.md (74).
    private mutating func updateVerdict(_ settings: PublicationSettings.HardIron) {
        losses = lastGain > 0 ? 0 : losses + 1
        let isTooLong = verdict == .open && seconds(settings) >= settings.maximumTrialSeconds
        guard losses < Self.maximumLossCount, lastGain > -Self.clearLoss, !isTooLong else { return verdict = .refuted }
        guard verdict == .open, Double(parts) * settings.partSeconds >= settings.trialSeconds, parts > 1 else { return }
        let n = Double(parts)
        let mean = gains / n
        let scatter = max(0, squaredGains / n - mean * mean) / (n - 1)
        let isBetter =
            mean > settings.gainStandardDeviations * scatter.squareRoot()
            && residualAfter <= settings.maximumResidualShare * residualBefore
        let hasTurned = direction.norm <= settings.maximumResultant * Double(count)
        if isBetter, hasTurned, reach >= settings.minimumReach { verdict = .proven }
    }

    /// Number of successive worse parts that refute the proposal. A single worse part may be due to chance.
    private static let maximumLossCount = 2
    /// Mean loss in a single part that refutes the proposal. The likelihood ratio of each mean field is e to the power
    /// of its loss.
    private static let clearLoss = 0.1

    /// RMS residual with the active calibration.
    package var residualBefore: Double { (present.squares / Double(max(1, count))).squareRoot() }
    /// RMS residual with the proposal.
    package var residualAfter: Double { (proposed.squares / Double(max(1, count))).squareRoot() }
}

/// Hard iron on trial. After it is removed, the field should be predictable from its recent past; the quality of this
/// prediction is evaluated.
///
/// Slow means predict the horizontal and upward intensity, and a faster mean predicts the direction in the gyro frame.
/// None of the three depends on the filter's yaw, which the magnetometer has influenced, and the direction was not used
/// to find the proposal.
struct HardIronCompetitor: Sendable, Codable {
    /// Hard iron. Frame: body.
    private(set) var offset: Vector3
    private var horizontal = 0.0
    private var upward = 0.0
    /// East component of the mean horizontal field. Frame: gyro frame.
    private var east = 0.0
    /// North component of the mean horizontal field. Frame: gyro frame.
    private var north = 0.0
    private var count = 0.0
    private var directionCount = 0.0
    /// Sum of the squared innovations so far. Each is bounded to limit the effect of disturbances.
    private(set) var squares = 0.0

    init(offset: Vector3) { self.offset = offset }

    /// Discards the direction, because the gyro frame may have rotated unobserved.
    mutating func loseDirection() {
        (east, north, directionCount) = (0, 0, 0)
    }

    /// Adds the next mean field.
    ///
    /// Equations: docs/filter.md (70) to (73).
    ///
    /// - Parameter variance: squared scale of the distribution of the residuals.
    /// - Returns: the negative log-likelihood under Student's t-distribution, up to a constant.
    mutating func add(_ sample: LevelField, variance: Double, settings: PublicationSettings.HardIron) -> Double {
        let f = sample.remainder(offset)
        let level = f.horizontalNorm
        let length = (east * east + north * north).squareRoot()
        let across = length > 0 ? (f.y * east - f.x * north) / length : 0
        let (r, s) = count > 0 ? (level - horizontal, f.z - upward) : (0, 0)
        let square = (r * r + s * s + across * across) / variance
        // This weight keeps unlikely samples from changing the means.
        let trust = settings.freedom / (settings.freedom + square)
        let slow = trust * max(settings.meanSeconds / settings.intensitySeconds, 1 / (count + 1))
        let quick = trust * max(settings.meanSeconds / settings.directionSeconds, 1 / (directionCount + 1))
        horizontal += (count > 0 ? slow : 1) * (level - horizontal)
        upward += (count > 0 ? slow : 1) * (f.z - upward)
        east += (directionCount > 0 ? quick : 1) * (f.x - east)
        north += (directionCount > 0 ? quick : 1) * (f.y - north)
        count += 1
        directionCount += 1
        squares += min(square * variance, Self.maximumShare * Self.maximumShare * f.squaredNorm) / 3
        return 0.5 * (settings.freedom + 3) * log1p(square / settings.freedom)
    }

    /// Upper limit of a residual, as a fraction of the field strength.
    private static let maximumShare = 0.1
}
