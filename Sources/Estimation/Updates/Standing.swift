import Geometry

/// Update by the zero velocity of a wearer who has stopped walking.
extension ErrorStateKalmanFilter {
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
