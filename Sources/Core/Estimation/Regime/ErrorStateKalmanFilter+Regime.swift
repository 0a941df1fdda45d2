import Geometry
import Model

/// Determination of the regime from the detectors, and effect of a change of regime on the state.
extension ErrorStateKalmanFilter {
    /// Determines motion, aiding and heading for the current state.
    package mutating func updateRegime() {
        var next = regime
        next.motion = presentMotion()
        next.heading = heading.knowledge
        next.aiding = presentAiding
        change(to: next)
    }

    @inline(__always)
    private mutating func presentMotion() -> Regime.Motion {
        if modes.isRiding { return .riding }
        if gait.isWalking(at: state.time, settings: settings.gait) { return .foot }
        // The displacement of the last steps is still being applied to the position.
        if !pendingWay.isEmpty { return .foot }
        return modes.isCertainlyAtRest && settings.parts.contains(.yawHeldAtRest) ? .rest : .free
    }

    /// Fixes count as a stream until they have been absent for a long time and the velocity has become uncertain.
    /// Without a confirmed heading the inertial sensors bridge a shorter time.
    @inline(__always)
    private var presentAiding: Regime.Aiding {
        let limits = settings.unaided
        guard regime.aiding == .satellites else {
            let isPlaced = gnss.lastPosition.map { state.time.seconds(since: $0) < limits.afterSeconds } ?? false
            return isPlaced ? .weak : .none
        }
        let patience =
            modes.isRiding
            ? limits.afterRidingSeconds
            : heading.isSettled ? limits.afterSeconds : limits.afterSecondsUnconfirmed
        guard settings.parts.contains(.unaidedMode), let age = gnss.age(at: state.time), age > patience else {
            return .satellites
        }
        return horizontalVelocityStandardDeviation > limits.velocityStandardDeviation ? .none : .satellites
    }

    /// Enters or keeps the regime of a stream of fixes.
    package mutating func enterSatellites() {
        var next = regime
        next.aiding = .satellites
        change(to: next)
    }

    /// Sets whether the accelerometer measures, with effect from the next sample.
    @inline(__always)
    mutating func noteForce(isStale: Bool) {
        guard isStale == regime.hasForce else { return }
        var next = regime
        next.hasForce = !isStale
        change(to: next)
    }

    /// Confirms the heading by motion.
    mutating func settleHeading() {
        heading.settle()
        updateRegime()
    }

    /// Enters a regime.
    package mutating func change(to next: Regime) {
        guard next != regime else { return }
        // The pending propagation belongs to the previous process model.
        propagateCovariance()
        let before = (regime: regime, horizontal: rules.process.horizontal)
        regime = next
        rules = next.rules
        if next.aiding == .satellites { heading.noteFixes() }
        if before.horizontal == .steps, rules.process.horizontal != .steps { endSteps() }
        switch (before.regime.aiding, next.aiding) {
        case (.satellites, .weak), (.satellites, .none): place.move(to: state.position, at: state.time)
        case (.weak, .satellites), (.none, .satellites): releasePlace()
        default: break
        }
    }

    /// Applies the pending displacement of the steps at once.
    private mutating func endSteps() { state.position += pendingWay.takeAll() }
}
