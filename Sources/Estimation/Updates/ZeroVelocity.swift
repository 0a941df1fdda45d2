import Geometry
import Model

/// What rest tells, where it is believed.
///
/// A vehicle at constant speed looks at rest to the inertial sensors. So a receiver that still measures a speed has the
/// word; without one the verdict must agree with the velocity that the filter has and how well it has it.
extension ErrorStateKalmanFilter {
    /// Zero velocity, and the angular rate as the bias.
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

    /// Frame: body. Unit: rad/s.
    @inline(__always)
    private var rateBeyondBias: Vector3 {
        let earth = site.map { state.rotationENUFromBody.inverse * $0.earthRate } ?? .zero
        return rest.meanRate - earth - state.gyroBias
    }

    /// A mean rate that the bias does not explain is a turn, unless it is more even than a body turns.
    @inline(__always)
    private var isRateThatOfRest: Bool {
        let limits = settings.rest
        return rateBeyondBias.norm < max(limits.largestRate, limits.gate * deviation(ErrorState.gyroBias))
            || rest.evenSeconds > limits.longestEvenTurn
    }

    private mutating func learnGyroBias(over span: Double) {
        let noise = settings.rest
        let excess = rateBeyondBias
        let bias = ErrorState.gyroBias
        if excess.norm > max(noise.largestRate, noise.gate * deviation(bias)) {
            // More than was thought possible: what was thought is void.
            isolate(bias, count: 3, variance: excess.squaredNorm)
        }
        correct(
            innovation: column(excess), jacobian: Self.identityJacobian(bias),
            noise: (noise.rateNoise * noise.rateNoise / span) * Matrix<3, 3>.identity, mask: .gyroBias,
            gate: InnovationGate(limit: noise.gate, rule: .soften))
    }
}
