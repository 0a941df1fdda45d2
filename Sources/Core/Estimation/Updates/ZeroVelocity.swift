import Geometry
import Model

/// Zero-velocity update (ZUPT), which also uses the angular rate at rest as a measurement of the gyroscope bias.
///
/// To the inertial sensors, a vehicle at constant speed seems to be at rest. Therefore the update is refused if the
/// GNSS speed shows motion, even though the inertial rest detector reports rest. Without a recent GNSS velocity, the
/// update is rejected if the estimated velocity exceeds `blindGate` of its standard deviations; in regimes with
/// `boundsRest`, it is applied with a bounded influence instead.
extension ErrorStateKalmanFilter {
    /// Updates the filter with a velocity of zero, and with the mean angular rate as the gyroscope bias.
    ///
    /// Equation: docs/filter.md (37).
    ///
    /// - Returns: the result of the update with zero velocity; nil if the angular rate is incompatible with rest.
    mutating func holdRest() -> UpdateOutcome? {
        let span = restSpan
        restSpan = 0
        guard isRateThatOfRest, settings.parts.contains(.restUpdate) else { return nil }
        let noise = settings.rest
        let gate: InnovationGate
        if let isMoving = gnss.motion.isMoving(at: state.time, beyond: noise.gnssSpeed) {
            guard !isMoving else { return .refused }
            gate = InnovationGate(rule: .soften)
        } else {
            gate =
                rules.boundsRest
                ? InnovationGate(rule: .soften)
                : InnovationGate(limit: noise.blindGate, rule: .reject)
        }
        let outcome = apply(
            Self.vectorUpdate(
                at: ErrorState.velocity, -state.velocity,
                noise: (noise.velocityNoise * noise.velocityNoise / span) * .identity,
                mask: GainMask.all.subtracting([.yaw, .stepScale, .walkingDirection]), gate: gate, cause: .rest))
        let result = UpdateOutcome(outcome)
        guard outcome.isAccepted else { return result }
        learnGyroBias(over: span)
        restedAt = state.time
        return result
    }

    /// Mean angular rate minus earth rotation and bias. Frame: body. Unit: rad/s.
    @inline(__always)
    private var rateBeyondBias: Vector3 {
        let earth = site.map { state.rotationENUFromBody.inverse * $0.earthRate } ?? .zero
        return rest.meanRate - earth - state.gyroBias
    }

    /// Whether the mean rate is compatible with rest. It must differ little from the bias, or differ within the
    /// uncertainty of the bias and have been constant for `minimumEvenBias`, or have been constant for longer than any
    /// rotation of a wearer.
    @inline(__always)
    private var isRateThatOfRest: Bool {
        let limits = settings.rest
        let known = InnovationGate.usual * standardDeviation(ErrorState.gyroBias)
        let rate = rateBeyondBias.norm
        return rate < limits.maximumRate
            || rate < known && rest.steadyRateSeconds > limits.minimumEvenBias
            || rest.steadyRateSeconds > limits.maximumEvenTurn
    }

    private mutating func learnGyroBias(over span: Double) {
        guard settings.parts.contains(.restBias) else { return }
        let noise = settings.rest
        let excess = rateBeyondBias
        let bias = ErrorState.gyroBias
        if excess.norm > max(noise.maximumRate, InnovationGate.usual * standardDeviation(bias)) {
            // The excess is larger than the uncertainty of the bias, so the estimate of the bias is invalid.
            resetCovariance(bias, count: 3, variance: excess.squaredNorm)
            gyroBiasPrior.end()
        }
        apply(
            Self.vectorUpdate(
                at: bias, excess, noise: (noise.rateNoise * noise.rateNoise / span) * .identity, mask: .gyroBias,
                gate: InnovationGate(rule: .soften), cause: .rest))
    }
}

/// Update with a velocity of zero after the wearer has stopped walking.
extension ErrorStateKalmanFilter {
    /// Updates the filter with a velocity of zero while the wearer stands after a walk.
    mutating func holdStanding(over span: Double) {
        guard gait.isStanding(at: state.time, settings: settings.gait), let noise = standingNoise,
            settings.parts.contains(.standingUpdate)
        else { return }
        apply(
            Self.vectorUpdate(
                at: ErrorState.velocity, -state.velocity, noise: (noise * noise / span) * .identity,
                mask: rules.stepMask.subtracting([.stepScale, .walkingDirection]),
                gate: InnovationGate(limit: settings.steps.standingGate, rule: .reject), cause: .steps))
    }

    /// Noise density of the zero velocity while the wearer stands; nil if a recent fix does not confirm this, for
    /// example on an escalator. Unit: m/s·√s.
    private var standingNoise: Double? {
        guard let age = gnss.age(at: state.time), age < ReceiverMotion.freshSeconds else {
            return settings.steps.standingNoise
        }
        let isMoving = gnss.motion.isMoving(at: state.time, beyond: settings.rest.gnssSpeed)
        guard isMoving == false, rules.confirmsRest else { return nil }
        return settings.steps.seenStandingNoise
    }
}

extension EstimatorSettings {
    /// Detection of rest, and the zero-velocity update (ZUPT).
    public struct Rest: Hashable, Sendable {
        /// RMS deviation of the angular rate from its slow mean up to which the body counts as being at rest. Raise it
        /// to detect rest of a less quiet body. Unit: rad/s. Origin: the head of a standing wearer moves more.
        public var rateStandardDeviation = 0.02
        /// RMS deviation of the specific force from its slow mean up to which the body counts as being at rest. Raise
        /// it to detect rest of a less quiet body. Unit: m/s². Origin: the head of a standing wearer moves more.
        public var forceStandardDeviation = 0.2
        /// Largest mean angular rate at rest, biases included. Raise it to accept larger biases. Unit: rad/s. Origin:
        /// 23 °/s, rounded up from the largest value in a data sheet, 20 °/s per axis for the MPU-6050.
        public var maximumMeanRate = 0.4
        /// Difference between mean rate and bias above which the rate counts as a rotation until it has stayed within
        /// `evenRate` for `maximumEvenTurn`, or, if the difference is below three standard deviations of the bias, for
        /// `minimumEvenBias`. Raise it to learn larger changes of the bias immediately, at the risk of mistaking slow
        /// rotations for rest. Unit: rad/s. Origin: 0.6 °/s.
        public var maximumRate = 0.01
        /// Largest change of a mean rate that counts as constant. Raise it to accept less constant rates as a bias, at
        /// the risk of mistaking rotations for it. Unit: rad/s. Origin: no wearer turns this evenly.
        public var evenRate = 0.004
        /// Time after which a constant rate counts as a bias. Raise it to accept a constant rate as a bias later, with
        /// less risk of mistaking a rotation for it. Unit: seconds. Origin: no wearer turns evenly for this long.
        public var maximumEvenTurn = 10.0
        /// Time over which the slow means are taken. Raise it to detect rest later and more reliably. Unit: seconds.
        /// Origin: a swing of a hand.
        public var meanSeconds = 0.5
        /// Time for which the body must be still. Raise it to detect rest later and more reliably. Unit: seconds.
        /// Origin: a stop between two steps is shorter.
        public var settleSeconds = 1.5
        /// GNSS speed that contradicts rest, if it also exceeds two of its standard deviations. Raise it to trust the
        /// inertial sensors more. Unit: m/s. Origin: Doppler speeds at rest are smaller.
        public var gnssSpeed = 0.3
        /// Time for which a rate must be constant to count as the bias of a gyroscope whose bias may be as large as the
        /// rate. Raise it to learn the bias of a sensor without a calibration later and more reliably. Unit: seconds.
        /// Origin: a wearer who looks around slowly turns less evenly.
        public var minimumEvenBias = 5.0
        /// Noise density of the zero velocity. Raise it to let rest stop the estimate more slowly. Unit: m/s·√s.
        /// Origin: breathing.
        public var velocityNoise = 0.03
        /// Noise density of the mean rate when it measures the bias. Raise it to learn the bias more slowly. Unit:
        /// rad/s·√s. Origin: 0.06 °/s over a second.
        public var rateNoise = 0.001
        /// Number of standard deviations of the velocity beyond which rest is rejected if no receiver confirms it.
        /// Raise it to accept rest in spite of a larger velocity, even in a vehicle at constant speed.
        public var blindGate = 2.0
    }
}
