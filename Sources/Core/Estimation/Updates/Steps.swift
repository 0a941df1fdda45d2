import Geometry
import Glibc
import Model

/// Choice of how a detected step updates the filter.
extension ErrorStateKalmanFilter {
    /// Rejects a step because the wearer is being carried, so that steps do not account for the whole motion.
    private mutating func refuseStep() -> UpdateOutcome {
        gait.refuse()
        gait.walked.interrupt()
        return .refused
    }

    /// Applies a detected step at the current state, as the rules of the regime define.
    ///
    /// - Returns: the result of the update with the step's speed, or with the speed and direction of one of the first
    ///   steps; nil if the direction of the step is unknown.
    @discardableResult
    package mutating func apply(_ step: Step) -> UpdateOutcome? {
        influence.cause = .steps
        propagateCovariance()
        let outcome: UpdateOutcome?
        switch rules.steps {
        case .refused: return refuseStep()
        case .undirected:
            gait.walked.interrupt()
            return nil
        case .displacement:
            holdHeight(step)
            outcome = deadReckon(step)
            movePlace()
        case .velocity:
            guard isWalkingPace(step) else { return refuseStep() }
            holdHeight(step)
            outcome = correctVelocity(step)
        }
        noteWalked(step)
        return outcome
    }

    private mutating func correctVelocity(_ step: Step) -> UpdateOutcome? {
        let mean = state.velocity + step.meanVelocityOffset
        guard mean.horizontalNorm > max(Self.minimumKnownSpeed, 3 * horizontalVelocityStandardDeviation) else {
            return beginWalking(step)
        }
        let outcome = settings.parts.contains(.stepSpeed) ? correctSpeed(step) : nil
        if rules.searchesYaw, compareCourse(step) { return outcome }
        learnMount(step, mean)
        correctDirection(step, reference: mean)
        return outcome
    }

    /// Whether the velocity over a step is compatible with a walk.
    @inline(__always)
    private func isWalkingPace(_ step: Step) -> Bool {
        let mean = state.velocity + step.meanVelocityOffset
        return mean.horizontalNorm < Self.maximumSpeed + 3 * horizontalVelocityStandardDeviation
    }

    /// Standard deviation of the velocity along the less accurate horizontal axis. Unit: m/s.
    @inline(__always)
    var horizontalVelocityStandardDeviation: Double {
        max(standardDeviation(ErrorState.velocity), standardDeviation(ErrorState.velocity + 1))
    }

    /// Extends the track that consists only of steps, whose direction uses no information from satellites.
    private mutating func noteWalked(_ step: Step) {
        guard let board = boardDirection(step) else { return }
        let azimuth = atan2(board.direction.x, board.direction.y) - gait.mount.azimuth - state.walkingDirection
        var direction = Vector3(sin(azimuth), cos(azimuth), 0)
        var standardDeviation = settings.steps.directionStandardDeviation
        if let axis = step.axis, axis.standardDeviation < standardDeviation {
            direction = axis.direction.dot(direction) < 0 ? -axis.direction : axis.direction
            standardDeviation = axis.standardDeviation
        }
        // If satellites have shown that the board is not worn as designed, its design gives no forward direction.
        if gait.mount.azimuth != 0 || !gait.mount.isKnown { standardDeviation = .pi / 2 }
        let level = Rotation2(yaw: -heading.motion.yaw) * direction
        gait.walked.add(
            level * (exp(state.stepScale) * step.length), standardDeviation: standardDeviation,
            line: step.axis?.standardDeviation)
    }

    /// Speed below which the velocity has no usable direction. Unit: m/s.
    private static let minimumKnownSpeed = 0.4
    /// Largest speed of a walk. Unit: m/s.
    private static let maximumSpeed = 4.0
}

extension EstimatorSettings {
    /// Error model of the steps of a walking wearer.
    public struct Steps: Hashable, Sendable {
        /// Initial standard deviation of the logarithm of the ratio of true to modelled step length. Raise it to learn
        /// the wearer's step length sooner. Origin: spread of step lengths among people of the same height.
        public var scaleStandardDeviation = 0.2
        /// Random walk of the logarithm of the step length ratio. Raise it to follow a wearer whose steps change. Unit:
        /// 1/√s. Origin: changes of shoes and ground.
        public var scaleWalk = 0.003
        /// Standard deviation of the walking direction relative to the board's forward direction. Raise it to trust the
        /// board's direction less. Unit: radians. Origin: 19°, as for a head or a hand.
        public var directionStandardDeviation = 0.33
        /// Correlation time of the difference between walking direction and forward direction. Raise it to keep the
        /// difference learned under satellites for longer. Unit: seconds.
        public var directionSeconds = 60.0
        /// Standard deviation of a step along the track, without satellites, as a fraction of its length. Raise it to
        /// let the position become uncertain sooner.
        public var alongStandardDeviation = 0.1
        /// Standard deviation of a step across the track, without satellites, as a fraction of its length. Raise it to
        /// let the position become uncertain sooner.
        public var acrossStandardDeviation = 0.15
        /// Mean distance by which the published position trails, as a share of a step's length, because a step is
        /// detected only at its end. Raise it to move more slowly through the pending displacement.
        public var pendingShare = 0.4
        /// Range of speeds at which the position follows the pending displacement, as multiples of the step's speed.
        /// Raise the upper bound to catch up sooner but less evenly, and the lower bound to stop more abruptly.
        public var pendingSpeeds = 0.5...2.5
        /// Noise density of the zero velocity that is assumed when a wearer has stopped walking. Raise it to give this
        /// pseudo-measurement less weight. Unit: m/s·√s. Origin: a shift of weight.
        public var standingNoise = 0.2
        /// `standingNoise` if the receiver confirms that the wearer is standing. Raise it to give the
        /// pseudo-measurement less weight with fixes. Unit: m/s·√s. Origin: two independent sensors agree.
        public var seenStandingNoise = 0.15
        /// Number of standard deviations beyond which the estimated velocity contradicts standing. Raise it to assume
        /// standing in spite of a larger velocity. Origin: a starting vehicle is not standing.
        public var standingGate = 5.0
        /// Standard deviation of a step's speed with fixes, as a fraction of the speed. Raise it to give steps less
        /// weight than fixes. Origin: variation of the step length from one step to the next.
        public var speedStandardDeviation = 0.12
        /// Standard deviation, independent at each step, of the difference between the board's direction and the
        /// walking direction. Raise it to trust the board's direction less. Unit: radians. Origin: walkers look about.
        public var boardStandardDeviation = 0.15
        /// Number of steps over which the error of the walking axis is correlated. Raise it to give the walking axis
        /// less weight. Origin: the window of the Fourier sum.
        public var axisSteps = 10.0
        /// Noise density of the zero vertical speed that is assumed during a walk. Raise it to allow steeper slopes.
        /// Unit: m/s·√s. Origin: a slope of one in three.
        public var verticalNoise = 0.4
    }
}

/// Updates with the speed of a step: the horizontal speed equals that of the step model, and the vertical speed is
/// zero.
extension ErrorStateKalmanFilter {
    /// Corrects the velocity with the modelled speed of a step.
    mutating func correctSpeed(_ step: Step) -> UpdateOutcome {
        let model = stepSpeedModel(step)
        let standardDeviation = settings.steps.speedStandardDeviation * step.speed
        let isAdaptive = settings.parts.contains(.stepDiscrepancy)
        // The noise is larger while innovations are larger than predicted.
        let variance = standardDeviation * standardDeviation * (isAdaptive ? max(1, gait.discrepancy) : 1)
        let outcome = apply(
            Self.scalarUpdate(
                model.innovation, model.jacobian, variance: variance, mask: rules.stepMask,
                gate: InnovationGate(rule: .soften), cause: .steps))
        gait.discrepancy +=
            0.1 * (min(25, outcome.normalizedInnovationSquared) * max(1, gait.discrepancy) - gait.discrepancy)
        return UpdateOutcome(outcome)
    }

    /// Measurement model `0 = |v̄| − e^κ·l/T`, with the horizontal mean velocity v̄ over the step.
    ///
    /// Equation: docs/filter.md (42).
    @inline(__always)
    package func stepSpeedModel(_ step: Step) -> (innovation: Double, jacobian: Jacobian<1>) {
        let mean = state.velocity + step.meanVelocityOffset
        let speed = max(1e-6, mean.horizontalNorm)
        let modelled = exp(state.stepScale) * step.speed
        var h = Jacobian<1>()
        h[0, ErrorState.velocity] = mean.x / speed
        h[0, ErrorState.velocity + 1] = mean.y / speed
        h[0, ErrorState.stepScale] = -modelled
        return (modelled - speed, h)
    }

    /// Corrects the velocity as if the vertical speed over a step were zero, with noise that allows for slopes and
    /// stairs.
    ///
    /// Equation: docs/filter.md (44).
    mutating func holdHeight(_ step: Step) {
        guard !pressure.isAtWork(at: state.time), settings.parts.contains(.stepHeight) else { return }
        var h = Jacobian<1>()
        h[0, ErrorState.velocity + 2] = 1
        let noise = settings.steps.verticalNoise
        apply(
            Self.scalarUpdate(
                -(state.velocity.z + step.meanVelocityOffset.z), h, variance: noise * noise / step.duration,
                mask: rules.stepMask, gate: InnovationGate(rule: .soften), cause: .steps))
    }
}

/// Update by the first steps, while the velocity is unknown: speed and direction together.
extension ErrorStateKalmanFilter {
    /// Corrects the velocity by the modelled speed in the board's direction.
    ///
    /// - Returns: the result; nil if the board's direction is unknown.
    mutating func beginWalking(_ step: Step) -> UpdateOutcome? {
        guard settings.parts.contains(.firstSteps), let model = walkingVelocityModel(step) else { return nil }
        let (along, across) = (settings.steps.speedStandardDeviation, settings.steps.boardStandardDeviation)
        let d = model.direction
        let square = model.speed * model.speed
        var noise = Matrix<2, 2>()
        noise[0, 0] = square * (along * along * d.x * d.x + across * across * d.y * d.y)
        noise[1, 1] = square * (along * along * d.y * d.y + across * across * d.x * d.x)
        noise[0, 1] = square * (along * along - across * across) * d.x * d.y
        noise[1, 0] = noise[0, 1]
        return UpdateOutcome(
            apply(
                Update(
                    innovation: model.innovation, jacobian: model.jacobian, noise: noise, mask: rules.stepMask,
                    gate: InnovationGate(rule: .reject), cause: .steps)))
    }

    /// Measurement model `0 = v̄ − e^κ·l/T·d`, with the board's direction d.
    @inline(__always)
    package func walkingVelocityModel(
        _ step: Step
    ) -> (innovation: Matrix<2, 1>, jacobian: Jacobian<2>, direction: Vector3, speed: Double)? {
        guard gait.mount.isKnown, let board = boardDirection(step) else { return nil }
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
}
