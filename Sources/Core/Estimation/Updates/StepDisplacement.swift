import Geometry

import Glibc

/// Pedestrian dead reckoning (PDR) without satellites, as a step-and-heading system, in which a step is a displacement
/// in the board's direction.
///
/// The step, not the accelerometer, predicts the position. Therefore errors of the step's direction or length are
/// position errors, and do not affect tilt or biases.
///
/// Source: Harle, "A survey of indoor inertial positioning systems for pedestrians", IEEE Communications Surveys and
/// Tutorials 15(3), 2013, the section on step-and-heading systems.
extension ErrorStateKalmanFilter {
    /// Moves the position by a step and by the earlier steps that this step confirms.
    ///
    /// - Returns: `applied`; nil if the direction of the step is unknown.
    mutating func deadReckon(_ step: Step) -> UpdateOutcome? {
        guard let board = boardDirection(step) else { return nil }
        let scale = exp(state.stepScale)
        let length = scale * step.length
        let turn = Rotation2(yaw: -(gait.mount.azimuth + state.walkingDirection))
        let displacement = board.direction * length + turn * (step.credit * scale)
        pendingWay.add(displacement, speed: scale * step.speed, length: length)
        walkedWay = walkedWay + Vector2(displacement)
        var jacobian = stepModel(displacement, azimuthGradient: board.azimuthGradient)
        var noise = stepNoise(displacement)
        if !gait.mount.isKnown {
            jacobian[0, ErrorState.walkingDirection] = 0
            jacobian[1, ErrorState.walkingDirection] = 0
            let more = undirectedWay.add(displacement)
            noise[0, 0] += more
            noise[1, 1] += more
        }
        displace(by: jacobian, noise: noise)
        return .applied
    }

    /// Handles a change in how the board is carried, detected from its posture or the gait. Resets the walking
    /// direction λ. If the direction of walking was unknown and is now known, rotates the displacement walked so far.
    mutating func changeCarriage(from mount: BoardMount) {
        propagateCovariance()
        resetWalkingDirection()
        guard !rules.measuresMotion, !mount.isKnown, gait.mount.source != .nothing else {
            undirectedWay = UndirectedWay()
            return
        }
        let change = undirectedWay.turn(by: Rotation2(yaw: mount.azimuth - gait.mount.azimuth))
        pendingWay.add(change)
        walkedWay = walkedWay + Vector2(change)
        if gait.mount.isKnown { undirectedWay = UndirectedWay() }
    }

    /// Returns the Jacobian of the displacement `e^κ·l·d(ψ + λ)` of a step with respect to the error state.
    ///
    /// Equation: docs/filter.md (75).
    @inline(__always)
    package func stepModel(_ displacement: Vector3, azimuthGradient: InlineArray<3, Double>) -> Jacobian<2> {
        // The azimuth is clockwise: a larger azimuth moves the end of the step to the right.
        let right = Vector3(displacement.y, -displacement.x, 0)
        var h = Jacobian<2>()
        for k in 0..<3 {
            h[0, ErrorState.attitude + k] = right.x * azimuthGradient[k]
            h[1, ErrorState.attitude + k] = right.y * azimuthGradient[k]
        }
        h[0, ErrorState.walkingDirection] = right.x
        h[1, ErrorState.walkingDirection] = right.y
        h[0, ErrorState.stepScale] = displacement.x
        h[1, ErrorState.stepScale] = displacement.y
        return h
    }

    @inline(__always)
    private func stepNoise(_ displacement: Vector3) -> Matrix<2, 2> {
        let along = settings.steps.alongStandardDeviation * settings.steps.alongStandardDeviation
        let across = settings.steps.acrossStandardDeviation * settings.steps.acrossStandardDeviation
        var noise = Matrix<2, 2>()
        noise[0, 0] = along * displacement.x * displacement.x + across * displacement.y * displacement.y
        noise[1, 1] = along * displacement.y * displacement.y + across * displacement.x * displacement.x
        noise[0, 1] = (along - across) * displacement.x * displacement.y
        noise[1, 0] = noise[0, 1]
        return noise
    }

    /// Sets the horizontal velocity so that the position moves through the pending displacement.
    mutating func walkOn(over duration: Double) {
        let velocity = pendingWay.take(over: duration, settings.steps)
        state.velocity.x = velocity.x
        state.velocity.y = velocity.y
    }
}

/// Displacement of detected steps that the published position has not yet covered. A step is detected only at its end;
/// moving at a steady speed avoids a jump.
package struct PendingWay: Sendable, Codable {
    /// Remaining displacement. Frame: ENU, horizontal. Unit: metres.
    package private(set) var way = Vector3.zero
    /// Mean speed of the last step. Unit: m/s.
    package private(set) var speed = 0.0
    /// Length of the last step. Unit: metres.
    private var length = 0.0

    package var isEmpty: Bool { way == .zero }

    /// Adds the displacement of a step and of the earlier steps that it confirms.
    mutating func add(_ more: Vector3, speed: Double, length: Double) {
        way += more
        self.speed = speed
        self.length = length
    }

    /// Adds a displacement that corrects earlier steps.
    mutating func add(_ more: Vector3) { if length > 0 { way += more } }

    /// Removes the displacement of the next interval. The speed grows with the remaining displacement.
    ///
    /// - Returns: the velocity. Frame: ENU. Unit: m/s.
    mutating func take(over duration: Double, _ settings: EstimatorSettings.Steps) -> Vector3 {
        let size = way.norm
        guard size > Self.minimumDisplacement else {
            way = .zero
            return .zero
        }
        let ratio = size / (settings.pendingShare * length)
        let pace = speed * min(settings.pendingSpeeds.upperBound, max(settings.pendingSpeeds.lowerBound, ratio))
        let share = min(1, pace * duration / size)
        let taken = way * share
        way = share < 1 ? way - taken : .zero
        return taken / duration
    }

    /// Removes and returns the whole remaining displacement, because another source now determines the position.
    mutating func takeAll() -> Vector3 {
        defer { way = .zero }
        return way
    }

    mutating func turn(by turn: Rotation3) { way = turn * way }

    /// Length below which a remaining displacement is discarded. Unit: metres.
    private static let minimumDisplacement = 1e-6
}

/// Displacement of steps in an unknown direction, and the position error that results.
///
/// If the error Δ of the direction is uniform over the circle, the position error is |2·sin(Δ/2)| times the
/// displacement; 68 % of these errors are below 1.75 times the displacement. The variance is that of a circular
/// Gaussian with the same 68 % radius. An error state cannot represent such an error, because it is linear.
package struct UndirectedWay: Sendable, Codable {
    /// Displacement so far. Frame: ENU, horizontal. Unit: metres.
    private var way = Vector3.zero

    /// Standard deviation per axis for each metre, which is 1.75 divided by the 68 % radius of a circular Gaussian.
    private static let share = 1.16
    /// Length from which a displacement is not rotated when its direction is found, because the jump would be worse.
    /// Unit: metres.
    private static let maximumTurnedDisplacement = 15.0

    /// Adds a step.
    ///
    /// - Returns: the amount by which the position variance of each horizontal axis grows. Unit: m².
    mutating func add(_ step: Vector3) -> Double {
        let before = way.squaredNorm
        way += step
        return Self.share * Self.share * max(0, way.squaredNorm - before)
    }

    /// Rotates the displacement.
    ///
    /// - Returns: the vector by which the end of the displacement moves. Frame: ENU. Unit: metres.
    mutating func turn(by turn: Rotation2) -> Vector3 {
        guard way.norm < Self.maximumTurnedDisplacement else { return .zero }
        let turned = turn * way
        defer { way = turned }
        return turned - way
    }

    mutating func turn(by turn: Rotation3) { way = turn * way }
}
