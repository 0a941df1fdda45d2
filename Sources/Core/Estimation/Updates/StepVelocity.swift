import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Updates by the speed of a step: the horizontal speed equals the speed of the step model, the vertical speed is zero.
extension ErrorStateKalmanFilter {
    /// Corrects by the modelled speed of a step.
    mutating func correctSpeed(_ step: Step) -> UpdateOutcome {
        let model = stepSpeedModel(step)
        let standardDeviation = settings.steps.speedStandardDeviation * step.speed
        let isAdaptive = settings.parts.contains(.stepDiscrepancy)
        // The noise grows if the innovations are larger than predicted.
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
        let speed = max(1e-6, (mean.x * mean.x + mean.y * mean.y).squareRoot())
        let modelled = exp(state.stepScale) * step.speed
        var h = Jacobian<1>()
        h[0, ErrorState.velocity] = mean.x / speed
        h[0, ErrorState.velocity + 1] = mean.y / speed
        h[0, ErrorState.stepScale] = -modelled
        return (modelled - speed, h)
    }

    /// Corrects by a vertical speed of zero over a step, with noise that allows for slopes and stairs.
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

/// Update by the first steps, while the velocity is unknown: speed and direction at once.
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
