import Geometry
import Model

/// White noise of the inertial sensors as their samples show it: that of the parts, and vibration too quick for them.
///
/// Motion of a body is smooth from sample to sample, so second differences show the noise alone: those of white noise
/// have six times its variance.
package struct VibrationMeter: Sendable {
    /// Squared densities per axis. Units: rad²/s, m²/s³.
    package private(set) var rateDensity = 0.0
    package private(set) var forceDensity = 0.0
    /// The least seen: that of the parts themselves, once they have been held still.
    package private(set) var quietRateDensity = 0.0
    package private(set) var quietForceDensity = 0.0
    private var before: InertialSample?
    private var beforeThat: InertialSample?
    /// Unit: seconds.
    private var seen = 0.0

    package init() {}

    /// Unit: seconds.
    private static let memorySeconds = 1.0
    /// A gap in the samples beyond this tells nothing. Unit: seconds.
    private static let longestInterval = 0.1
    /// No part in use is noisier than this: the densest is motion. Units: rad²/s (0.06 °/s/√Hz), m²/s³ (1 mg/√Hz).
    private static let largestQuietRateDensity = 1e-6
    private static let largestQuietForceDensity = 1e-4
    /// Of three axes: 1 + 4 + 1 for each.
    private static let varianceOfDifferences = 18.0

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

    /// The samples are corrected in another way now.
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
