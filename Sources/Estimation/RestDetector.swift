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
    private var last: BootTime?
    private var since: BootTime?
    package private(set) var isResting = false

    package init() {}

    mutating func begin(with sample: InertialSample) {
        meanRate = sample.rate
        meanForce = sample.force
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
        let isStill =
            (sample.rate - meanRate).norm < settings.rateDeviation
            && (sample.force - meanForce).norm < settings.forceDeviation
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
