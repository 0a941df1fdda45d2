import Geometry
import Measurements

/// Pairs each angular rate with the specific force at its instant, whatever the order and rate in which both come.
///
/// A rate waits until forces on both sides of it have come, but no longer than `patience` of its own stream. After a gap
/// in the rates by which the attitude is lost, it waits for a force from after the gap: an old one shows another tilt.
package struct InertialAssembler: Sendable {
    private var rates: Ring<AngularRateSample>
    private var forces: Ring<SpecificForceSample>
    /// Units: seconds.
    private let patience: Double
    private let staleAfter: Double
    private let lostAfter: Double
    /// Of the last rate that was paired.
    private var lastTime: BootTime?
    /// Rates that went on with the last force.
    package private(set) var held: UInt64 = 0

    /// Room for the patience at several kilohertz.
    private static let capacity = 512

    /// - Parameters:
    ///   - staleAfter: a force older than this tells nothing of the present. Unit: seconds.
    ///   - lostAfter: a gap in the rates after which the attitude is lost. Unit: seconds.
    package init(patience: Double, staleAfter: Double, lostAfter: Double) {
        self.patience = patience
        self.staleAfter = staleAfter
        self.lostAfter = lostAfter
        rates = Ring(capacity: Self.capacity)
        forces = Ring(capacity: Self.capacity)
    }

    /// Stamps of each of the two must grow.
    package mutating func push(_ sample: AngularRateSample) { rates.append(sample) }

    package mutating func push(_ sample: SpecificForceSample) { forces.append(sample) }

    /// The next paired sample, when it is ready.
    package mutating func pop() -> InertialSample? {
        forgetForcesBeforeGap()
        guard let oldest = forces.first else { return nil }
        // Before the first force there is nothing to pair with.
        while let early = rates.first, oldest.time.seconds(since: early.time) > patience { rates.removeFirst() }
        guard let rate = rates.first else { return nil }
        // Of the forces before the rate only the last is of use.
        while forces.count > 1, forces[1].time <= rate.time { forces.removeFirst() }
        let before = forces.first ?? oldest
        if before.time >= rate.time { return release(rate, before.force) }
        if forces.count > 1 {
            let after = forces[1]
            let weight = rate.time.seconds(since: before.time) / after.time.seconds(since: before.time)
            return release(rate, before.force + (after.force - before.force) * weight)
        }
        guard let newest = rates.last, newest.time.seconds(since: rate.time) >= patience else { return nil }
        held += 1
        return release(rate, before.force, isStale: rate.time.seconds(since: before.time) > staleAfter)
    }

    private mutating func forgetForcesBeforeGap() {
        guard let rate = rates.first, let lastTime, rate.time.seconds(since: lastTime) > lostAfter else { return }
        while let force = forces.first, rate.time.seconds(since: force.time) > staleAfter { forces.removeFirst() }
    }

    private mutating func release(
        _ rate: AngularRateSample, _ force: Vector3, isStale: Bool = false
    ) -> InertialSample {
        rates.removeFirst()
        lastTime = rate.time
        return InertialSample(time: rate.time, rate: rate.rate, force: force, isForceStale: isStale)
    }

    /// Corrects anew what waits.
    mutating func follow(_ change: CorrectionChange) {
        for index in 0..<rates.count { rates[index] = change.applied(to: rates[index]) }
        for index in 0..<forces.count { forces[index] = change.applied(to: forces[index]) }
    }

    package mutating func restart() {
        rates.removeAll()
        forces.removeAll()
        lastTime = nil
    }
}
