import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// Sees from the inertial sensors alone whether the body rests. A vehicle at constant speed looks the same.
package struct RestDetector: Sendable {
    /// Slow means. Units: rad/s, m/s².
    package private(set) var meanRate = Vector3.zero
    package private(set) var meanForce = Vector3.zero
    /// Slow means of the squared deviations. Units: rad²/s², m²/s⁴.
    private var rateVariance = 0.0
    private var forceVariance = 0.0
    private var last: BootTime?
    private var since: BootTime?
    package private(set) var isResting = false

    package init() {}

    mutating func begin(with sample: InertialSample) {
        meanRate = sample.rate
        meanForce = sample.force
        rateVariance = 0
        forceVariance = 0
        last = sample.time
        since = nil
        isResting = false
    }

    mutating func add(_ sample: InertialSample, settings: EstimatorSettings.Rest) {
        guard let last else { return begin(with: sample) }
        let interval = sample.time.seconds(since: last)
        self.last = sample.time
        let share = min(1, interval / settings.meanSeconds)
        meanRate += (sample.rate - meanRate) * share
        meanForce += (sample.force - meanForce) * share
        rateVariance += ((sample.rate - meanRate).squaredNorm - rateVariance) * share
        forceVariance += ((sample.force - meanForce).squaredNorm - forceVariance) * share
        let isStill =
            rateVariance < settings.rateDeviation * settings.rateDeviation
            && forceVariance < settings.forceDeviation * settings.forceDeviation
            && meanRate.norm < settings.largestMeanRate
        guard isStill else {
            since = nil
            isResting = false
            return
        }
        let start = since ?? sample.time
        since = start
        isResting = sample.time.seconds(since: start) >= settings.settleSeconds
    }
}
