import Geometry

import Glibc

/// Change of calibration. The filter's biases are residuals of the active calibration. If it changes, the biases are
/// transformed, and the new calibration is applied as a measurement.
extension ErrorStateKalmanFilter {
    /// Changes to a calibration that takes effect at the current state.
    ///
    /// Equation: docs/filter.md (62).
    ///
    /// - Parameter settings: settings with the residual standard deviations of the active calibrations.
    package mutating func follow(_ change: CorrectionChange, _ settings: EstimatorSettings) {
        propagateCovariance()
        self.settings = settings
        influence.cause = .calibration
        inertial = change.applied(to: inertial)
        rest.follow(change)
        switch change.sensor {
        case .gyroscope: followGyroscope(change)
        case .accelerometer: followAccelerometer(change)
        case .magnetometer: followMagnetometer(change)
        case .mount:
            turnBodyAxes(change)
            // The mount of the camera was learned relative to the old axes.
            camera = nil
        }
    }

    /// Transforms the gyroscope bias under the assumption of zero rate, and corrects it with the new calibration.
    private mutating func followGyroscope(_ change: CorrectionChange) {
        let bias = ErrorState.gyroBias
        state.gyroBias = change.applied(to: state.gyroBias)
        turnCovariance(bias, by: change.matrix)
        gyroBiasPrior.end()
        let cold = settings.initial.gyroBiasStandardDeviation
        // Each period of rest determines the bias. A filter that has observed one knows the bias better than a
        // calibration from another day, so the calibration moves the bias by only a few standard deviations.
        apply(
            Self.vectorUpdate(
                at: bias, -state.gyroBias, noise: change.residual ?? (cold * cold) * .identity, mask: maskOfBiases,
                gate: InnovationGate(rule: .soften), cause: .calibration))
        doubtTurns(by: (change.matrix - .identity).norm)
        if change.matrix != .identity { resetGyroScale() }
    }

    /// Resets the scale-factor errors of the gyroscope, after its scale or its axes have changed.
    private mutating func resetGyroScale() {
        state.gyroScale = .zero
        doubtGyroScale()
    }

    /// Keeps the scale-factor errors of the gyroscope and resets their variance to its initial value.
    mutating func doubtGyroScale() {
        resetCovariance(
            ErrorState.gyroScale, count: 3, standardDeviation: settings.initial.gyroScaleStandardDeviation)
    }

    /// Inflates the variances of attitude and accelerometer bias. Both have absorbed the errors of earlier rotations.
    /// These rotations are taken to be about a radian.
    ///
    /// - Parameter share: relative error of the earlier rotations.
    private mutating func doubtTurns(by share: Double) {
        let turn = min(Self.maximumDoubt, share)
        let attitude = ErrorState.attitude
        widen(attitude, count: rules.hasYaw ? 3 : 2, by: turn * turn)
        let force = min(settings.initial.accelerometerBiasStandardDeviation, Site.standardGravity * turn)
        widen(ErrorState.accelerometerBias, count: 3, by: force * force)
    }

    /// Largest standard deviation to add to the attitude, because measurements have always corrected it. Unit: radians.
    private static let maximumDoubt = 0.1

    /// Transforms the accelerometer bias under the assumption of rest in the current attitude, so that the bias
    /// includes the effect of scale and axes on gravity.
    private mutating func followAccelerometer(_ change: CorrectionChange) {
        let up = state.rotationENUFromBody.inverse * Vector3(0, 0, gravity)
        state.accelerometerBias = change.applied(to: up + state.accelerometerBias) - up
        turnCovariance(ErrorState.accelerometerBias, by: change.matrix)
        let cold = settings.initial.accelerometerBiasStandardDeviation
        _ = applyPrior(
            residual: change.residual ?? (cold * cold) * .identity, of: state.accelerometerBias,
            at: ErrorState.accelerometerBias)
    }

    private mutating func followMagnetometer(_ change: CorrectionChange) {
        let iron = ErrorState.hardIron
        magnetics.mean = MagneticMean()
        let cold = settings.magneticCalibration.hardIronStandardDeviation * magnetics.fieldStrength(settings)
        guard magnetics.lastSample != nil, let field = expectedField else {
            state.hardIron = .zero
            resetCovariance(iron, count: 3, standardDeviation: cold)
            heading.dropConfirmation()
            return magnetics.restart()
        }
        state.hardIron = change.applied(to: field + state.hardIron) - field
        turnCovariance(iron, by: change.matrix)
        magnetics.calibrator?.follow(change, at: field)
        let fits = applyPrior(
            residual: change.residual ?? (cold * cold) * .identity, of: state.hardIron, at: iron)
        guard !fits else { return }
        magnetics.restart()
        doubtYaw()
    }

    /// Inflates the yaw variance after the new calibration has shown that the field was wrong. A yaw that only the
    /// field determined is outdated, and a yaw that motion confirmed was biased by the wrong field.
    private mutating func doubtYaw() {
        guard rules.hasYaw, !heading.field.isRefuted else { return }
        heading.outdate()
        state.magneticOffset = 0
        resetCovariance(ErrorState.magneticOffset, standardDeviation: settings.magnetic.offsetStandardDeviation)
        let yaw = settings.initial.magneticYawStandardDeviation
        widen(ErrorState.yaw, count: 1, by: yaw * yaw)
    }

    /// Expected local field; nil while it is unknown. Frame: body. Unit: that of the magnetometer.
    private var expectedField: Vector3? {
        guard rules.hasYaw else { return nil }
        let horizontal: Double
        let upward: Double
        if let field = confirmedField, magnetics.isInMicrotesla(field) {
            horizontal = field.horizontalIntensity / 1000
            upward = -field.totalIntensity * sin(field.inclination) / 1000
        } else if let learned = magnetics.calibrator {
            (horizontal, upward) = (learned.horizontal, learned.upward)
        } else {
            return nil
        }
        let azimuth = (site?.field?.declination ?? 0) + state.magneticOffset
        return state.rotationENUFromBody.inverse
            * Vector3(horizontal * sin(azimuth), horizontal * cos(azimuth), upward)
    }

    /// Corrects the three states of an error with a pseudo-measurement of zero, because the calibration has removed the
    /// error.
    ///
    /// If the filter disagrees, the calibration is taken to be right and replaces value and covariance; correlated
    /// states follow. Without a calibration, the prior is so weak that the filter hardly ever disagrees.
    ///
    /// - Returns: whether filter and calibration agreed.
    private mutating func applyPrior(residual: Matrix<3, 3>, of value: Vector3, at offset: Int) -> Bool {
        let square = Cholesky(covariance.block(offset, offset) + residual)?.squaredLength(value.column)
        if let square, square <= Self.agreement {
            apply(
                Self.vectorUpdate(
                    at: offset, -value, noise: residual, mask: maskOfBiases, gate: nil, cause: .calibration))
            return true
        }
        replace(offset, by: .zero, instead: value, covariance: residual)
        return false
    }

    /// Squared Mahalanobis distance in three dimensions that one vector in a thousand exceeds by chance.
    private static let agreement = 16.3

    /// States that a bias update may correct: all but an unknown yaw.
    private var maskOfBiases: GainMask { rules.hasYaw ? .all : GainMask.all.subtracting(.yaw) }

    /// Changes the body axes, and keeps the attitude of the body in space and its uncertainty.
    ///
    /// If Q rotates from the old axes to the new axes, `R ← R·Qᵀ` and `b ← Q·b`. The attitude error is in ENU, so it
    /// does not change.
    ///
    /// Equation: docs/filter.md (63).
    private mutating func turnBodyAxes(_ change: CorrectionChange) {
        guard let turn = Rotation3(matrix: change.matrix) else { return }
        state.rotationENUFromBody = state.rotationENUFromBody * turn.inverse
        state.gyroBias = turn * state.gyroBias
        state.accelerometerBias = turn * state.accelerometerBias
        state.hardIron = turn * state.hardIron
        for offset in [ErrorState.gyroBias, ErrorState.accelerometerBias, ErrorState.hardIron] {
            turnCovariance(offset, by: change.matrix)
        }
        resetGyroScale()
        magnetics.calibrator?.follow(change, at: .zero)
        // The forward direction is again that of the board's design.
        gait.changeBodyAxes()
        resetWalkingDirection()
    }
}
