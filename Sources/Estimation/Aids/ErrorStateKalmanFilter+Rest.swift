import Geometry
import Measurements

/// What rest tells, where it is believed.
extension ErrorStateKalmanFilter {
    /// Zero velocity, and the angular rate as the bias.
    mutating func holdRest(over span: Double) {
        let isFresh = gnss.age(at: state.time).map { $0 < 3 } ?? false
        guard !isFresh || gnss.horizontalSpeed < settings.rest.gnssSpeed else { return }
        let noise = settings.rest
        // Without a receiver's word the verdict must agree with the velocity: a vehicle rests at any constant speed.
        let rule: InnovationGate.Rule = isFresh || unaided.isActive ? .soften : .reject
        let outcome = correct(
            innovation: column(-state.velocity), jacobian: Self.identityJacobian(ErrorState.velocity),
            noise: (noise.velocityNoise * noise.velocityNoise / span) * Matrix<3, 3>.identity,
            mask: GainMask.all.subtracting(.yaw), gate: InnovationGate(limit: noise.gate, rule: rule))
        guard outcome.isAccepted else { return }
        let earth = site.map { state.rotationENUFromBody.inverse * $0.earthRate } ?? .zero
        correct(
            innovation: column(rest.meanRate - earth - state.gyroBias),
            jacobian: Self.identityJacobian(ErrorState.gyroBias),
            noise: (noise.rateNoise * noise.rateNoise / span) * Matrix<3, 3>.identity, mask: .gyroBias,
            gate: InnovationGate(limit: noise.gate, rule: .soften))
        restedAt = state.time
    }
}
