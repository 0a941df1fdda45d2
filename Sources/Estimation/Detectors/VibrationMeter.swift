import Geometry
import Measurements

/// Meter of the white noise of the inertial sensors: their own, and vibration above their bandwidth.
///
/// The motion of a body is smooth from sample to sample, so second differences show the noise alone: those of white
/// noise have six times its variance.
package struct VibrationMeter: Sendable {
    /// Squared noise density of the angular rate, per axis. Unit: rad²/s.
    package private(set) var rateDensity = 0.0
    /// Squared noise density of the specific force, per axis. Unit: m²/s³.
    package private(set) var forceDensity = 0.0
    /// Least density of the angular rate so far: the sensor's own, once it has been held still. Unit: rad²/s.
    package private(set) var quietRateDensity = 0.0
    /// Least density of the specific force so far. Unit: m²/s³.
    package private(set) var quietForceDensity = 0.0
    private var before: InertialSample?
    private var beforeThat: InertialSample?
    /// Time over which samples have been seen. Unit: seconds.
    private var seen = 0.0

    package init() {}

    /// Time constant of the means. Unit: seconds.
    private static let memorySeconds = 1.0
    /// Longest interval between samples that are compared. Unit: seconds.
    private static let longestInterval = 0.1
    /// Largest density of a sensor in use, beyond which it is motion. Unit: rad²/s (0.06 °/s/√Hz).
    private static let largestQuietRateDensity = 1e-6
    /// Largest density of an accelerometer in use. Unit: m²/s³ (1 mg/√Hz).
    private static let largestQuietForceDensity = 1e-4
    /// Variance of second differences over three axes: 1 + 4 + 1 for each.
    private static let varianceOfDifferences = 18.0

    /// Adds a sample.
    package mutating func add(_ sample: InertialSample) {
        defer {
            beforeThat = before
            before = sample
        }
        guard let before, let beforeThat else { return }
        let interval = sample.time.seconds(since: before.time)
        let intervalBefore = before.time.seconds(since: beforeThat.time)
        guard interval > 0, interval <= Self.longestInterval, intervalBefore <= Self.longestInterval else { return }
        let rate = sample.rate - before.rate * 2 + beforeThat.rate
        let force = sample.force - before.force * 2 + beforeThat.force
        seen += interval
        // A plain mean at first.
        let share = max(interval / (Self.memorySeconds + interval), interval / seen)
        rateDensity += (rate.squaredNorm * interval / Self.varianceOfDifferences - rateDensity) * share
        forceDensity += (force.squaredNorm * interval / Self.varianceOfDifferences - forceDensity) * share
        if seen >= Self.memorySeconds { noteQuiet() }
    }

    /// Corrects the last samples as they are corrected from now on.
    mutating func follow(_ change: CorrectionChange) {
        before = before.map(change.applied(to:))
        beforeThat = beforeThat.map(change.applied(to:))
    }

    private mutating func noteQuiet() {
        let isFirst = quietRateDensity == 0
        let rate = min(rateDensity, Self.largestQuietRateDensity)
        let force = min(forceDensity, Self.largestQuietForceDensity)
        quietRateDensity = isFirst ? rate : min(quietRateDensity, rate)
        quietForceDensity = isFirst ? force : min(quietForceDensity, force)
    }
}
