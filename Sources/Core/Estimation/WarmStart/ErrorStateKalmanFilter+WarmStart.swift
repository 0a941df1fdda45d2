import Geometry
import Model

/// Start of a filter with the states of an earlier run, and export of such states.
extension ErrorStateKalmanFilter {
    /// Adopts those states of an earlier run that are still useful. Call it before any measurement other than the first
    /// inertial sample.
    ///
    /// - Returns: the adopted states, with their present accuracies.
    package mutating func adopt(_ start: WarmStart) -> WarmStart {
        var taken = WarmStart()
        let (age, initial) = (start.ageSeconds, settings.initial)
        taken.gyroBias = start.gyroBias.flatMap {
            WarmPrior.gyroBias(settings).estimate($0, age: age, cold: initial.gyroBiasStandardDeviation)
        }
        taken.accelerometerBias = start.accelerometerBias.flatMap {
            WarmPrior.accelerometerBias(settings).estimate(
                $0, age: age, cold: initial.accelerometerBiasStandardDeviation)
        }
        if let norm = start.fieldNorm, let iron = start.hardIron {
            taken.fieldNorm = norm
            taken.hardIron = WarmPrior.hardIron(settings, norm: norm)
                .estimate(iron, age: age, cold: settings.magneticCalibration.hardIronStandardDeviation * norm)
        }
        taken.stepScale = start.stepScale.flatMap {
            WarmPrior.stepScale.estimate($0, age: age, cold: settings.steps.scaleStandardDeviation)
        }
        taken.velocityDelay = start.velocityDelay.flatMap {
            WarmPrior.velocityDelay.estimate($0, age: age, cold: settings.gnss.velocityDelayStandardDeviation)
        }
        taken.place = start.place.flatMap { $0.ageSeconds + age <= WarmStart.maximumAge ? $0 : nil }
        taken.compassConfirmationAge = start.compassConfirmationAge.map { $0 + max(0, age) }.flatMap {
            $0 <= WarmStart.maximumConfirmationAge ? $0 : nil
        }
        begin(with: taken)
        return taken
    }

    private mutating func begin(with known: WarmStart) {
        if let bias = known.gyroBias {
            state.gyroBias = bias.value
            set(ErrorState.gyroBias, bias.standardDeviation)
            gyroBiasPrior.end()
        }
        if let bias = known.accelerometerBias {
            state.accelerometerBias = bias.value
            set(ErrorState.accelerometerBias, bias.standardDeviation)
            state.rotationENUFromBody = Levelling.rotation(force: inertial.force - bias.value)
        }
        if let iron = known.hardIron {
            state.hardIron = iron.value
            set(ErrorState.hardIron, iron.standardDeviation)
            knowsHardIron = true
        }
        if let scale = known.stepScale { set(ErrorState.stepScale, scale, \.stepScale) }
        if let delay = known.velocityDelay { set(ErrorState.velocityDelay, delay, \.velocityDelay) }
        if let age = known.compassConfirmationAge {
            heading.noteConfirmation(at: BootTime(nanoseconds: state.time.nanoseconds - Int64(age * 1e9)))
        }
    }

    private mutating func set(_ offset: Int, _ standardDeviation: Vector3) {
        for (i, axis) in [standardDeviation.x, standardDeviation.y, standardDeviation.z].enumerated() {
            setVariance(of: offset + i, standardDeviation: axis)
        }
    }

    private mutating func set(
        _ index: Int, _ estimate: WarmStart.Estimate<Double>, _ path: WritableKeyPath<NavigationState, Double>
    ) {
        state[keyPath: path] = estimate.value
        setVariance(of: index, standardDeviation: estimate.standardDeviation)
    }

    /// Removes the information that an adopted vector brought in, and keeps what has been learned since.
    ///
    /// An update with the variance −V removes a measurement of variance V from all correlated states. The prior of an
    /// uncalibrated sensor is applied afterwards.
    package mutating func forget(_ estimate: WarmStart.Estimate<Vector3>, at offset: Int, cold: Double) {
        propagateCovariance()
        let values = [estimate.value.x, estimate.value.y, estimate.value.z]
        let standardDeviations = [
            estimate.standardDeviation.x, estimate.standardDeviation.y, estimate.standardDeviation.z,
        ]
        for (i, (value, standardDeviation)) in zip(values, standardDeviations).enumerated() {
            let variance = covariance[offset + i, offset + i]
            let before = max(standardDeviation * standardDeviation, variance / Self.maximumForgottenShare)
            fuse(offset + i, value - self.value(at: offset)[i], variance: -before, cause: .warmStart)
            fuse(offset + i, -self.value(at: offset)[i], variance: cold * cold, cause: .warmStart)
        }
    }

    /// Largest share of the information that may be removed; removing more would be ill-conditioned.
    private static let maximumForgottenShare = 0.8

    private func value(at offset: Int) -> [Double] {
        let vector =
            switch offset {
            case ErrorState.gyroBias: state.gyroBias
            case ErrorState.accelerometerBias: state.accelerometerBias
            default: state.hardIron
            }
        return [vector.x, vector.y, vector.z]
    }

    /// Resets the hard iron to a cold start, and inflates the variance of the yaw, which may result from the wrong hard
    /// iron.
    package mutating func dropHardIron(fieldNorm: Double?) {
        propagateCovariance()
        let norm = fieldNorm ?? settings.initial.fieldForHardIron
        state.hardIron = .zero
        resetCovariance(
            ErrorState.hardIron, count: 3,
            standardDeviation: settings.magneticCalibration.hardIronStandardDeviation * norm)
        knowsHardIron = false
        if rules.hasYaw { resetCovariance(ErrorState.yaw, standardDeviation: Self.doubtfulYaw) }
    }

    /// Standard deviation of a yaw computed with the hard iron of another board. Unit: radians.
    private static let doubtfulYaw = 0.5

    /// Returns the states that are better known than at a cold start; nil if the gyroscope bias is not among them.
    package func learned() -> WarmStart? {
        var known = WarmStart()
        let initial = settings.initial
        let cold = min(Self.poorGyroBias, initial.gyroBiasStandardDeviation)
        known.gyroBias = vector(ErrorState.gyroBias, state.gyroBias, cold: cold)
        if let own = known.gyroBias?.standardDeviation {
            // A later run must not treat assumptions of this run as learned values.
            let axes = [own.x, own.y, own.z].map(gyroBiasPrior.withoutGains)
            known.gyroBias?.standardDeviation = Vector3(axes[0], axes[1], axes[2])
        }
        guard known.gyroBias != nil else { return nil }
        known.accelerometerBias = vector(
            ErrorState.accelerometerBias, state.accelerometerBias, cold: initial.accelerometerBiasStandardDeviation)
        if let norm = magnetics.norm {
            known.fieldNorm = norm
            known.hardIron = vector(
                ErrorState.hardIron, state.hardIron, cold: settings.magneticCalibration.hardIronStandardDeviation * norm
            )
        }
        known.stepScale = scalar(ErrorState.stepScale, state.stepScale, cold: settings.steps.scaleStandardDeviation)
        known.velocityDelay = scalar(
            ErrorState.velocityDelay, state.velocityDelay, cold: settings.gnss.velocityDelayStandardDeviation)
        known.compassConfirmationAge = compassConfirmationAge
        return known
    }

    /// Time since motion confirmed the compass; nil if it never did, or if the field has since disagreed for
    /// `maximumDisagreement`. Unit: seconds.
    private var compassConfirmationAge: Double? {
        guard let confirmed = heading.compassConfirmation else { return nil }
        let age = state.time.seconds(since: confirmed)
        return heading.isCompassAlone || age < Self.maximumDisagreement ? age : nil
    }

    /// Time after which a field that disagrees loses its confirmation by motion. Unit: seconds.
    private static let maximumDisagreement = 60.0

    /// Returns the estimate of a vector; nil if no axis is better known than at a cold start.
    private func vector(_ offset: Int, _ value: Vector3, cold: Double) -> WarmStart.Estimate<Vector3>? {
        let standardDeviation = standardDeviations(offset)
        guard min(standardDeviation.x, standardDeviation.y, standardDeviation.z) < Self.learnedShare * cold else {
            return nil
        }
        return WarmStart.Estimate(value: value, standardDeviation: standardDeviation)
    }

    private func scalar(_ index: Int, _ value: Double, cold: Double) -> WarmStart.Estimate<Double>? {
        let standardDeviation = self.standardDeviation(index)
        guard standardDeviation > 0, standardDeviation < Self.learnedShare * cold else { return nil }
        return WarmStart.Estimate(value: value, standardDeviation: standardDeviation)
    }

    /// Standard deviation above which a gyroscope bias is useless to a later run, whatever the prior of the sensor.
    /// Such an error turns the heading by 14° in a minute. Unit: rad/s.
    private static let poorGyroBias = 0.004
    /// Ratio to the standard deviation at a cold start below which a state counts as learned.
    private static let learnedShare = 0.6
}
