import Geometry
import Glibc
import Model

/// Estimates rest, walking and riding as the hidden states of a Markov chain. Because the chain has a memory, a wearer
/// who rode a minute ago still counts as riding when satellites are lost and the vehicle's motion looks like steps or
/// rest.
///
/// Source: Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77(2), 1989, the forward recursion (19), (20).
///
/// Equations: docs/filter.md (78), (79).
package struct MotionModes: Sendable, Codable {
    /// Probabilities of rest, walking and riding; their sum is 1.
    package private(set) var probabilities: InlineArray<3, Double> = [0.5, 0.45, 0.05]
    /// Time of the last inertial observation before a receiver showed a ride.
    private var lastRide: BootTime?
    private var last: BootTime?

    package init() {}

    /// Probabilities of a transition within a second, from the mode of the row to the mode of the column.
    private static let changes: InlineArray<3, InlineArray<3, Double>> = [
        [0.9495, 0.05, 0.0005],
        [0.0495, 0.95, 0.0005],
        [0.004, 0.002, 0.994],
    ]

    /// Most probable mode and its probability.
    package var estimate: MotionEstimate {
        var best = 0
        for k in 1..<3 where probabilities[k] > probabilities[best] { best = k }
        return MotionEstimate(kind: Motion(rawValue: UInt8(best)) ?? .atRest, probability: probabilities[best])
    }

    var isCertainlyAtRest: Bool { probabilities[Int(Motion.atRest.rawValue)] >= Self.certain }

    /// Upper limit of the probability of riding until a receiver confirms the ride; below ½.
    private static let unshown = 0.4
    /// Time after a ride during which another ride may begin unobserved, as after a stop in a tunnel. Unit: seconds.
    private static let rideMemory = 600.0
    /// Probability beyond which rest is nearly certain.
    private static let certain = 0.95

    /// Whether riding is more probable than not.
    package var isRiding: Bool { probabilities[Int(Motion.riding.rawValue)] > 0.5 }

    /// Processes an observation of the inertial sensors; at most one observation a second counts. An observation never
    /// makes riding more likely than all other modes, but riding, once recognised, persists for some minutes: inertial
    /// sensors cannot distinguish sitting in a bus from looking around, nor the jolts of the bus from the jolts of a
    /// bag.
    package mutating func observe(isStepping: Bool, isStill: Bool, at time: BootTime) {
        let interval = last.map { time.seconds(since: $0) } ?? 1
        guard interval >= 1 else { return }
        last = time
        predict(over: min(interval, Self.maximumInterval))
        if isStepping {
            weigh(0.05, 0.7, 0.15)
        } else if isStill {
            weigh(0.5, 0.05, 0.25)
        } else {
            weigh(0.45, 0.25, 0.45)
        }
        let isFresh = lastRide.map { time.seconds(since: $0) < Self.rideMemory } ?? false
        if !isFresh { boundRiding() }
    }

    private mutating func boundRiding() {
        let riding = Int(Motion.riding.rawValue)
        guard probabilities[riding] > Self.unshown else { return }
        let share = (1 - Self.unshown) / (1 - probabilities[riding])
        for k in 0..<3 { probabilities[k] = k == riding ? Self.unshown : probabilities[k] * share }
    }

    /// Processes a GNSS speed over ground, with the standard deviation of one component. Unit: m/s.
    package mutating func observe(speed: Double, standardDeviation: Double) {
        let rest = Self.density(speed, mean: 0, standardDeviation: Self.restSpeed + standardDeviation)
        let foot = Self.density(
            speed, mean: Self.walkingSpeed, standardDeviation: Self.walkingSpread + standardDeviation)
        // Many fixes belong to one stop, and their evidence is not independent. Therefore a single fix without motion
        // must not make riding much less likely than rest.
        let moving = min(1, 0.3 + speed / Self.walkingSpeed) / Self.ridingSpread
        let ride = Self.stopShare * rest + (1 - Self.stopShare) * moving
        weigh(rest, foot, ride)
        // A stop neither ends a ride nor shows that the ride continues.
        if isRiding, ride > max(rest, foot) { lastRide = last }
    }

    /// Parameters of the speed distributions: means and standard deviations of the normal distributions at rest and on
    /// foot, and range of the speed of a ride. Units: m/s. Origin: walking at 1.3 ± 0.5 m/s, running included; city
    /// traffic up to 20 m/s.
    private static let restSpeed = 0.15
    private static let walkingSpeed = 1.3
    private static let walkingSpread = 0.6
    private static let ridingSpread = 20.0
    /// Weight of the distribution at rest within the distribution of a ride, because a ride includes stops.
    private static let stopShare = 0.9
    /// Longest interval over which the chain is predicted from one observation to the next. Unit: seconds.
    private static let maximumInterval = 60.0

    private static func density(_ value: Double, mean: Double, standardDeviation: Double) -> Double {
        let distance = (value - mean) / standardDeviation
        return exp(-0.5 * min(distance * distance, 60)) / (standardDeviation * 2.5)
    }

    private mutating func predict(over seconds: Double) {
        var left = seconds.rounded()
        while left > 0 {
            var next: InlineArray<3, Double> = [0, 0, 0]
            for from in 0..<3 {
                for to in 0..<3 { next[to] += probabilities[from] * Self.changes[from][to] }
            }
            probabilities = next
            left -= 1
        }
    }

    private mutating func weigh(_ rest: Double, _ foot: Double, _ ride: Double) {
        let likelihoods: InlineArray<3, Double> = [rest, foot, ride]
        var sum = 0.0
        for k in 0..<3 {
            // The lower bound keeps every mode reachable.
            probabilities[k] = max(1e-6, probabilities[k] * likelihoods[k])
            sum += probabilities[k]
        }
        for k in 0..<3 { probabilities[k] /= sum }
    }
}
