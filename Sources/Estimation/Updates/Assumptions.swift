import Geometry
import Measurements

/// The mode without satellites: only a hand or a head that moves about one place is assumed.
package struct UnaidedMode: Sendable {
    package private(set) var isActive = false
    /// Since when; meaningful while active.
    package private(set) var since = BootTime(nanoseconds: 0)
    /// Where the body is thought to stay. Frame: ENU. Unit: metres.
    package private(set) var anchor = Vector3.zero
    package var lastTick = BootTime(nanoseconds: 0)
    /// Of the anchor's own place, per horizontal axis, while the covariance counts from it. Unit: m².
    package private(set) var anchorVariance: Double?

    package init() {}

    mutating func begin(at time: BootTime, position: Vector3) {
        isActive = true
        since = time
        anchor = position
        anchorVariance = nil
        lastTick = time
    }

    /// The body is held to the anchor.
    mutating func hold(variance: Double) {
        if anchorVariance == nil { anchorVariance = variance }
    }

    mutating func shift(by offset: Vector3) { anchor += offset }

    mutating func end() { isActive = false }

    /// The body has walked here, and that was noticed: the anchor comes along.
    mutating func follow(_ position: Vector3, at time: BootTime) {
        anchor = position
        since = time
        anchorVariance = nil
    }
}

/// What is assumed where nothing is measured, at 20 Hz.
extension ErrorStateKalmanFilter {
    /// Unit: seconds.
    package static let tickInterval = 0.05

    /// Applies the assumptions that are due.
    package mutating func tick() {
        let interval = state.time.seconds(since: unaided.lastTick)
        guard interval >= Self.tickInterval - 1e-6 else { return }
        unaided.lastTick = state.time
        let span = min(interval, 0.5)
        observeMotion()
        enterUnaidedMode()
        if unaided.isActive {
            stay(over: span)
        } else if !inertial.isForceStale {
            holdVertical(over: span)
        }
        holdStanding(over: span)
        holdCourse(over: span)
        if rest.isResting, !inertial.isForceStale { holdRest(over: span) }
    }

    private mutating func observeMotion() {
        let isStepping = steppedAt.map { state.time.seconds(since: $0) < Self.stepMemory } ?? false
        modes.observe(isStepping: isStepping, isStill: rest.isResting, at: state.time)
    }

    /// Unit: seconds.
    private static let stepMemory = 1.0

    /// Among fixes their velocities hold the vertical; where none comes, the force does.
    private mutating func holdVertical(over span: Double) {
        if isAstray { return level(over: span) }
        let silence = gnss.lastVelocity.map { state.time.seconds(since: $0) } ?? .infinity
        if silence > settings.inertial.levelAfterSeconds { levelByMean() }
    }

    private mutating func enterUnaidedMode() {
        let limits = settings.unaided
        let patience = modes.isRiding ? limits.afterRidingSeconds : limits.afterSeconds
        guard !unaided.isActive, let age = gnss.age(at: state.time), age > patience else { return }
        let speed = max(deviation(ErrorState.velocity), deviation(ErrorState.velocity + 1))
        guard speed > settings.unaided.velocityDeviation else { return }
        unaided.begin(at: state.time, position: state.position)
    }

    /// Fixes return: the assumptions about place and speed are taken back.
    package mutating func leaveUnaidedMode() {
        guard unaided.isActive else { return }
        let away = settings.unaided.unnoticedSpeed * state.time.seconds(since: unaided.since)
        let spread = settings.unaided.returnVelocityDeviation
        for i in 0..<3 {
            covariance[ErrorState.velocity + i, ErrorState.velocity + i] += spread * spread
            covariance[ErrorState.position + i, ErrorState.position + i] += away * away
        }
        releaseAnchor()
        unaided.end()
    }

    /// What holding the body to the anchor took from the position's variance was only assumed.
    mutating func releaseAnchor() {
        guard let variance = unaided.anchorVariance else { return }
        for i in ErrorState.position..<(ErrorState.position + 2) { covariance[i, i] += variance }
    }

    /// A step was believed: what is assumed about the place comes along.
    mutating func moveAnchor() {
        guard unaided.isActive else { return }
        releaseAnchor()
        unaided.follow(state.position, at: state.time)
    }

    /// Position as it was, velocity zero, each as continuous noise; gravity where the force is quiet.
    ///
    /// Equations: docs/filter.md (38) to (40).
    private mutating func stay(over span: Double) {
        influence.cause = .unaided
        if !gait.isWalking(at: state.time, settings: settings.steps) { holdPlace(over: span) }
        guard !inertial.isForceStale else { return }
        if gait.isWalking(at: state.time, settings: settings.steps) { levelByMean() } else { level(over: span) }
    }

    private mutating func holdPlace(over span: Double) {
        let p = ErrorState.position
        unaided.hold(variance: (covariance.rows[p][p] + covariance.rows[p + 1][p + 1]) / 2)
        let noise = settings.unaided
        let mask = GainMask.all.subtracting([.yaw, .stepScale, .walkingDirection])
        // A barometer tells whether somebody climbs: nothing is assumed of the height then.
        var spread = Matrix<3, 3>.identity
        if pressure.isAtWork(at: state.time) { spread[2, 2] = Self.climbingSpread }
        correct(
            innovation: column(-state.velocity), jacobian: Self.identityJacobian(ErrorState.velocity),
            noise: (noise.velocityNoise * noise.velocityNoise / span) * spread, mask: mask, gate: nil)
        correct(
            innovation: column(unaided.anchor - state.position),
            jacobian: Self.identityJacobian(ErrorState.position),
            noise: (noise.positionNoise * noise.positionNoise / span) * spread, mask: mask, gate: nil)
    }

    /// By how much the variances of the vertical assumptions grow.
    private static let climbingSpread = 1e4

    /// Gravity from the specific force, the less believed the more its length differs from gravity's.
    private mutating func level(over span: Double) {
        let excess = (inertial.force - state.accelerometerBias).norm - (site?.gravity ?? Site.standardGravity)
        let ratio = excess / Self.quietExcess
        let deviation = settings.unaided.gravityNoise * (1 + ratio * ratio)
        guard ratio.magnitude < Self.largestExcessRatio else { return }
        let model = gravityModel()
        var noise = Matrix<2, 2>()
        noise[0, 0] = deviation * deviation / span
        noise[1, 1] = noise[0, 0]
        correct(
            innovation: model.innovation, jacobian: model.jacobian, noise: noise,
            mask: GainMask.all.subtracting(.yaw), gate: InnovationGate(limit: 3, rule: .soften))
    }

    /// Gravity from the mean force over some steps; in a turn the way itself accelerates, `ω̄ × v`.
    ///
    /// Equation: docs/filter.md (77).
    private mutating func levelByMean() {
        guard let mean = forceMean.take() else { return }
        let gravity = site?.gravity ?? Site.standardGravity
        let isWalking = gait.isWalking(at: state.time, settings: settings.steps)
        let turning = isWalking ? mean.rateAboutUp : 0
        var r = Matrix<2, 1>()
        r[0, 0] = -turning * state.velocity.y - mean.force.x
        r[1, 0] = turning * state.velocity.x - mean.force.y
        // δθ × g, for the force of a body that does not accelerate is gravity's.
        var h = Jacobian<2>()
        h[0, ErrorState.attitude + 1] = gravity
        h[1, ErrorState.attitude] = -gravity
        let rotation = state.rotationENUFromBody.matrix
        for i in 0..<2 {
            for k in 0..<3 { h[i, ErrorState.accelerometerBias + k] = -rotation[i, k] }
        }
        let ratio = (mean.force.norm - gravity) / Self.quietExcess
        let density = modes.isRiding ? settings.inertial.ridingLevelNoise : settings.inertial.levelNoise
        let deviation = density * (1 + ratio * ratio)
        correct(
            innovation: r, jacobian: h, noise: (deviation * deviation / mean.span) * .diagonalOnes,
            mask: GainMask.all.subtracting(.yaw), gate: InnovationGate(limit: 3, rule: .soften))
    }

    /// Difference of the force's length from gravity's that begins to tell. Unit: m/s².
    private static let quietExcess = 0.2
    /// Beyond so many times that, the force shows motion and not gravity.
    private static let largestExcessRatio = 5.0

    /// The horizontal force of a body at rest is zero: `0 = (R·(f − b))_h`.
    ///
    /// Equation: docs/filter.md (40).
    @inline(__always)
    package func gravityModel() -> (innovation: Matrix<2, 1>, jacobian: Jacobian<2>) {
        let rotation = state.rotationENUFromBody.matrix
        let force = rotation * (inertial.force - state.accelerometerBias)
        var r = Matrix<2, 1>()
        r[0, 0] = -force.x
        r[1, 0] = -force.y
        let skew = Matrix<3, 3>.skew(force)
        var h = Jacobian<2>()
        for i in 0..<2 {
            for j in 0..<3 {
                h[i, ErrorState.attitude + j] = -skew[i, j]
                h[i, ErrorState.accelerometerBias + j] = -rotation[i, j]
            }
        }
        return (r, h)
    }
}
