import Geometry
import Model

/// Sees from the inertial sensors alone whether the body is still. A vehicle at constant speed looks the same, and so
/// does a body that turns evenly: what is made of it, `ErrorStateKalmanFilter+Rest` decides.
package struct RestDetector: Sendable {
    /// Slow means. Units: rad/s, m/s².
    package private(set) var meanRate = Vector3.zero
    package private(set) var meanForce = Vector3.zero
    /// Slow means of the squared deviations. Units: rad²/s², m²/s⁴.
    private var rateVariance = 0.0
    private var forceVariance = 0.0
    private var last: BootTime?
    /// Since when the body has been still; nil while it moves.
    private var since: BootTime?
    /// Since when the mean rate has hardly changed, and what it was then. Unit: rad/s.
    private var evenSince: BootTime?
    private var evenRate = Vector3.zero
    package private(set) var isResting = false
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

    /// The samples that the means are of are corrected in another way now.
    mutating func follow(_ change: CorrectionChange) {
        guard let last else { return }
        let means = change.applied(to: InertialSample(time: last, rate: meanRate, force: meanForce))
        let even = change.applied(to: InertialSample(time: last, rate: evenRate, force: meanForce))
        (meanRate, meanForce, evenRate) = (means.rate, means.force, even.rate)
        vibration.follow(change)
    }

    /// How long body and mean rate have been still: a turn is never so even for long. Unit: seconds.
    package var evenSeconds: Double {
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
        let start = since ?? sample.time
        since = start
        isResting = sample.time.seconds(since: start) >= settings.settleSeconds
    }

    /// What moves is what is seen beyond the sensors' own noise, as it was in the quietest moment.
    @inline(__always)
    private func isStill(_ interval: Double, _ settings: EstimatorSettings.Rest) -> Bool {
        let rateNoise = 3 * vibration.quietRateDensity / interval
        let forceNoise = 3 * vibration.quietForceDensity / interval
        return rateVariance - rateNoise < settings.rateDeviation * settings.rateDeviation
            && forceVariance - forceNoise < settings.forceDeviation * settings.forceDeviation
            && meanRate.norm < settings.largestMeanRate
    }
}
