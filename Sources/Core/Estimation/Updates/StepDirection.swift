import Geometry

import Glibc

/// Update with the direction of a step: the velocity across the walking axis is zero.
extension ErrorStateKalmanFilter {
    /// Updates the filter with a velocity of zero across the walking axis or across the board's forward direction,
    /// whichever has the smaller variance.
    mutating func correctDirection(_ step: Step, reference: Vector3) {
        guard settings.parts.contains(.stepDirection) else { return }
        let modelled = exp(state.stepScale) * step.speed
        let gate = InnovationGate(rule: .reject)
        if let axis = step.axis, isLineBetter(axis.standardDeviation) {
            var direction = Self.line(axis.direction, along: reference)
            var variance = axis.standardDeviation * axis.standardDeviation
            if !isCourseFresh {
                direction = Rotation2(yaw: gait.lineBias.angle) * direction
                variance += gait.lineBias.standardDeviation * gait.lineBias.standardDeviation
            }
            let model = axisModel(step, direction: direction)
            apply(
                Self.scalarUpdate(
                    model.innovation, model.jacobian,
                    variance: variance * modelled * modelled * settings.steps.axisSteps,
                    mask: rules.stepMask, gate: gate, cause: .steps))
        } else if let model = boardDirectionModel(step) {
            let standardDeviation = settings.steps.boardStandardDeviation * modelled
            apply(
                Self.scalarUpdate(
                    model.innovation, model.jacobian, variance: standardDeviation * standardDeviation,
                    mask: rules.stepMask, gate: gate, cause: .steps))
        }
    }

    /// Compares the course with the board's direction while the heading is unconfirmed, because walkers look where they
    /// go, to within about 20°. The comparison is evidence for or against the yaw. In a hypothesis that the
    /// magnetometer does not correct, it also corrects the yaw.
    ///
    /// - Returns: whether the comparison corrected the state.
    mutating func compareCourse(_ step: Step) -> Bool {
        guard settings.parts.contains(.stepDirection), isCourseMeasured, let model = boardDirectionModel(step) else {
            return false
        }
        let isHypothesis = heading.field.isRefuted
        let standardDeviation = settings.steps.boardStandardDeviation * exp(state.stepScale) * step.speed
        let outcome = apply(
            Self.scalarUpdate(
                model.innovation, model.jacobian, variance: standardDeviation * standardDeviation,
                mask: isHypothesis ? rules.stepMask.union(.yaw) : [], gate: InnovationGate(rule: .soften),
                cause: .steps))
        heading.note(course: outcome)
        return isHypothesis
    }

    /// Whether the receiver has just measured the velocity; positions alone do not determine the course over a few
    /// steps.
    @inline(__always)
    private var isCourseMeasured: Bool {
        gnss.lastVelocity.map { state.time.seconds(since: $0) < Self.freshSeconds } ?? false
    }

    /// Whether the walking axis from the gait has a smaller variance than the board's direction.
    @inline(__always)
    private func isLineBetter(_ shape: Double) -> Bool {
        let limit = settings.steps.directionStandardDeviation
        guard gait.mount.isKnown, !isCourseFresh else { return shape < limit }
        return shape * shape + gait.lineBias.standardDeviation * gait.lineBias.standardDeviation < limit * limit
    }

    /// Whether recent fixes determine the walking direction.
    @inline(__always)
    private var isCourseFresh: Bool { gnss.age(at: state.time).map { $0 < Self.freshSeconds } ?? false }

    private static func line(_ direction: Vector3, along reference: Vector3) -> Vector3 {
        direction.dot(reference) < 0 ? -direction : direction
    }

    /// Measurement model `0 = n·v̄` across a horizontal direction. The attitude was used to determine this direction,
    /// so the direction rotates with the attitude error.
    ///
    /// Equation: docs/filter.md (43).
    @inline(__always)
    package func axisModel(_ step: Step, direction: Vector3) -> (innovation: Double, jacobian: Jacobian<1>) {
        let mean = state.velocity + step.meanVelocityOffset
        let right = Vector3(direction.y, -direction.x, 0)
        var h = Jacobian<1>()
        h[0, ErrorState.velocity] = right.x
        h[0, ErrorState.velocity + 1] = right.y
        h[0, ErrorState.yaw] = direction.dot(mean)
        return (-right.dot(mean), h)
    }

    /// Measurement model `0 = n·v̄` across the board's forward direction, rotated by its offset; nil if the forward
    /// direction is unknown or too steep.
    ///
    /// Equation: docs/filter.md (43).
    @inline(__always)
    package func boardDirectionModel(_ step: Step) -> (innovation: Double, jacobian: Jacobian<1>)? {
        guard gait.mount.isKnown, let board = boardDirection(step) else { return nil }
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

    /// Assumed direction of walking: up × the reference axis of the body, rotated by mount and offset. If the board is
    /// worn as designed, this is the line of sight of glasses, or the top of a telephone held flat.
    ///
    /// - Parameter step: step over which the axis is averaged; nil to use the current axis.
    /// - Returns: a horizontal unit vector and the derivative of its azimuth with respect to the attitude error; nil
    ///   while the axis is too steep.
    @inline(__always)
    package func boardDirection(
        _ step: Step? = nil
    ) -> (direction: Vector3, azimuthGradient: InlineArray<3, Double>)? {
        let x = step?.across?.normalized ?? (state.rotationENUFromBody * gait.reference.axis)
        let square = x.x * x.x + x.y * x.y
        guard square > Self.minimumLevel * Self.minimumLevel else { return nil }
        let azimuth = atan2(-x.y, x.x) + gait.reference.offset + gait.mount.azimuth + state.walkingDirection
        return (
            Vector3(sin(azimuth), cos(azimuth), 0), [x.x * x.z / square, x.y * x.z / square, -1]
        )
    }

    /// Horizontal vector up × the body's x axis, which is shorter the steeper the axis is. Frame: ENU.
    @inline(__always)
    var boardAhead: Vector3 {
        let x = state.rotationENUFromBody * Vector3(1, 0, 0)
        return Vector3(-x.y, x.x, 0)
    }

    /// Cosine of the elevation of the body's x axis below which the axis is too steep to determine a forward direction.
    static let minimumLevel = 0.4

    /// Learns, from the measured velocity, how the board is worn and how far the walking axis is biased.
    mutating func learnMount(_ step: Step, _ mean: Vector3) {
        guard isCourseFresh else { return }
        if let axis = step.axis, axis.standardDeviation < settings.steps.directionStandardDeviation,
            settings.parts.contains(.lineBias)
        {
            let ahead = Self.line(axis.direction, along: mean)
            gait.lineBias.add(atan2(ahead.x * mean.y - ahead.y * mean.x, ahead.dot(mean)))
        }
        guard settings.parts.contains(.mountByFixes), let board = boardDirection(step) else { return }
        let seen = atan2(mean.x, mean.y) - atan2(board.direction.x, board.direction.y) + state.walkingDirection
        guard gait.mount.add(azimuth: seen) else { return }
        resetWalkingDirection()
    }

    /// Resets the walking direction λ, which is relative to the mount.
    mutating func resetWalkingDirection() {
        state.walkingDirection = 0
        resetCovariance(ErrorState.walkingDirection, standardDeviation: settings.steps.directionStandardDeviation)
    }

    /// Largest age of a fix that determines the walking direction. Unit: seconds.
    private static let freshSeconds = 2.0
}
