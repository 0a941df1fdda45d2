import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// Detection of steps, and the choice of their update.
extension ErrorStateKalmanFilter {
    /// Passes the inertial sample at the present state to the step detector, and applies the step that it completes.
    package mutating func followGait(_ sample: InertialSample) {
        guard !sample.isForceStale else { return }
        let rate = sample.rate - state.gyroBias
        // The force is a mean over the interval before: at its centre the body was turned less.
        let half = gait.interval(to: sample.time) / 2
        let force = sample.force - state.accelerometerBias
        let rotation = state.rotationENUFromBody.matrix
        let acceleration = rotation * (force - rate.cross(force) * half)
        let gravity = Vector3(0, 0, site?.gravity ?? Site.standardGravity)
        let isComplete = gait.add(
            GaitSample(acceleration: acceleration - gravity, rate: rotation * rate, rotationENUFromBody: rotation),
            at: sample.time)
        guard isComplete else { return }
        let before = (carriage: gait.carriageNumber, mount: gait.mount)
        let step = gait.detectStep(at: sample.time, isAided: !unaided.isActive, settings: settings.steps)
        if gait.carriageNumber != before.carriage { changeCarriage(from: before.mount) }
        guard let step else { return }
        steppedAt = state.time
        newestStep = step
        // A vehicle is no walk, however it shakes.
        guard !modes.isRiding else { return refuseStep() }
        // With an unobserved heading no direction is known for the velocity.
        if isHeadingUnobserved { gait.walked.interrupt() } else { apply(step) }
    }

    /// Rejects a step of a wearer who is carried: the track of the steps is not the whole motion.
    private mutating func refuseStep() {
        gait.refuse()
        gait.walked.interrupt()
    }

    /// States that steps may correct: never the heading, and without satellites not the parameters of the steps.
    var stepMask: GainMask {
        let mask = GainMask.all.subtracting([.yaw, .hardIron, .magneticOffset, .velocityDelay])
        return unaided.isActive ? mask.subtracting([.stepScale, .walkingDirection]) : mask
    }

    /// Applies a detected step at the present state.
    package mutating func apply(_ step: Step) {
        influence.cause = .steps
        propagateCovariance()
        let mean = state.velocity + step.meanVelocityOffset
        let speed = (mean.x * mean.x + mean.y * mean.y).squareRoot()
        let deviation = max(self.deviation(ErrorState.velocity), self.deviation(ErrorState.velocity + 1))
        let isKnown = speed > Self.leastKnownSpeed && speed > 3 * deviation
        guard unaided.isActive || speed < Self.largestSpeed + 3 * deviation else { return refuseStep() }
        if !pressure.isAtWork(at: state.time) { holdHeight(step) }
        if unaided.isActive {
            deadReckon(step)
        } else if isKnown {
            correctSpeed(step)
            learnMount(step, mean)
            correctDirection(step, reference: mean)
        } else {
            beginWalking(step)
        }
        moveAnchor()
        noteWalked(step)
    }

    /// Extends the track of the steps alone; nothing that satellites have shown is in its direction.
    private mutating func noteWalked(_ step: Step) {
        guard let board = boardDirection(step) else { return }
        let azimuth = atan2(board.direction.x, board.direction.y) - gait.mount.azimuth - state.walkingDirection
        var direction = Vector3(sin(azimuth), cos(azimuth), 0)
        var deviation = settings.steps.directionDeviation
        if let axis = step.axis, axis.deviation < deviation {
            direction = axis.direction.dot(direction) < 0 ? -axis.direction : axis.direction
            deviation = axis.deviation
        }
        // A board that satellites have shown to be worn in another way gives no forward direction.
        if gait.mount.azimuth != 0 || !gait.mount.isKnown { deviation = .pi / 2 }
        let level = Rotation2(yaw: -heading.motion.yaw) * direction
        gait.walked.add(level * (exp(state.stepScale) * step.length), deviation: deviation, line: step.axis?.deviation)
    }

    /// Speed below which the velocity has no direction. Unit: m/s.
    private static let leastKnownSpeed = 0.4
    /// Largest speed of a walk. Unit: m/s.
    private static let largestSpeed = 4.0
}
