import Geometry
import Measurements

/// Zero-velocity update (ZUPT), and the angular rate at rest as a measurement of the gyroscope bias.
///
/// A vehicle at constant speed looks at rest to the inertial sensors. So a GNSS speed overrides the inertial rest
/// detector, and the update is withheld; without one, rest must agree with the estimated velocity and its covariance.
extension ErrorStateKalmanFilter {
    /// Applies a zero velocity, and the mean angular rate as the bias.
    ///
    /// Equation: docs/filter.md (37).
    mutating func holdRest() {
        let span = restSpan
        restSpan = 0
        guard isRateThatOfRest else { return }
        influence.cause = .rest
        let noise = settings.rest
        let gate: InnovationGate
        if let isMoving = gnss.motion.isMoving(at: state.time, beyond: noise.gnssSpeed) {
            guard !isMoving else { return }
            gate = InnovationGate(limit: noise.gate, rule: .soften)
        } else if unaided.isActive {
            gate = InnovationGate(limit: noise.gate, rule: .soften)
        } else {
            gate = InnovationGate(limit: noise.blindGate, rule: .reject)
        }
        let outcome = correct(
            innovation: column(-state.velocity), jacobian: Self.identityJacobian(ErrorState.velocity),
            noise: (noise.velocityNoise * noise.velocityNoise / span) * Matrix<3, 3>.identity,
            mask: GainMask.all.subtracting([.yaw, .stepScale, .walkingDirection]), gate: gate)
        guard outcome.isAccepted else { return }
        learnGyroBias(over: span)
        restedAt = state.time
    }

    /// Mean angular rate beyond earth rotation and bias. Frame: body. Unit: rad/s.
    @inline(__always)
    private var rateBeyondBias: Vector3 {
        let earth = site.map { state.rotationENUFromBody.inverse * $0.earthRate } ?? .zero
        return rest.meanRate - earth - state.gyroBias
    }

    /// Whether the mean rate is compatible with rest: within the uncertainty of the bias, or more constant than any
    /// rotation of a wearer.
    @inline(__always)
    private var isRateThatOfRest: Bool {
        let limits = settings.rest
        return rateBeyondBias.norm < max(limits.largestRate, limits.gate * deviation(ErrorState.gyroBias))
            || rest.steadyRateSeconds > limits.longestEvenTurn
    }

    private mutating func learnGyroBias(over span: Double) {
        let noise = settings.rest
        let excess = rateBeyondBias
        let bias = ErrorState.gyroBias
        if excess.norm > max(noise.largestRate, noise.gate * deviation(bias)) {
            // Beyond the uncertainty of the bias: its estimate is void.
            resetCovariance(bias, count: 3, variance: excess.squaredNorm)
        }
        correct(
            innovation: column(excess), jacobian: Self.identityJacobian(bias),
            noise: (noise.rateNoise * noise.rateNoise / span) * Matrix<3, 3>.identity, mask: .gyroBias,
            gate: InnovationGate(limit: noise.gate, rule: .soften))
    }
}
