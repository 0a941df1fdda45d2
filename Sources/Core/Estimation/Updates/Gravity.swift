import Geometry

/// Updates of the tilt with the direction of gravity, given by the specific force of a body that does not accelerate.
extension ErrorStateKalmanFilter {
    /// Corrects the tilt as the rules of the regime define. While the tilt is uncertain, corrects it with the mean
    /// force in any regime.
    mutating func level(over span: Double) {
        switch rules.levelling {
        case .none: break
        case .byQuietForce: if !levelByQuietForce(over: span), isTiltUncertain { levelByMean() }
        case .byMeanForce: levelByMean()
        case .byVelocities:
            let silence = gnss.lastVelocity.map { state.time.seconds(since: $0) } ?? .infinity
            if silence > settings.inertial.levelAfterSeconds || isTiltUncertain { levelByMean() }
        }
    }

    /// Whether an unknown gyroscope bias has made the tilt so uncertain that any mean force is more accurate.
    @inline(__always)
    private var isTiltUncertain: Bool { tiltStandardDeviation > Self.uncertainTilt }

    /// Standard deviation of the tilt beyond which it counts as uncertain: 2°. Unit: radians.
    private static let uncertainTilt = 0.035

    /// Corrects the tilt with the specific force. The noise grows with the difference between the norm of the force and
    /// gravity.
    ///
    /// - Returns: whether the norm was close enough to gravity for the force to be used.
    private mutating func levelByQuietForce(over span: Double) -> Bool {
        let excess = (inertial.force - state.accelerometerBias).norm - gravity
        let ratio = excess / Self.quietExcess
        let standardDeviation = settings.inertial.levelNoise * (1 + ratio * ratio)
        guard ratio.magnitude < Self.maximumExcessRatio else { return false }
        let model = gravityModel()
        apply(levelUpdate(model, variance: standardDeviation * standardDeviation / span))
        return true
    }

    /// Returns an update that assumes a horizontal force of zero.
    private func levelUpdate(
        _ model: (innovation: Matrix<2, 1>, jacobian: Jacobian<2>), variance: Double
    ) -> Update<2> {
        Update(
            innovation: model.innovation, jacobian: model.jacobian, noise: variance * .diagonalOnes,
            mask: GainMask.all.subtracting(.yaw), gate: InnovationGate(rule: .soften),
            cause: rules.measuresMotion ? .rest : .unaided)
    }

    /// Corrects the tilt with the mean specific force over several steps, minus the centripetal acceleration of a turn,
    /// `ω̄ × v`.
    ///
    /// Equation: docs/filter.md (77).
    private mutating func levelByMean() {
        guard settings.parts.contains(.meanLevelling), let mean = forceMean.take() else { return }
        let model = meanForceModel(mean.force, rateAboutUp: rules.isWalk ? mean.rateAboutUp : 0)
        let ratio = (mean.force.norm - gravity) / Self.quietExcess
        let density = rules.isVehicle ? settings.inertial.ridingLevelNoise : settings.inertial.levelNoise
        let standardDeviation = density * (1 + ratio * ratio)
        apply(levelUpdate(model, variance: standardDeviation * standardDeviation / mean.span))
    }

    /// Measurement model `0 = (f̄ − ω̄ × v)_h`, with the mean force f̄ and the mean rate ω̄ about the vertical. The
    /// velocity is treated as known.
    ///
    /// Frame of `force`: ENU, with the bias removed. Units: m/s², rad/s.
    ///
    /// Equation: docs/filter.md (77).
    package func meanForceModel(
        _ force: Vector3, rateAboutUp: Double
    ) -> (innovation: Matrix<2, 1>, jacobian: Jacobian<2>) {
        var r = Matrix<2, 1>()
        r[0, 0] = -rateAboutUp * state.velocity.y - force.x
        r[1, 0] = rateAboutUp * state.velocity.x - force.y
        // δθ × g, because the force on a body that does not accelerate is opposite to gravity.
        var h = Jacobian<2>()
        h[0, ErrorState.attitude + 1] = gravity
        h[1, ErrorState.attitude] = -gravity
        let rotation = state.rotationENUFromBody.matrix
        for i in 0..<2 {
            for k in 0..<3 { h[i, ErrorState.accelerometerBias + k] = -rotation[i, k] }
        }
        return (r, h)
    }

    /// Difference between the norm of the force and gravity that doubles the standard deviation of the levelling. Unit:
    /// m/s².
    private static let quietExcess = 0.2
    /// Multiple of `quietExcess` beyond which the force is not used.
    private static let maximumExcessRatio = 5.0

    /// Measurement model of a horizontal force of zero at rest: `0 = (R·(f − b))_h`.
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

/// Mean specific force and turn rate over about a second, because the accelerations of a walk cancel over whole steps.
struct ForceMean: Sendable, Codable {
    /// Integral of the specific force. Frame: ENU. Unit: m/s.
    private var impulse = Vector3.zero
    /// Integral of the rate about the vertical. Unit: radians.
    private var turn = 0.0
    /// Length of the interval. Unit: seconds.
    private var span = 0.0

    /// Length of a complete mean: about two steps. Unit: seconds.
    private static let length = 1.0

    /// Adds an interval with its integrated specific force and its rate about the vertical. Frame: ENU. Units: m/s,
    /// rad/s, seconds.
    @inline(__always)
    mutating func add(_ impulse: Vector3, rateAboutUp: Double, over duration: Double) {
        self.impulse += impulse
        turn += rateAboutUp * duration
        span += duration
    }

    /// Returns the means and restarts them; nil while they are incomplete. Units: m/s², rad/s, seconds.
    mutating func take() -> (force: Vector3, rateAboutUp: Double, span: Double)? {
        guard span >= Self.length else { return nil }
        defer { self = ForceMean() }
        return (impulse / span, turn / span, span)
    }
}
