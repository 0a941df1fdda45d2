import Geometry
import Measurements

/// Propagates a hypothesis of another north by the motion summed up in the carrier, the published filter. Rest, steps and
/// modes do not depend on north, and are taken from the carrier's detectors.
extension ErrorStateKalmanFilter {
    /// Propagates to the time of the carrier. Only the carrier uses the magnetometer.
    ///
    /// - Parameter carrier: is only read; as a value it would be copied.
    mutating func follow(_ carrier: inout ErrorStateKalmanFilter, _ felt: FeltMotion) {
        guard felt.motion.duration > 0 else { return }
        takeOver(&carrier)
        let before = state.rotationENUFromBody
        carry(along: felt.motion, to: carrier.state.time)
        if let seen = felt.seen, !modes.isRiding { take(seen, felt.motion, before, carrier.state.rotationENUFromBody) }
        if let height = felt.height { apply(height) }
        tick()
    }

    /// The step's velocity counts from the one at its end; since then the velocity has changed.
    private mutating func take(
        _ seen: FeltMotion.SeenStep, _ motion: SummedMotion, _ before: Rotation3, _ carrier: Rotation3
    ) {
        var step = seen.step.turned(by: Rotation2(nearest: state.rotationENUFromBody * carrier.inverse))
        step.meanVelocityOffset -=
            before * (motion.impulse - seen.impulse) + gravityAndRotation * (motion.duration - seen.duration)
        apply(step)
    }

    /// Equation: docs/filter.md (89).
    package mutating func carry(along motion: SummedMotion, to time: BootTime) {
        let span = motion.duration
        let before = state.rotationENUFromBody
        let rotation = before.matrix * motion.rotation
        let impulse = motion.isForceStale ? .zero : before * motion.impulse
        let other = MotionTransition(rotation: rotation, force: impulse, span: span).carry(
            MotionTransition.Errors(
                attitude: .zero, velocity: .zero, position: .zero, gyroBias: state.gyroBias - motion.gyroBias,
                accelerometerBias: state.accelerometerBias - motion.accelerometerBias))
        let earth = (site?.earthRate ?? .zero) * span
        let gravity = gravityAndRotation
        state.rotationENUFromBody = Rotation3.exp(other.attitude - earth) * (before * motion.turn)
        let isForceUnused = isAstray || isStepping
        var change = motion.isForceStale ? .zero : impulse + other.velocity + gravity * span
        var way =
            motion.isForceStale
            ? .zero : before * motion.displacement + other.position + gravity * (span * span / 2)
        if isForceUnused { (change, way) = (Vector3(0, 0, change.z), Vector3(0, 0, way.z)) }
        if isStepping { walkOn(over: span) }
        state.position += state.velocity * span + way
        state.velocity += change
        accelerationMean.add(
            mean: isForceUnused || motion.isForceStale
                ? .zero : before * motion.recentForce + gravity * (1 - motion.keptShare), keeping: motion.keptShare)
        let turning = (before * motion.turn.log).z / span
        forceMean.add(impulse + other.velocity, rateAboutUp: turning, over: span)
        state.time = time
        accumulate(
            span, rotation, isForceUnused ? .zero : impulse, isStale: motion.isForceStale,
            isGap: motion.longestInterval > settings.inertial.gapSeconds)
    }

    private mutating func takeOver(_ carrier: inout ErrorStateKalmanFilter) {
        inertial = carrier.inertial
        rest = carrier.rest
        modes = carrier.modes
        magnetics = carrier.magnetics
        steppedAt = carrier.steppedAt
        if gait.follow(carrier.gait) { resetWalkingDirection() }
    }

    /// Takes the answer of a hypothesis: its north, and what it has made of the fixes by it. What the detectors and the
    /// magnetometer have seen is kept.
    mutating func adopt(_ winner: ErrorStateKalmanFilter) {
        propagateCovariance()
        influence.cause = .headingSearch
        let (iron, ironCovariance) = (state.hardIron, covariance.block(ErrorState.hardIron, ErrorState.hardIron))
        turnFrame(by: (winner.state.rotationENUFromBody * state.rotationENUFromBody.inverse).yawAboutZ)
        influence.add(shift: winner.state.position - state.position, yaw: 0)
        state = winner.state
        covariance = winner.covariance
        pending = winner.pending
        let motion = heading.motion
        heading = winner.heading
        heading.motion = motion
        gnss = winner.gnss
        unaided = winner.unaided
        pressure = winner.pressure
        vehicleMount = winner.vehicleMount
        pendingWay = winner.pendingWay
        undirectedWay = winner.undirectedWay
        let seen = gait
        gait = winner.gait
        if gait.follow(seen) { resetWalkingDirection() }
        keepHardIron(iron, ironCovariance)
    }

    /// Turns of the board may have told the hard iron meanwhile.
    private mutating func keepHardIron(_ value: Vector3, _ known: Matrix<3, 3>) {
        let own = covariance.block(ErrorState.hardIron, ErrorState.hardIron)
        guard known.trace < own.trace else { return }
        learn(hardIron: value, covariance: known, addedVariance: 0)
    }
}
