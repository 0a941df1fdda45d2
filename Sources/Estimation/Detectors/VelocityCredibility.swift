import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Probability that velocities without a reported accuracy are measured ones, by Doppler shifts, and not those of a
/// locator that smooths its positions: such a one says 0.3 m/s of a walking wearer.
///
/// The speed is compared with that of the steps, which needs no heading; without steps the velocity is compared with
/// the change of the positions. At rest every receiver agrees, so that rest shows nothing.
///
/// Equations: docs/filter.md (96), (97).
package struct VelocityCredibility: Sendable, Codable {
    /// Logarithm of the odds that the velocities are measured.
    private var logOdds = 0.0
    /// Fading mean of the velocities. Frame: ENU. Unit: m/s.
    private var meanVelocity = Vector3.zero
    /// Fading mean of the velocity by the positions alone. Frame: ENU. Unit: m/s.
    private var pace = Vector3.zero
    private var last: Point?
    /// Time since which fixes have come without a gap.
    private var steadySince: BootTime?
    /// Time since which each fix has found the wearer walking.
    private var walkingSince: BootTime?

    private struct Point: Sendable, Codable {
        var position: Vector3
        var time: BootTime
    }

    /// What a speed is compared with. Unit: m/s.
    private struct Comparison {
        /// Difference from the receiver's.
        var difference: Double
        /// Standard deviation of the difference without an error of the receiver's.
        var spread: Double
        /// Speed that agreement would confirm.
        var speed: Double
    }

    package init() {}

    /// Time constant of the fading means. Unit: seconds.
    private static let memory = 6.0
    /// Time for which fixes have come, or the wearer has walked, before they are compared: receivers smooth.
    /// Unit: seconds.
    private static let settlingSeconds = 3.0
    /// Longest interval between fixes that are one stream. Unit: seconds.
    private static let longestInterval = 2.5
    /// Standard deviation of the speed by steps of a wearer whose step length is not known, as a share of it.
    private static let stepSpread = 0.25
    /// Standard deviation of `pace` as a share of that of a position, which the receiver did not check either.
    private static let paceSpread = 0.15
    /// Speed from which agreement shows anything. Unit: m/s.
    private static let leastSpeed = 0.7
    /// Weight of one comparison a second: successive ones have errors in common.
    private static let weight = 0.5
    /// Largest logarithm of the odds, so that another behaviour shows soon.
    private static let largestLogOdds = 5.0
    /// Largest change by one comparison, against outliers.
    private static let largestChange = 2.0

    /// Probability that the velocities are measured.
    package var probability: Double { 1 / (1 + exp(-logOdds)) }

    /// Moves to a new origin of ENU, at `-offset` in the old one.
    mutating func shift(by offset: Vector3) { last?.position += offset }

    /// Takes a fix with a velocity whose accuracy was not reported.
    ///
    /// - Parameters:
    ///   - stepSpeed: modelled speed of the wearer's steps; nil unless he walks. Unit: m/s.
    ///   - poor: standard deviation of velocities that are not measured. Unit: m/s.
    mutating func note(_ fix: LocalFix, velocity: Vector3, stepSpeed: Double?, poor: Double) {
        defer { last = Point(position: fix.position, time: fix.time) }
        walkingSince = stepSpeed == nil ? nil : walkingSince ?? fix.time
        guard let last, case let interval = fix.time.seconds(since: last.time), interval > 0,
            interval < Self.longestInterval
        else {
            (meanVelocity, pace, steadySince) = (velocity, velocity, fix.time)
            return
        }
        let share = interval / (Self.memory + interval)
        meanVelocity += (velocity - meanVelocity) * share
        pace += ((fix.position - last.position) / interval - pace) * share
        guard let comparison = comparison(fix, velocity, stepSpeed) else { return }
        weigh(comparison, over: min(1, interval), measured: fix.velocityStandardDeviation, poor: poor)
    }

    private func comparison(_ fix: LocalFix, _ velocity: Vector3, _ stepSpeed: Double?) -> Comparison? {
        if let stepSpeed, let walkingSince {
            guard fix.time.seconds(since: walkingSince) >= Self.settlingSeconds else { return nil }
            return Comparison(
                difference: velocity.horizontalNorm - stepSpeed, spread: Self.stepSpread * stepSpeed, speed: stepSpeed)
        }
        guard let steadySince, fix.time.seconds(since: steadySince) >= Self.settlingSeconds else { return nil }
        let spread = Self.paceSpread * max(fix.positionStandardDeviation.x, fix.positionStandardDeviation.y)
        // The two components of the difference count as one: they have the receiver's smoothing in common.
        return Comparison(
            difference: (meanVelocity - pace).horizontalNorm / 2.0.squareRoot(), spread: spread,
            speed: meanVelocity.horizontalNorm - 3 * spread)
    }

    /// Equation: docs/filter.md (96).
    private mutating func weigh(_ comparison: Comparison, over interval: Double, measured: Double, poor: Double) {
        let square = comparison.difference * comparison.difference
        let spread = comparison.spread * comparison.spread
        let (one, other) = (measured * measured + spread, poor * poor + spread)
        let evidence = 0.5 * (log(other / one) - square / one + square / other)
        guard evidence < 0 || comparison.speed > Self.leastSpeed else { return }
        let change = Self.weight * interval * max(-Self.largestChange / Self.weight, evidence)
        logOdds = max(-Self.largestLogOdds, min(Self.largestLogOdds, logOdds + change))
    }
}

extension ErrorStateKalmanFilter {
    /// The fix with the standard deviation that its velocity deserves where the receiver reports none: between that of
    /// a measured velocity and that of one that is not, by the probability of each.
    ///
    /// Equation: docs/filter.md (97).
    mutating func weighVelocity(of fix: LocalFix) -> LocalFix {
        guard !fix.reportsVelocityAccuracy, let velocity = fix.velocity,
            settings.parts.contains(.velocityCredibility)
        else { return fix }
        let poor = max(settings.gnss.unmeasuredVelocityStandardDeviation, fix.velocityStandardDeviation)
        let isWalking = gait.isWalking(at: fix.time, settings: settings.gait)
        gnss.velocityCredibility.note(
            fix, velocity: velocity, stepSpeed: isWalking ? newestStep?.speed : nil, poor: poor)
        let probability = gnss.velocityCredibility.probability
        let measured = fix.velocityStandardDeviation
        var weighed = fix
        weighed.velocityStandardDeviation =
            (probability * measured * measured + (1 - probability) * poor * poor).squareRoot()
        return weighed
    }
}
