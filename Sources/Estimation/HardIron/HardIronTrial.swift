import Geometry
import Measurements

/// Trial of a proposed hard iron against the calibration in force, on measurements that were not used in finding it.
package struct HardIronTrial: Sendable {
    /// Verdict of the trial.
    package enum Verdict: Hashable, Sendable {
        case open
        case proven
        case refuted
    }

    /// Proposed hard iron. Frame: body.
    package let offset: Vector3
    /// Standard deviation of the proposal, per axis.
    package let deviation: Vector3
    private var present = HardIronCompetitor(offset: .zero)
    private var proposed: HardIronCompetitor
    /// Squared scale of the distribution of the residuals.
    private let variance: Double

    private var count = 0
    private var gain = 0.0
    /// Number of complete parts since the last one in which the proposal was not better.
    private var parts = 0
    /// Sum of their mean gains.
    private var gains = 0.0
    /// Sum of the squares of their mean gains.
    private var squaredGains = 0.0
    private var lastGain = 0.0
    private var losses = 0

    /// Sum of the unit vectors of the field in the body frame.
    private var direction = Vector3.zero
    private var start: (walked: Vector3, track: UInt32)?
    private var reach = 0.0
    private var last: BootTime?
    package private(set) var verdict = Verdict.open

    package init(offset: Vector3, deviation: Vector3, variance: Double) {
        self.offset = offset
        self.deviation = deviation
        self.variance = variance
        proposed = HardIronCompetitor(offset: offset)
    }

    /// Pause beyond which the drift of the gyroscope is too large. Unit: seconds.
    private static let longestPause = 5.0

    package mutating func add(_ sample: LevelField, settings: EstimatorSettings.HardIron) {
        if let last, sample.time.seconds(since: last) > Self.longestPause { loseDirection() }
        last = sample.time
        gain +=
            present.add(sample, variance: variance, settings: settings)
            - proposed.add(sample, variance: variance, settings: settings)
        count += 1
        follow(sample)
        let perPart = Int(settings.partSeconds / settings.meanSeconds)
        guard count % perPart == 0 else { return }
        close(part: gain / Double(perPart))
        judge(settings)
    }

    package mutating func loseDirection() {
        present.loseDirection()
        proposed.loseDirection()
    }

    package func seconds(_ settings: EstimatorSettings.HardIron) -> Double { Double(count) * settings.meanSeconds }

    private mutating func follow(_ sample: LevelField) {
        let f = sample.remainder(offset)
        let (cosine, sine) = (sample.turn[0, 0] + sample.turn[1, 1], sample.turn[1, 0] - sample.turn[0, 1])
        let seen = Vector3(cosine * f.x + sine * f.y, cosine * f.y - sine * f.x, 0)
        direction += seen.normalized ?? .zero
        guard let start, start.track == sample.track else { return start = (sample.walked, sample.track) }
        reach = max(reach, (sample.walked - start.walked).norm)
    }

    private mutating func close(part mean: Double) {
        gain = 0
        lastGain = mean
        // The proposal must be better throughout, or begin again.
        guard mean > 0 else { return (parts, gains, squaredGains) = (0, 0, 0) }
        parts += 1
        gains += mean
        squaredGains += mean * mean
    }

    /// Equation: docs/filter.md (74).
    private mutating func judge(_ settings: EstimatorSettings.HardIron) {
        losses = lastGain > 0 ? 0 : losses + 1
        let isTooLong = verdict == .open && seconds(settings) >= settings.longestTrialSeconds
        guard losses < Self.mostLosses, lastGain > -Self.clearLoss, !isTooLong else { return verdict = .refuted }
        guard verdict == .open, Double(parts) * settings.partSeconds >= settings.trialSeconds, parts > 1 else { return }
        let n = Double(parts)
        let mean = gains / n
        let scatter = max(0, squaredGains / n - mean * mean) / (n - 1)
        let isBetter =
            mean > settings.gainDeviations * scatter.squareRoot()
            && residualAfter <= settings.largestResidualShare * residualBefore
        let hasTurned = direction.norm <= settings.largestResultant * Double(count)
        if isBetter, hasTurned, reach >= settings.leastReach { verdict = .proven }
    }

    /// Number of successive worse parts that refute the proposal: one is chance.
    private static let mostLosses = 2
    /// Mean loss of a part that no good proposal has; e to this power is the likelihood ratio of each mean.
    private static let clearLoss = 0.1

    /// Root mean square residual with the calibration in force.
    package var residualBefore: Double { (present.squares / Double(max(1, count))).squareRoot() }
    /// Root mean square residual with the proposal.
    package var residualAfter: Double { (proposed.squares / Double(max(1, count))).squareRoot() }
}
