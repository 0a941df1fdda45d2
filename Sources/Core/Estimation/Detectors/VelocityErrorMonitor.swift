import Geometry
import Glibc
import Model

/// Estimates the probability that a receiver's velocities wander: their errors last for about a minute and exceed the
/// reported accuracy.
///
/// A wandering velocity moves the estimated position away from the fixes, and the main filter attributes the difference
/// to the slow error of the positions. Therefore the positions are compared with the integrated velocities outside that
/// filter, once assuming that the velocities wander and once that they do not. Each assumption is tried with three
/// sizes of the position error, so that a position error is not mistaken for a velocity error.
///
/// Equations: docs/filter.md (90) to (94).
package struct VelocityErrorMonitor: Sendable, Codable {
    /// Filters that assume velocities as accurate as reported; one for each scale of the position error.
    private var usual = InlineArray<3, ReceiverErrorFilter>(repeating: ReceiverErrorFilter())
    /// Filters that assume wandering velocities; one for each scale of the position error.
    private var wandering = InlineArray<3, ReceiverErrorFilter>(repeating: ReceiverErrorFilter())
    private var last: LastFix?
    /// Positions minus integrated velocities. Frame: ENU. Unit: metres.
    private var difference = Vector3.zero
    /// Evidence that the velocities wander, in excess of the prior probability, 0…1.
    private var weight = 0.0
    /// Largest weight so far.
    private var peak = 0.0

    package struct Verdict: Sendable {
        /// Evidence that the velocities wander, in excess of the prior probability, 0…1.
        package let weight: Double
        /// Variance to add to the position variance, per axis, because earlier velocities had too much weight. Unit:
        /// m².
        package let positionVariance: Double

        package init(weight: Double = 0, positionVariance: Double = 0) {
            self.weight = weight
            self.positionVariance = positionVariance
        }
    }

    private struct LastFix: Sendable, Codable {
        var time: BootTime
        var position: Vector3
        var velocity: Vector3
    }

    package init() {}

    /// Assumed ratios of true to reported position error.
    private static let positionScales: InlineArray<3, Double> = [1, 2, 4]
    /// Longest interval over which two velocities determine the displacement between them. Unit: seconds.
    private static let maximumInterval = 2.5
    /// Error of the average of two velocities as an estimate of the mean velocity between them, as a share of their
    /// difference.
    private static let curvature = 0.1

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) { last?.position += offset }

    /// Processes a fix that is corrected for jumps but has the accuracy that the receiver reported.
    ///
    /// - Parameter delay: latency of the receiver's velocities. Unit: seconds.
    package mutating func note(_ fix: LocalFix, delay: Double, settings: EstimatorSettings.GNSS) -> Verdict {
        let variance = compare(fix, delay: delay, settings)
        return Verdict(weight: weight, positionVariance: variance)
    }

    /// - Returns: variance to add to the position variance, per axis. Unit: m².
    private mutating func compare(_ fix: LocalFix, delay: Double, _ settings: EstimatorSettings.GNSS) -> Double {
        guard let velocity = fix.velocity else { return 0 }
        let previous = last
        last = LastFix(time: fix.time, position: fix.position, velocity: velocity)
        let interval = previous.map { fix.time.seconds(since: $0.time) } ?? .infinity
        guard interval > 0 else { return 0 }
        guard let previous, interval < Self.maximumInterval else {
            restart(fix, settings)
            return 0
        }
        let change = velocity - previous.velocity
        difference += fix.position - previous.position
        difference -= (velocity + previous.velocity) * (interval / 2) + change * delay
        let white = fix.velocityStandardDeviation * settings.velocityWhiteShare
        let curve = Self.curvature * change.horizontalNorm
        follow(
            fix, over: interval, displacementNoise: interval * (white * white + curve * curve).squareRoot(), settings)
        return weigh(prior: settings.wanderingPrior)
    }

    private mutating func restart(_ fix: LocalFix, _ settings: EstimatorSettings.GNSS) {
        difference = .zero
        for k in Self.positionScales.indices {
            usual[k].restart(Self.usual(fix, k, settings))
            wandering[k].restart(Self.wandering(fix, k, settings))
        }
    }

    private mutating func follow(
        _ fix: LocalFix, over interval: Double, displacementNoise: Double, _ settings: EstimatorSettings.GNSS
    ) {
        let memory = settings.wanderingMemory
        for k in Self.positionScales.indices {
            let (one, other) = (Self.usual(fix, k, settings), Self.wandering(fix, k, settings))
            usual[k].predict(over: interval, displacementNoise: displacementNoise, memory: memory, one)
            usual[k].correct(by: difference, one)
            wandering[k].predict(over: interval, displacementNoise: displacementNoise, memory: memory, other)
            wandering[k].correct(by: difference, other)
        }
    }

    private static func usual(
        _ fix: LocalFix, _ k: Int, _ settings: EstimatorSettings.GNSS
    ) -> ReceiverErrorFilter.Assumption {
        let position = fix.horizontalStandardDeviation * positionScales[k]
        return ReceiverErrorFilter.Assumption(
            velocityStandardDeviation: fix.velocityStandardDeviation * settings.velocityCorrelatedShare,
            velocitySeconds: settings.velocityCorrelationSeconds,
            positionStandardDeviation: position * settings.correlatedShare,
            positionSeconds: settings.correlationSeconds,
            positionNoise: position * settings.whiteShare)
    }

    private static func wandering(
        _ fix: LocalFix, _ k: Int, _ settings: EstimatorSettings.GNSS
    ) -> ReceiverErrorFilter.Assumption {
        var assumption = usual(fix, k, settings)
        assumption.velocityStandardDeviation = fix.velocityStandardDeviation * settings.wanderingShare
        assumption.velocitySeconds = settings.wanderingSeconds
        return assumption
    }

    /// Equation: docs/filter.md (93).
    private mutating func weigh(prior: Double) -> Double {
        var best = -Double.infinity
        for k in Self.positionScales.indices { best = max(best, usual[k].logLikelihood, wandering[k].logLikelihood) }
        var (one, other) = (0.0, 0.0)
        for k in Self.positionScales.indices {
            one += (1 - prior) * exp(usual[k].logLikelihood - best)
            other += prior * exp(wandering[k].logLikelihood - best)
        }
        weight = max(0, other / (one + other) - prior) / (1 - prior)
        guard weight > peak else { return 0 }
        defer { peak = weight }
        return (weight - peak) * max(0, wandering[0].positionVariance - usual[0].positionVariance)
    }
}

/// Kalman filter of the difference between a receiver's positions and its integrated velocities, given one assumption
/// about the size of their errors.
///
/// States of each horizontal axis: the integrated velocity error d, the slow velocity error u and the slow position
/// error e. Both axes share the covariance and the gain.
///
/// Equations: docs/filter.md (91), (92).
package struct ReceiverErrorFilter: Sendable, Codable {
    /// Size of a receiver's errors, per axis.
    package struct Assumption: Sendable {
        /// Stationary standard deviation of the slow velocity error. Unit: m/s.
        package var velocityStandardDeviation: Double
        /// Correlation time of the slow velocity error. Unit: seconds.
        package var velocitySeconds: Double
        /// Stationary standard deviation of the slow position error. Unit: metres.
        package var positionStandardDeviation: Double
        /// Correlation time of the slow position error. Unit: seconds.
        package var positionSeconds: Double
        /// Standard deviation of the white error of a position. Unit: metres.
        package var positionNoise: Double
    }

    private var east = Vector3.zero
    private var north = Vector3.zero
    private var covariance = Matrix<3, 3>()
    /// Fading log-likelihood of the innovations.
    package private(set) var logLikelihood = 0.0

    /// Variance of d after an interval without velocities. Unit: m².
    private static let unknownVariance = 1e6

    /// Variance of the slow position error, per axis. A position averaged from many fixes has the same variance. Unit:
    /// m².
    package var positionVariance: Double { covariance[2, 2] }

    /// Restarts the difference but keeps the likelihood.
    package mutating func restart(_ assumption: Assumption) {
        (east, north) = (.zero, .zero)
        covariance = Matrix()
        covariance[0, 0] = Self.unknownVariance
        covariance[1, 1] = assumption.velocityStandardDeviation * assumption.velocityStandardDeviation
        covariance[2, 2] = assumption.positionStandardDeviation * assumption.positionStandardDeviation
    }

    /// - Parameters:
    ///   - displacementNoise: standard deviation of the white error of the integrated velocity. Unit: metres.
    ///   - memory: time constant with which the likelihood fades. Unit: seconds.
    package mutating func predict(
        over interval: Double, displacementNoise: Double, memory: Double, _ assumption: Assumption
    ) {
        logLikelihood *= exp(-interval / memory)
        let u = exp(-interval / assumption.velocitySeconds)
        let e = exp(-interval / assumption.positionSeconds)
        let transition = Matrix(Vector3(1, interval, 0), Vector3(0, u, 0), Vector3(0, 0, e))
        (east, north) = (transition * east, transition * north)
        covariance = transition * covariance * transition.transpose
        covariance[0, 0] += displacementNoise * displacementNoise
        covariance[1, 1] += (1 - u * u) * assumption.velocityStandardDeviation * assumption.velocityStandardDeviation
        covariance[2, 2] += (1 - e * e) * assumption.positionStandardDeviation * assumption.positionStandardDeviation
    }

    /// Corrects the estimated errors with the measured difference between positions and integrated velocities. Frame:
    /// ENU. Unit: metres.
    package mutating func correct(by difference: Vector3, _ assumption: Assumption) {
        let (x, y) = (difference.x - east.x - east.z, difference.y - north.x - north.z)
        let squaredInnovation = x * x + y * y
        let square = squaredInnovation / innovationVariance(assumption)
        noteLikelihood(square, assumption)
        if square > InnovationGate.wide * InnovationGate.wide { covariance[0, 0] += squaredInnovation }
        let variance = innovationVariance(assumption)
        let column = Vector3(
            covariance[0, 0] + covariance[0, 2], covariance[1, 0] + covariance[1, 2],
            covariance[2, 0] + covariance[2, 2])
        east += column * (x / variance)
        north += column * (y / variance)
        subtract(column, over: variance)
    }

    private func innovationVariance(_ assumption: Assumption) -> Double {
        covariance[0, 0] + 2 * covariance[0, 2] + covariance[2, 2] + assumption.positionNoise * assumption.positionNoise
    }

    private mutating func noteLikelihood(_ square: Double, _ assumption: Assumption) {
        let variance = innovationVariance(assumption)
        guard variance < Self.unknownVariance / 2 else { return }
        let freedom = CorrectionOutcome.degreesOfFreedom
        logLikelihood -= log(variance) + 0.5 * (freedom + 2) * log(1 + square / freedom)
    }

    /// Subtracts `c·cᵀ/variance` from the covariance.
    private mutating func subtract(_ c: Vector3, over variance: Double) {
        covariance =
            covariance
            - Matrix(c * (c.x / variance), c * (c.y / variance), c * (c.z / variance))
    }
}
