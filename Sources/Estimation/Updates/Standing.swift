import Geometry

/// Update by the zero velocity of a wearer who has stopped walking.
extension ErrorStateKalmanFilter {
    /// Applies a zero velocity while a wearer who has walked stands.
    mutating func holdStanding(over span: Double) {
        guard gait.isStanding(at: state.time, settings: settings.steps), let noise = standingNoise else { return }
        influence.cause = .steps
        correct(
            innovation: column(-state.velocity), jacobian: Self.identityJacobian(ErrorState.velocity),
            noise: (noise * noise / span) * Matrix<3, 3>.identity,
            mask: stepMask.subtracting([.stepScale, .walkingDirection]),
            gate: InnovationGate(limit: settings.steps.standingGate, rule: .reject))
    }

    /// Noise density of that zero velocity; nil where the receiver does not confirm it, as on an escalator. Unit:
    /// m/s·√s.
    private var standingNoise: Double? {
        guard let age = gnss.age(at: state.time), age < Self.freshSeconds else { return settings.steps.standingNoise }
        let isMoving = gnss.motion.isMoving(at: state.time, beyond: settings.rest.gnssSpeed)
        guard isMoving == false, modes.probabilities[0] > Self.certainRest else { return nil }
        return settings.steps.seenStandingNoise
    }

    /// Age up to which a fix confirms or contradicts standing. Unit: seconds.
    private static let freshSeconds = 3.0
}
