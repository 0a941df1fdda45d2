import Geometry
import Model

/// Detects rest from the inertial sensors alone. A vehicle at constant speed, or a steady rotation, looks like rest.
/// The zero-velocity update therefore decides how to use the verdict.
package struct RestDetector: Sendable, Codable {
    /// Slow mean of the angular rate. Frame: body. Unit: rad/s.
    package private(set) var meanRate = Vector3.zero
    /// Slow mean of the specific force. Frame: body. Unit: m/s².
    package private(set) var meanForce = Vector3.zero
    /// Slow mean of the squared deviation of the angular rate. Unit: rad²/s².
    private var rateVariance = 0.0
    /// Slow mean of the squared deviation of the specific force. Unit: m²/s⁴.
    private var forceVariance = 0.0
    private var last: BootTime?
    /// Time since which the body has been still; nil while it moves.
    private var since: BootTime?
    /// Time since which the mean rate has hardly changed.
    private var evenSince: BootTime?
    /// Mean rate at `evenSince`. Unit: rad/s.
    private var evenRate = Vector3.zero
    /// Whether the body has been still for the required time.
    package private(set) var isResting = false
    package private(set) var vibration = VibrationMeter()

    package init() {}

    mutating func begin(with sample: InertialSample) {
        meanRate = sample.rate
        meanForce = sample.force
        last = sample.time
    }

    /// Converts the means after the correction of the samples has changed.
    mutating func follow(_ change: CorrectionChange) {
        guard let last else { return }
        let means = change.applied(to: InertialSample(time: last, rate: meanRate, force: meanForce))
        let even = change.applied(to: InertialSample(time: last, rate: evenRate, force: meanForce))
        (meanRate, meanForce, evenRate) = (means.rate, means.force, even.rate)
        vibration.follow(change)
    }

    /// Time for which the body has been still with a constant mean angular rate. A wearer never rotates at a constant
    /// rate for long. Unit: seconds.
    package var steadyRateSeconds: Double {
        guard isResting, let evenSince, let last else { return 0 }
        return last.seconds(since: evenSince)
    }

    package mutating func add(_ sample: InertialSample, settings: EstimatorSettings.Rest) {
        guard let last else { return begin(with: sample) }
        let interval = sample.time.seconds(since: last)
        guard interval > 0 else { return }
        self.last = sample.time
        vibration.add(sample)
        let share = min(1, interval / settings.meanSeconds)
        meanRate += (sample.rate - meanRate) * share
        meanForce += (sample.force - meanForce) * share
        rateVariance += ((sample.rate - meanRate).squaredNorm - rateVariance) * share
        forceVariance += ((sample.force - meanForce).squaredNorm - forceVariance) * share
        guard isStill(interval, settings) else {
            since = nil
            evenSince = nil
            isResting = false
            return
        }
        if evenSince == nil || (meanRate - evenRate).norm > settings.evenRate {
            evenSince = sample.time
            evenRate = meanRate
        }
        isResting = since.lasting(at: sample.time) >= settings.settleSeconds
    }

    /// Whether the body is still, which means that no variance exceeds the sensor noise measured in the quietest
    /// period.
    @inline(__always)
    private func isStill(_ interval: Double, _ settings: EstimatorSettings.Rest) -> Bool {
        let rateNoise = 3 * vibration.quietRateDensity / interval
        let forceNoise = 3 * vibration.quietForceDensity / interval
        return rateVariance - rateNoise < settings.rateStandardDeviation * settings.rateStandardDeviation
            && forceVariance - forceNoise < settings.forceStandardDeviation * settings.forceStandardDeviation
            && meanRate.norm < settings.maximumMeanRate
    }
}

/// Measures the white noise of the inertial sensors: their own noise, and vibration above their bandwidth.
///
/// A body moves smoothly from sample to sample, so second differences contain only the noise. The variance of second
/// differences of white noise is six times the variance of the noise.
package struct VibrationMeter: Sendable, Codable {
    /// Squared noise density of the angular rate, per axis. Unit: rad²/s.
    package private(set) var rateDensity = 0.0
    /// Squared noise density of the specific force, per axis. Unit: m²/s³.
    package private(set) var forceDensity = 0.0
    /// Smallest density of the angular rate so far. It is the sensor's own noise once the sensor has been held still.
    /// Unit: rad²/s.
    package private(set) var quietRateDensity = 0.0
    /// Smallest density of the specific force so far. Unit: m²/s³.
    package private(set) var quietForceDensity = 0.0
    private var before: InertialSample?
    private var beforeThat: InertialSample?
    /// Total duration of the samples processed so far. Unit: seconds.
    private var seen = 0.0

    package init() {}

    /// Time constant of the means. Unit: seconds.
    private static let memorySeconds = 1.0
    /// Longest interval between two samples for which their difference is used. Unit: seconds.
    private static let maximumInterval = 0.1
    /// Upper limit of the noise density of a gyroscope; anything above is motion. Unit: rad²/s (0.06 °/s/√Hz).
    private static let maximumQuietRateDensity = 1e-6
    /// Upper limit of the noise density of an accelerometer. Unit: m²/s³ (1 mg/√Hz).
    private static let maximumQuietForceDensity = 1e-4
    /// Variance of second differences, summed over three axes: 1 + 4 + 1 for each.
    private static let varianceOfDifferences = 18.0

    package mutating func add(_ sample: InertialSample) {
        defer {
            beforeThat = before
            before = sample
        }
        guard let before, let beforeThat else { return }
        let interval = sample.time.seconds(since: before.time)
        let intervalBefore = before.time.seconds(since: beforeThat.time)
        guard interval > 0, interval <= Self.maximumInterval, intervalBefore <= Self.maximumInterval else { return }
        let rate = sample.rate - before.rate * 2 + beforeThat.rate
        let force = sample.force - before.force * 2 + beforeThat.force
        seen += interval
        // At first the mean weights all samples equally.
        let share = max(interval / (Self.memorySeconds + interval), interval / seen)
        rateDensity += (rate.squaredNorm * interval / Self.varianceOfDifferences - rateDensity) * share
        forceDensity += (force.squaredNorm * interval / Self.varianceOfDifferences - forceDensity) * share
        if seen >= Self.memorySeconds { noteQuiet() }
    }

    /// Converts the last samples after their correction has changed.
    mutating func follow(_ change: CorrectionChange) {
        before = before.map(change.applied(to:))
        beforeThat = beforeThat.map(change.applied(to:))
    }

    private mutating func noteQuiet() {
        let isFirst = quietRateDensity == 0
        let rate = min(rateDensity, Self.maximumQuietRateDensity)
        let force = min(forceDensity, Self.maximumQuietForceDensity)
        quietRateDensity = isFirst ? rate : min(quietRateDensity, rate)
        quietForceDensity = isFirst ? force : min(quietForceDensity, force)
    }
}
