import Geometry
import Model

/// Inertial sample: mean angular rate and specific force since the previous sample. Frame: body. Units: rad/s, m/s².
package struct InertialSample: Hashable, Sendable, Codable {
    package var time: BootTime
    package var rate: Vector3
    package var force: Vector3
    /// Whether the accelerometer is silent, so that the force is outdated.
    package var isForceStale: Bool

    package init(time: BootTime, rate: Vector3, force: Vector3, isForceStale: Bool = false) {
        self.time = time
        self.rate = rate
        self.force = force
        self.isForceStale = isForceStale
    }

    /// Returns the part of the sample from the start of its interval to an instant.
    package func cut(at instant: BootTime) -> InertialSample {
        var part = self
        part.time = instant
        return part
    }
}

/// Pairs each angular rate with the specific force at the same time. The two streams may arrive in any order and at any
/// rates.
///
/// An angular rate waits until there is a force before it and a force after it, but at most for `pairingSeconds` of its
/// own stream. After a gap in the rates in which the attitude was lost, it waits for a force measured after the gap,
/// because an older force belongs to another tilt.
package struct InertialAssembler: Sendable, Codable {
    private var rates: Ring<AngularRateSample>
    private var forces: Ring<SpecificForceSample>
    private let settings: IntakeSettings
    private let inertial: EstimatorSettings.Inertial
    /// Time of the last paired rate.
    private var lastTime: BootTime?
    /// Number of angular rates that were paired with an old force.
    package private(set) var held: UInt64 = 0

    /// Capacity of each queue. It is sufficient for `pairingSeconds` at several kilohertz.
    private static let capacity = 512

    package init(
        settings: IntakeSettings = IntakeSettings(), inertial: EstimatorSettings.Inertial = EstimatorSettings.Inertial()
    ) {
        self.settings = settings
        self.inertial = inertial
        rates = Ring(capacity: Self.capacity)
        forces = Ring(capacity: Self.capacity)
    }

    /// Adds an angular rate. Its time stamp must be later than that of the previous angular rate.
    package mutating func push(_ sample: AngularRateSample) { rates.append(sample) }

    /// Adds a specific force. Its time stamp must be later than that of the previous specific force.
    package mutating func push(_ sample: SpecificForceSample) { forces.append(sample) }

    /// Removes and returns the next paired sample; nil if none is ready.
    package mutating func pop() -> InertialSample? {
        guard !rates.isEmpty else { return nil }
        forgetForcesBeforeGap()
        guard let oldest = forces.first else { return nil }
        // Rates before the first force cannot be paired.
        while let early = rates.first, oldest.time.seconds(since: early.time) > settings.pairingSeconds {
            rates.removeFirst()
        }
        guard let rate = rates.first else { return nil }
        // Only the last force before the rate is needed.
        while forces.count > 1, forces[1].time <= rate.time { forces.removeFirst() }
        let before = forces.first ?? oldest
        if before.time >= rate.time { return release(rate, before.force) }
        if forces.count > 1 {
            let after = forces[1]
            let weight = rate.time.seconds(since: before.time) / after.time.seconds(since: before.time)
            return release(rate, before.force + (after.force - before.force) * weight)
        }
        guard let newest = rates.last, newest.time.seconds(since: rate.time) >= settings.pairingSeconds else {
            return nil
        }
        held += 1
        return release(rate, before.force, isStale: rate.time.seconds(since: before.time) > inertial.gapSeconds)
    }

    @inline(__always)
    private mutating func forgetForcesBeforeGap() {
        guard let lastTime, rates[0].time.seconds(since: lastTime) > inertial.lostSeconds else { return }
        let time = rates[0].time
        while let force = forces.first, time.seconds(since: force.time) > inertial.gapSeconds { forces.removeFirst() }
    }

    private mutating func release(
        _ rate: AngularRateSample, _ force: Vector3, isStale: Bool = false
    ) -> InertialSample {
        rates.removeFirst()
        lastTime = rate.time
        return InertialSample(time: rate.time, rate: rate.rate, force: force, isForceStale: isStale)
    }

    /// Converts the waiting samples after the correction has changed.
    package mutating func follow(_ change: CorrectionChange) {
        if change.changes(.gyroscope) {
            for index in 0..<rates.count { rates[index].rate = change.applied(to: rates[index].rate) }
        }
        if change.changes(.accelerometer) {
            for index in 0..<forces.count { forces[index].force = change.applied(to: forces[index].force) }
        }
    }

    package mutating func restart() {
        rates.removeAll()
        forces.removeAll()
        lastTime = nil
    }
}

extension InertialAssembler: CheckedState {
    package mutating func settle() -> Bool { rates.limit(to: Self.capacity) && forces.limit(to: Self.capacity) }
}
