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
        let acceleration = state.rotationENUFromBody * (force - rate.cross(force) * half)
        let gravity = Vector3(0, 0, site?.gravity ?? Site.standardGravity)
        let step = gait.add(
            acceleration: acceleration - gravity, squaredRate: rate.squaredNorm, forward: boardAhead, at: sample.time,
            isAided: !unaided.isActive, settings: settings.steps)
        guard let step else { return }
        steppedAt = state.time
        // What carries a wearer along is no walk, however it shakes.
        guard !modes.isRiding else { return gait.refuse() }
        // Among fixes with an unknown heading no direction is that of the velocity.
        if !isAstray { apply(step) }
    }

    /// Where the steps may correct: never what tells north, and without satellites not what only they can teach.
    private var stepMask: GainMask {
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
        guard unaided.isActive || speed < Self.largestSpeed + 3 * deviation else { return gait.refuse() }
        if !pressure.isAtWork(at: state.time) { holdHeight(step) }
        if unaided.isActive {
            deadReckon(step)
        } else if isKnown {
            correctSpeed(step)
            learnMount(mean)
            correctDirection(step, reference: mean)
        } else {
            beginWalking(step)
        }
        moveAnchor()
        noteWalked(step)
    }

    /// Carries the track on that the steps make by themselves; nothing that satellites have taught is in its direction.
    private mutating func noteWalked(_ step: Step) {
        guard let board = boardDirection() else { return }
        let azimuth = atan2(board.direction.x, board.direction.y) - gait.mount.azimuth - state.walkingDirection
        var direction = Vector3(sin(azimuth), cos(azimuth), 0)
        var deviation = settings.steps.directionDeviation
        if let axis = step.axis, axis.deviation < deviation {
            direction = axis.direction.dot(direction) < 0 ? -axis.direction : axis.direction
            deviation = axis.deviation
        }
        // A board that satellites have shown to be worn in quite another way says nothing of forwards.
        if gait.mount.azimuth != 0 { deviation = .pi / 2 }
        let level = LevelTurn(yaw: -heading.motion.yaw) * direction
        gait.walked.add(level * (exp(state.stepScale) * step.length), deviation: deviation)
    }

    /// Slower motion has no direction. Unit: m/s.
    private static let leastKnownSpeed = 0.4
    /// Nobody walks faster. Unit: m/s.
    private static let largestSpeed = 4.0

    /// Over a step the vertical speed is zero but for slopes and stairs.
    ///
    /// Equation: docs/filter.md (44).
    private mutating func holdHeight(_ step: Step) {
        var r = Matrix<1, 1>()
        r[0, 0] = -(state.velocity.z + step.meanVelocityOffset.z)
        var h = Jacobian<1>()
        h[0, ErrorState.velocity + 2] = 1
        var noise = Matrix<1, 1>()
        noise[0, 0] = settings.steps.verticalNoise * settings.steps.verticalNoise / step.duration
        correct(
            innovation: r, jacobian: h, noise: noise, mask: stepMask,
            gate: InnovationGate(limit: settings.steps.gate, rule: .soften))
    }

    private mutating func correctSpeed(_ step: Step) {
        let model = stepSpeedModel(step)
        let deviation = settings.steps.speedDeviation * step.speed
        var noise = Matrix<1, 1>()
        // Where steps and motion agree less than they should, steps count less.
        noise[0, 0] = deviation * deviation * max(1, gait.discrepancy)
        var r = Matrix<1, 1>()
        r[0, 0] = model.innovation
        let outcome = correct(
            innovation: r, jacobian: model.jacobian, noise: noise, mask: stepMask,
            gate: InnovationGate(limit: settings.steps.gate, rule: .soften))
        gait.discrepancy += 0.1 * (min(25, outcome.normalizedSquare) * max(1, gait.discrepancy) - gait.discrepancy)
    }

    /// `0 = |v̄| − e^κ·l/T`, with the horizontal mean velocity v̄ over the step.
    ///
    /// Equation: docs/filter.md (42).
    package func stepSpeedModel(_ step: Step) -> (innovation: Double, jacobian: Jacobian<1>) {
        let mean = state.velocity + step.meanVelocityOffset
        let speed = max(1e-6, (mean.x * mean.x + mean.y * mean.y).squareRoot())
        let modelled = exp(state.stepScale) * step.speed
        var h = Jacobian<1>()
        h[0, ErrorState.velocity] = mean.x / speed
        h[0, ErrorState.velocity + 1] = mean.y / speed
        h[0, ErrorState.stepScale] = -modelled
        return (modelled - speed, h)
    }

    /// Satellites show whether the board is worn in quite another way.
    private mutating func learnMount(_ mean: Vector3) {
        guard let age = gnss.age(at: state.time), age < Self.freshSeconds, let board = boardDirection() else { return }
        let seen = atan2(mean.x, mean.y) - atan2(board.direction.x, board.direction.y) + state.walkingDirection
        guard gait.mount.add(azimuth: seen) else { return }
        state.walkingDirection = 0
        let deviation = settings.steps.directionDeviation
        isolate(ErrorState.walkingDirection, count: 1, variance: deviation * deviation)
    }

    /// A fix tells the direction of walking for so long. Unit: seconds.
    private static let freshSeconds = 2.0

    /// Across the line of walking the velocity is zero: by the line that the gait shows or by the board's forward
    /// direction, whichever is known better.
    private mutating func correctDirection(_ step: Step, reference: Vector3) {
        let modelled = exp(state.stepScale) * step.speed
        var noise = Matrix<1, 1>()
        var r = Matrix<1, 1>()
        let gate = InnovationGate(limit: settings.steps.gate, rule: unaided.isActive ? .soften : .reject)
        if let axis = step.axis, axis.deviation < settings.steps.directionDeviation {
            let direction = axis.direction.dot(reference) < 0 ? -axis.direction : axis.direction
            let model = axisModel(step, direction: direction)
            noise[0, 0] = axis.deviation * axis.deviation * modelled * modelled * settings.steps.axisSteps
            r[0, 0] = model.innovation
            correct(innovation: r, jacobian: model.jacobian, noise: noise, mask: stepMask, gate: gate)
        } else if let model = boardDirectionModel(step) {
            let deviation = settings.steps.boardDeviation * modelled
            noise[0, 0] = deviation * deviation
            r[0, 0] = model.innovation
            correct(innovation: r, jacobian: model.jacobian, noise: noise, mask: stepMask, gate: gate)
        }
    }

    /// `0 = n·v̄` across a horizontal direction that was found through the attitude, and turns with its error.
    ///
    /// Equation: docs/filter.md (43).
    package func axisModel(_ step: Step, direction: Vector3) -> (innovation: Double, jacobian: Jacobian<1>) {
        let mean = state.velocity + step.meanVelocityOffset
        let right = Vector3(direction.y, -direction.x, 0)
        var h = Jacobian<1>()
        h[0, ErrorState.velocity] = right.x
        h[0, ErrorState.velocity + 1] = right.y
        h[0, ErrorState.yaw] = direction.dot(mean)
        return (-right.dot(mean), h)
    }

    /// `0 = n·v̄` across the board's forward direction and its offset; nil while the board's x axis is too steep.
    ///
    /// Equation: docs/filter.md (43).
    package func boardDirectionModel(_ step: Step) -> (innovation: Double, jacobian: Jacobian<1>)? {
        guard let board = boardDirection() else { return nil }
        let mean = state.velocity + step.meanVelocityOffset
        let right = Vector3(board.direction.y, -board.direction.x, 0)
        let along = board.direction.dot(mean)
        var h = Jacobian<1>()
        h[0, ErrorState.velocity] = right.x
        h[0, ErrorState.velocity + 1] = right.y
        for k in 0..<3 { h[0, ErrorState.attitude + k] = -along * board.azimuthGradient[k] }
        h[0, ErrorState.walkingDirection] = -along
        return (-right.dot(mean), h)
    }

    /// The direction in which the wearer is thought to walk: up × the body's x axis, turned by the offset. So it is that
    /// of the line of sight of glasses and of the top of a telephone held flat.
    ///
    /// - Returns: a horizontal direction of length 1 and the derivative of its azimuth by the attitude error.
    package func boardDirection() -> (direction: Vector3, azimuthGradient: InlineArray<3, Double>)? {
        let x = state.rotationENUFromBody * Vector3(1, 0, 0)
        let square = x.x * x.x + x.y * x.y
        guard square > Self.leastLevel * Self.leastLevel else { return nil }
        let azimuth = atan2(-x.y, x.x) + gait.mount.azimuth + state.walkingDirection
        return (
            Vector3(sin(azimuth), cos(azimuth), 0), [x.x * x.z / square, x.y * x.z / square, -1]
        )
    }

    /// Up × the body's x axis. Frame: ENU; horizontal, shorter than 1 the steeper the axis is.
    @inline(__always)
    var boardAhead: Vector3 {
        let x = state.rotationENUFromBody * Vector3(1, 0, 0)
        return Vector3(-x.y, x.x, 0)
    }

    /// Cosine of the steepness of the body's x axis at which forward loses its meaning.
    static let leastLevel = 0.4

    /// The first steps, while the velocity is not known: speed and direction at once.
    private mutating func beginWalking(_ step: Step) {
        guard let model = walkingVelocityModel(step) else { return }
        let (along, across) = (settings.steps.speedDeviation, settings.steps.boardDeviation)
        let d = model.direction
        let square = model.speed * model.speed
        var noise = Matrix<2, 2>()
        noise[0, 0] = square * (along * along * d.x * d.x + across * across * d.y * d.y)
        noise[1, 1] = square * (along * along * d.y * d.y + across * across * d.x * d.x)
        noise[0, 1] = square * (along * along - across * across) * d.x * d.y
        noise[1, 0] = noise[0, 1]
        let gate = unaided.isActive ? nil : InnovationGate(limit: settings.steps.gate, rule: .reject)
        correct(innovation: model.innovation, jacobian: model.jacobian, noise: noise, mask: stepMask, gate: gate)
    }

    /// `0 = v̄ − e^κ·l/T·d`, with the board's direction d.
    package func walkingVelocityModel(
        _ step: Step
    ) -> (innovation: Matrix<2, 1>, jacobian: Jacobian<2>, direction: Vector3, speed: Double)? {
        guard let board = boardDirection() else { return nil }
        let d = board.direction
        let speed = exp(state.stepScale) * step.speed
        let mean = state.velocity + step.meanVelocityOffset
        var r = Matrix<2, 1>()
        r[0, 0] = speed * d.x - mean.x
        r[1, 0] = speed * d.y - mean.y
        var h = Jacobian<2>()
        let right = Vector3(d.y, -d.x, 0)
        for (i, (along, across)) in [(d.x, right.x), (d.y, right.y)].enumerated() {
            h[i, ErrorState.velocity + i] = 1
            h[i, ErrorState.stepScale] = -speed * along
            for k in 0..<3 { h[i, ErrorState.attitude + k] = -speed * across * board.azimuthGradient[k] }
            h[i, ErrorState.walkingDirection] = -speed * across
        }
        return (r, h, d, speed)
    }

    /// Who has walked and walks no more stands.
    mutating func holdStanding(over span: Double) {
        let isFresh = gnss.age(at: state.time).map { $0 < 3 } ?? false
        guard !isFresh, gait.isStanding(at: state.time, settings: settings.steps) else { return }
        influence.cause = .steps
        let noise = settings.steps.standingNoise
        correct(
            innovation: column(-state.velocity), jacobian: Self.identityJacobian(ErrorState.velocity),
            noise: (noise * noise / span) * Matrix<3, 3>.identity,
            mask: stepMask.subtracting([.stepScale, .walkingDirection]),
            gate: InnovationGate(limit: settings.steps.standingGate, rule: .reject))
    }
}
