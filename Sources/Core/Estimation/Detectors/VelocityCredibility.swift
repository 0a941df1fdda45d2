import Geometry
import Glibc
import Model

/// Estimates the probability that velocities without a reported accuracy are measured from Doppler shifts, and not
/// computed by a locator that smooths its positions. Such a locator reports 0.2 m/s for a walking wearer.
///
/// The speed is compared with the speed of the steps, which needs no heading. Without steps, the velocity is compared
/// with the change of the positions. At rest all receivers agree, so rest is no evidence.
///
/// Equations: docs/filter.md (96), (97).
package struct VelocityCredibility: Sendable, Codable {
    /// Logarithm of the odds that the velocities are measured.
    private var logOdds = 0.0
    /// Fading mean of the velocities. Frame: ENU. Unit: m/s.
    private var meanVelocity = Vector3.zero
    /// Fading mean of the velocity computed from the positions only. Frame: ENU. Unit: m/s.
    private var pace = Vector3.zero
    private var last: FixPoint?
    /// Time since which fixes have arrived without a gap.
    private var steadySince: BootTime?
    /// Time since which the wearer has been walking at every fix.
    private var walkingSince: BootTime?

    /// Result of comparing a velocity with another measure of the motion. Unit: m/s.
    private struct Comparison {
        /// Difference of the two speeds.
        var difference: Double
        /// Standard deviation that the difference would have if the receiver had no error.
        var spread: Double
        /// Lower bound of the wearer's speed if both speeds agree.
        var minimumSpeed: Double
    }

    package init() {}

    /// Time constant of the fading means. Unit: seconds.
    private static let memory = 6.0
    /// Duration of a stream, or of a walk, after which velocities are compared. Many receivers smooth their velocities,
    /// which therefore lag at first. Unit: seconds.
    private static let settlingSeconds = 3.0
    /// Longest interval between fixes of one stream. Unit: seconds.
    private static let maximumInterval = 2.5
    /// Standard deviation of the step speed if the wearer's step length is unknown, as a share of the speed.
    private static let stepSpread = 0.25
    /// Standard deviation of `pace`, as a share of the reported standard deviation of a position.
    private static let paceSpread = 0.15
    /// Speed above which agreement counts as evidence. Unit: m/s.
    private static let minimumSpeed = 0.7
    /// Weight of the evidence of one second; below 1 because errors of successive comparisons are correlated.
    private static let weight = 0.5
    /// Upper limit of the logarithm of the odds. It lets a change of behaviour be detected soon.
    private static let maximumLogOdds = 5.0
    /// Upper limit of the fall of the logarithm of the odds in a second. It bounds the effect of outliers.
    private static let maximumFall = 2.0
    /// Upper limit of the change between two positions, in standard deviations of a position. It bounds the effect of
    /// jumps.
    private static let maximumJump = 3.0

    /// Probability below which the motion contradicts the velocities.
    private static let refuted = 0.25

    /// Probability that the velocities are measured.
    package var probability: Double { 1 / (1 + exp(-logOdds)) }

    /// Whether the motion contradicts the velocities.
    var isRefuted: Bool { probability < Self.refuted }

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) { last?.position += offset }

    /// Processes a fix with a velocity whose accuracy was not reported.
    ///
    /// - Parameters:
    ///   - stepSpeed: modelled speed of the wearer's steps; nil unless the wearer walks. Unit: m/s.
    ///   - unmeasured: standard deviation of velocities that are not measured. Unit: m/s.
    mutating func note(_ fix: LocalFix, velocity: Vector3, stepSpeed: Double?, unmeasured: Double) {
        let interval = last.map { fix.time.seconds(since: $0.time) }
        guard interval != 0 else { return }
        walkingSince = stepSpeed == nil ? nil : walkingSince ?? fix.time
        follow(fix, velocity, over: interval ?? .infinity)
        guard let comparison = stepSpeed.map({ compare(velocity, stepSpeed: $0, at: fix.time) }) ?? compare(fix) else {
            return
        }
        weigh(comparison, over: min(1, interval ?? 0), measured: fix.velocityStandardDeviation, unmeasured: unmeasured)
    }

    private mutating func follow(_ fix: LocalFix, _ velocity: Vector3, over interval: Double) {
        defer { last = FixPoint(position: fix.position, time: fix.time) }
        guard let last, interval > 0, interval < Self.maximumInterval else {
            (meanVelocity, pace, steadySince) = (velocity, velocity, fix.time)
            return
        }
        let share = interval / (Self.memory + interval)
        var change = fix.position - last.position - velocity * interval
        let maximum = Self.maximumJump * fix.horizontalStandardDeviation
        if change.norm > maximum { change = change * (maximum / change.norm) }
        meanVelocity += (velocity - meanVelocity) * share
        pace += (velocity + change / interval - pace) * share
    }

    private func compare(_ velocity: Vector3, stepSpeed: Double, at time: BootTime) -> Comparison? {
        guard let walkingSince, time.seconds(since: walkingSince) >= Self.settlingSeconds else { return nil }
        return Comparison(
            difference: velocity.horizontalNorm - stepSpeed, spread: Self.stepSpread * stepSpeed,
            minimumSpeed: stepSpeed)
    }

    /// Compares the velocity with the positions.
    private func compare(_ fix: LocalFix) -> Comparison? {
        guard let steadySince, fix.time.seconds(since: steadySince) >= Self.settlingSeconds else { return nil }
        let spread = Self.paceSpread * fix.horizontalStandardDeviation
        // The two components of the difference count as one, because the receiver's smoothing affects both.
        return Comparison(
            difference: (meanVelocity - pace).horizontalNorm / 2.0.squareRoot(), spread: spread,
            minimumSpeed: meanVelocity.horizontalNorm - 3 * spread)
    }

    /// - Parameters:
    ///   - measured: standard deviation of measured velocities. Unit: m/s.
    ///   - unmeasured: standard deviation of velocities that are not measured. Unit: m/s.
    ///
    /// Equation: docs/filter.md (96).
    private mutating func weigh(_ comparison: Comparison, over interval: Double, measured: Double, unmeasured: Double) {
        let square = comparison.difference * comparison.difference
        let spread = comparison.spread * comparison.spread
        let (measured, unmeasured) = (measured * measured + spread, unmeasured * unmeasured + spread)
        let evidence = 0.5 * (log(unmeasured / measured) - square / measured + square / unmeasured)
        guard evidence < 0 || comparison.minimumSpeed > Self.minimumSpeed else { return }
        let change = interval * max(-Self.maximumFall, Self.weight * evidence)
        logOdds = max(-Self.maximumLogOdds, min(Self.maximumLogOdds, logOdds + change))
    }
}

extension ErrorStateKalmanFilter {
    /// Returns the fix, adding a velocity standard deviation if the receiver reports none. This value lies between the
    /// standard deviations of a measured and an unmeasured velocity, weighted by the probability of each.
    ///
    /// Equation: docs/filter.md (97).
    package mutating func assessVelocity(of fix: LocalFix) -> LocalFix {
        guard !fix.reportsVelocityAccuracy, let velocity = fix.velocity,
            settings.parts.contains(.velocityCredibility)
        else { return fix }
        let measured = fix.velocityStandardDeviation
        let unmeasured = max(settings.gnss.unmeasuredVelocityStandardDeviation, measured)
        let isWalking = gait.isWalking(at: fix.time, settings: settings.gait)
        velocityCredibility.note(
            fix, velocity: velocity, stepSpeed: isWalking ? newestStep?.speed : nil, unmeasured: unmeasured)
        let probability = velocityCredibility.probability
        var assessed = fix
        assessed.velocityStandardDeviation =
            (probability * measured * measured + (1 - probability) * unmeasured * unmeasured).squareRoot()
        return assessed
    }
}
