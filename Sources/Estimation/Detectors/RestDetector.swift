import Geometry
import Measurements

/// Detector of rest by the inertial sensors alone. A vehicle at constant speed looks the same, and so does an even
/// rotation: the zero-velocity update decides what to do with the verdict.
package struct RestDetector: Sendable {
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
    /// Mean rate at that time. Unit: rad/s.
    private var evenRate = Vector3.zero
    /// Whether the body has been still for long enough.
    package private(set) var isResting = false
    /// Meter of the sensors' white noise.
    package private(set) var vibration = VibrationMeter()

    package init() {}

    mutating func begin(with sample: InertialSample) {
        meanRate = sample.rate
        meanForce = sample.force
        rateVariance = 0
        forceVariance = 0
        last = sample.time
        since = nil
        evenSince = nil
        isResting = false
    }

    /// Corrects the means as the samples are corrected from now on.
    mutating func follow(_ change: CorrectionChange) {
        guard let last else { return }
        let means = change.applied(to: InertialSample(time: last, rate: meanRate, force: meanForce))
        let even = change.applied(to: InertialSample(time: last, rate: evenRate, force: meanForce))
        (meanRate, meanForce, evenRate) = (means.rate, means.force, even.rate)
        vibration.follow(change)
    }

    /// Time for which the body has been still at a constant mean rate, longer than any rotation of a wearer is
    /// constant. Unit: seconds.
    package var steadyRateSeconds: Double {
        guard isResting, let evenSince, let last else { return 0 }
        return last.seconds(since: evenSince)
    }

    /// Adds a sample.
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
        let start = since ?? sample.time
        since = start
        isResting = sample.time.seconds(since: start) >= settings.settleSeconds
    }

    /// Whether the body is still: no variance beyond the noise of the sensors, as measured in the quietest moment.
    @inline(__always)
    private func isStill(_ interval: Double, _ settings: EstimatorSettings.Rest) -> Bool {
        let rateNoise = 3 * vibration.quietRateDensity / interval
        let forceNoise = 3 * vibration.quietForceDensity / interval
        return rateVariance - rateNoise < settings.rateDeviation * settings.rateDeviation
            && forceVariance - forceNoise < settings.forceDeviation * settings.forceDeviation
            && meanRate.norm < settings.largestMeanRate
    }
}
