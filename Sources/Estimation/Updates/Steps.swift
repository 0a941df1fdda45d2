import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// The steps of a walking wearer tell the horizontal speed and the direction.
extension ErrorStateKalmanFilter {
    /// Looks at the inertial sample up to which the state was carried.
    package mutating func followGait(_ sample: InertialSample) {
        guard !sample.isForceStale else { return }
        let rate = sample.rate - state.gyroBias
        // The force is a mean over the interval before: half of it ago the body was turned less.
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
        let step = gait.judge(at: sample.time, isAided: !unaided.isActive, settings: settings.steps)
        if gait.carriageNumber != before.carriage { changeCarriage(from: before.mount) }
        guard let step else { return }
        steppedAt = state.time
        newestStep = step
        // What carries a wearer along is no walk, however it shakes.
        guard !modes.isRiding else { return refuseStep() }
        // Among fixes with an unknown heading no direction is that of the velocity.
        if isAstray { gait.walked.interrupt() } else { apply(step) }
    }

    /// The wearer is carried: the track of the steps is not the way.
    private mutating func refuseStep() {
        gait.refuse()
        gait.walked.interrupt()
    }

    /// Where the steps may correct: never what tells north, and without satellites not what only they can teach.
    var stepMask: GainMask {
        let mask = GainMask.all.subtracting([.yaw, .hardIron, .magneticOffset, .velocityDelay])
        return unaided.isActive ? mask.subtracting([.stepScale, .walkingDirection]) : mask
    }

    /// Applies a believed step at the present state.
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

    /// Carries the track on that the steps make by themselves; nothing that satellites have taught is in its direction.
    private mutating func noteWalked(_ step: Step) {
        guard let board = boardDirection(step) else { return }
        let azimuth = atan2(board.direction.x, board.direction.y) - gait.mount.azimuth - state.walkingDirection
        var direction = Vector3(sin(azimuth), cos(azimuth), 0)
        var deviation = settings.steps.directionDeviation
        if let axis = step.axis, axis.deviation < deviation {
            direction = axis.direction.dot(direction) < 0 ? -axis.direction : axis.direction
            deviation = axis.deviation
        }
        // A board that satellites have shown to be worn in quite another way says nothing of forwards.
        if gait.mount.azimuth != 0 || !gait.mount.isKnown { deviation = .pi / 2 }
        let level = Rotation2(yaw: -heading.motion.yaw) * direction
        gait.walked.add(level * (exp(state.stepScale) * step.length), deviation: deviation, line: step.axis?.deviation)
    }

    /// Slower motion has no direction. Unit: m/s.
    private static let leastKnownSpeed = 0.4
    /// Nobody walks faster. Unit: m/s.
    private static let largestSpeed = 4.0
}
