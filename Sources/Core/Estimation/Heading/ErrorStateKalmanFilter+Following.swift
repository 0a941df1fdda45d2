import Geometry
import Model

/// Predicts a yaw hypothesis with the motion that the primary filter has integrated. Rest, steps and motion modes do
/// not depend on the heading, so they are copied from the detectors of the primary filter.
extension ErrorStateKalmanFilter {
    /// Predicts this filter to the time of the primary filter. Only the primary filter uses the magnetometer.
    ///
    /// - Parameter primary: filter to follow; `inout` only to avoid a copy.
    mutating func follow(_ primary: inout ErrorStateKalmanFilter, _ sinceUpdate: MotionSinceUpdate) {
        guard sinceUpdate.motion.duration > 0 else { return }
        copyDetectors(&primary)
        updateRegime()
        let before = state.rotationENUFromBody
        carry(along: sinceUpdate.motion, to: primary.state.time)
        if let seen = sinceUpdate.seen {
            take(seen, sinceUpdate.motion, before, primary.state.rotationENUFromBody)
        }
        if let height = sinceUpdate.height { apply(height) }
        tick()
    }

    /// Applies a step that the primary filter detected. The step's mean velocity is relative to the velocity at the end
    /// of the step, and the velocity has changed since then.
    private mutating func take(
        _ seen: MotionSinceUpdate.SeenStep, _ motion: SummedMotion, _ before: Rotation3, _ primary: Rotation3
    ) {
        var step = seen.step.turned(by: Rotation2(nearest: state.rotationENUFromBody * primary.inverse))
        step.meanVelocityOffset -=
            before * (motion.impulse - seen.impulse) + gravityAndRotation * (motion.duration - seen.duration)
        apply(step)
    }

    /// Predicts state and covariance with a preintegrated motion, in a single step.
    ///
    /// Equation: docs/filter.md (89).
    package mutating func carry(along motion: SummedMotion, to time: BootTime) {
        let span = motion.duration
        let before = state.rotationENUFromBody
        let rotation = before.matrix * motion.rotation
        noteForce(isStale: motion.isForceStale)
        let model = rules.process
        let impulse = before * motion.impulse
        let turns = before.matrix * motion.turns
        let other = MotionTransition(
            rotation: rotation, turns: turns, force: impulse, span: span, model: model
        ).carry(
            MotionTransition.Errors(
                attitude: .zero, velocity: .zero, position: .zero, gyroBias: state.gyroBias - motion.gyroBias,
                accelerometerBias: state.accelerometerBias - motion.accelerometerBias,
                gyroScale: state.gyroScale - motion.gyroScale))
        let earth = (site?.earthRate ?? .zero) * span
        let gravity = gravityAndRotation
        state.rotationENUFromBody = Rotation3.exp(other.attitude - earth) * (before * motion.turn)
        let change = model.driven(impulse + gravity * span) + other.velocity
        let displacement = model.driven(before * motion.displacement + gravity * (span * span / 2)) + other.position
        if model.horizontal == .steps { walkOn(over: span) }
        state.position += state.velocity * span + displacement
        state.velocity += change
        accelerationMean.add(
            mean: model.driven(before * motion.recentForce + gravity * (1 - motion.keptShare)),
            keeping: motion.keptShare)
        let turning = (before * motion.turn.log).z / span
        let learned = rotation * (state.accelerometerBias - motion.accelerometerBias)
        let isGap = motion.longestInterval > settings.inertial.gapSeconds
        if isGap {
            forceMean = ForceMean()
        } else if model.hasForce {
            forceMean.add(impulse - learned, rateAboutUp: turning, over: span)
        }
        state.time = time
        accumulate(span, rotation, turns, impulse, isGap: isGap)
    }

    /// Copies the parts that do not depend on the heading.
    private mutating func copyDetectors(_ primary: inout ErrorStateKalmanFilter) {
        inertial = primary.inertial
        rest = primary.rest
        modes = primary.modes
        magnetics = primary.magnetics
        steppedAt = primary.steppedAt
        ranges = primary.ranges
        if gait.follow(primary.gait) { resetWalkingDirection() }
    }

    /// Adopts the heading of the winning hypothesis and the states that fixes corrected in that hypothesis. This filter
    /// keeps its own detectors and magnetometer.
    package mutating func adopt(_ winner: ErrorStateKalmanFilter) {
        propagateCovariance()
        influence.cause = .headingSearch
        let (iron, ironCovariance) = (state.hardIron, covariance.block(ErrorState.hardIron, ErrorState.hardIron))
        rotateYaw(by: (winner.state.rotationENUFromBody * state.rotationENUFromBody.inverse).yawAboutZ)
        influence.add(shift: winner.state.position - state.position, yaw: 0)
        state = winner.state
        covariance = winner.covariance
        camera?.detach()
        pending = winner.pending
        let motion = heading.motion
        heading = winner.heading
        heading.motion = motion
        gnss = winner.gnss
        regime = winner.regime
        rules = winner.rules
        place = winner.place
        tickedAt = winner.tickedAt
        gyroBiasPrior = winner.gyroBiasPrior
        pressure = winner.pressure
        vehicleMount = winner.vehicleMount
        pendingWay = winner.pendingWay
        undirectedWay = winner.undirectedWay
        planTurn = winner.planTurn
        let seen = gait
        gait = winner.gait
        if gait.follow(seen) { resetWalkingDirection() }
        keepHardIron(iron, ironCovariance)
    }

    /// Keeps the hard iron of this filter if rotations have determined it so well that its variance is smaller than the
    /// winner's.
    private mutating func keepHardIron(_ value: Vector3, _ known: Matrix<3, 3>) {
        let own = covariance.block(ErrorState.hardIron, ErrorState.hardIron)
        guard known.trace < own.trace else { return }
        learn(hardIron: value, covariance: known, addedVariance: 0)
    }
}

/// Motion and detections of the primary filter since the hypotheses last followed it.
struct MotionSinceUpdate: Sendable, Codable {
    /// Step of the wearer, together with the motion integrated up to it.
    struct SeenStep: Sendable, Codable {
        /// Step, in the ENU frame of the primary filter.
        var step: Step
        /// Integral of the specific force from the start of the motion to the step. Frame: body at the start of the
        /// motion. Unit: m/s.
        var impulse: Vector3
        /// Time from the start of the motion to the step. Unit: seconds.
        var duration: Double
    }

    var motion = SummedMotion()
    private(set) var seen: SeenStep?
    /// Newest height by air pressure.
    var height: PressureHeight?

    mutating func note(_ step: Step) {
        seen = SeenStep(step: step, impulse: motion.impulse, duration: motion.duration)
    }
}

/// Inertial motion since a reference time, preintegrated without gravity in the body frame at that time. It can predict
/// a filter of any heading in a single step.
///
/// Source: Lupton, Sukkarieh, "Visual-inertial-aided navigation for high-dynamic motion in built environments without
/// initial conditions", IEEE Trans. Robotics 28(1), 2012.
///
/// Equation: docs/filter.md (89).
package struct SummedMotion: Sendable, Codable {
    /// Rotation from the body frame at the end to the body frame at the start.
    package private(set) var turn = Rotation3.identity
    /// `∫R dt`. Unit: seconds.
    package private(set) var rotation = Matrix<3, 3>()
    /// `∫R·diag(ω) dt`. Unit: radians.
    package private(set) var turns = Matrix<3, 3>()
    /// `∫R·f dt`. Frame: body at the start. Unit: m/s.
    package private(set) var impulse = Vector3.zero
    /// `∬R·f dt²`. Frame: body at the start. Unit: metres.
    package private(set) var displacement = Vector3.zero
    /// Length of the interval. Unit: seconds.
    package private(set) var duration = 0.0
    /// Gyroscope bias that was subtracted. Unit: rad/s.
    package private(set) var gyroBias = Vector3.zero
    /// Scale-factor error of the gyroscope that was corrected.
    package private(set) var gyroScale = Vector3.zero
    /// Accelerometer bias that was subtracted. Unit: m/s².
    package private(set) var accelerometerBias = Vector3.zero
    /// Whether the accelerometer was silent for a part of the interval.
    package private(set) var isForceStale = false
    /// Longest interval between two samples. Unit: seconds.
    package private(set) var longestInterval = 0.0
    /// Weight that the earlier mean acceleration keeps after this motion.
    package private(set) var keptShare = 1.0
    /// Contribution to the mean acceleration. Frame: body at the start. Unit: m/s².
    package private(set) var recentForce = Vector3.zero
    private var matrix = Matrix<3, 3>.identity

    package init() {}

    /// Adds the motion that a filter has just integrated by predicting to a sample. The method is inlined to avoid a
    /// copy of the state.
    @inline(__always)
    package mutating func add(_ sample: InertialSample, _ increment: InertialIncrement, _ state: NavigationState) {
        let interval = increment.duration
        guard interval > 0 else { return }
        gyroBias = state.gyroBias
        accelerometerBias = state.accelerometerBias
        gyroScale = state.gyroScale
        let before = matrix
        turn = turn * increment.turn
        matrix = turn.matrix
        let mean = (interval / 2) * (before + matrix)
        let change = mean * (sample.force - accelerometerBias)
        rotation = rotation + mean
        turns = turns + mean.scalingColumns(by: state.rate(sample.rate))
        displacement += (impulse + change * 0.5) * interval
        impulse += change
        duration += interval
        let share = AccelerationMean.share(of: interval)
        recentForce += (change / interval - recentForce) * share
        keptShare *= 1 - share
        longestInterval = max(longestInterval, interval)
        isForceStale = isForceStale || sample.isForceStale
    }
}
