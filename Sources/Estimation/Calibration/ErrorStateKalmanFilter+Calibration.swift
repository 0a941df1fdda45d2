import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// What the filter has learned of a sensor is what its calibration left. Another calibration leaves something else: the
/// knowledge is carried over, and the calibration has its say.
extension ErrorStateKalmanFilter {
    /// Follows a calibration that was put in force at the present state.
    ///
    /// Equation: docs/filter.md (62).
    ///
    /// - Parameter settings: those with what the calibrations in force leave unknown.
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
        case .mount: turnBodyAxes(change)
        }
    }

    /// The bias is that of a body that does not turn.
    private mutating func followGyroscope(_ change: CorrectionChange) {
        let bias = ErrorState.gyroBias
        state.gyroBias = change.applied(to: state.gyroBias)
        turnCovariance(bias, by: change.matrix)
        let cold = settings.initial.gyroBiasDeviation
        // Rest shows the bias at every stop: a filter that knows it well knows it better than any calibration of another
        // day, and is moved by no more than a few deviations.
        correct(
            innovation: column(-state.gyroBias), jacobian: Self.identityJacobian(bias),
            noise: change.residual ?? (cold * cold) * .identity, mask: maskOfBiases,
            gate: InnovationGate(limit: Self.calibrationGate, rule: .soften))
        doubtTurns(by: (change.matrix - .identity).norm)
    }

    /// Turns of about a radian were taken for too large, too small or about other axes: attitude and accelerometer's bias
    /// have been bent to fit them.
    ///
    /// - Parameter share: by which they were wrong.
    private mutating func doubtTurns(by share: Double) {
        let turn = min(Self.largestDoubt, share)
        let attitude = ErrorState.attitude
        for i in attitude..<(heading.isKnown ? attitude + 3 : attitude + 2) { covariance[i, i] += turn * turn }
        let force = min(settings.initial.accelerometerBiasDeviation, Site.standardGravity * turn)
        for i in ErrorState.accelerometerBias..<(ErrorState.accelerometerBias + 3) { covariance[i, i] += force * force }
    }

    /// What is doubted the most of an attitude that was corrected all the time. Unit: radians.
    private static let largestDoubt = 0.1

    /// The bias is that of a body at rest as it is held now: what scale and axes do to gravity is in it.
    private mutating func followAccelerometer(_ change: CorrectionChange) {
        let up = state.rotationENUFromBody.inverse * Vector3(0, 0, site?.gravity ?? Site.standardGravity)
        state.accelerometerBias = change.applied(to: up + state.accelerometerBias) - up
        turnCovariance(ErrorState.accelerometerBias, by: change.matrix)
        let cold = settings.initial.accelerometerBiasDeviation
        _ = believe(
            residual: change.residual ?? (cold * cold) * .identity, of: state.accelerometerBias,
            at: ErrorState.accelerometerBias)
    }

    private mutating func followMagnetometer(_ change: CorrectionChange) {
        let iron = ErrorState.hardIron
        magnetics.mean = MagneticMean()
        let cold = settings.initial.hardIronFraction * magnetics.fieldStrength(settings)
        guard magnetics.lastSample != nil, let field = expectedField else {
            state.hardIron = .zero
            isolate(iron, count: 3, variance: cold * cold)
            return magnetics.restart()
        }
        state.hardIron = change.applied(to: field + state.hardIron) - field
        turnCovariance(iron, by: change.matrix)
        magnetics.calibrator?.follow(change, at: field)
        let fits = believe(
            residual: change.residual ?? (cold * cold) * .identity, of: state.hardIron, at: iron)
        guard !fits else { return }
        magnetics.restart()
        doubtYaw()
    }

    /// The field was not what it seemed. Of a yaw that came from it alone nothing is left; one that motion has confirmed was
    /// drawn by it.
    private mutating func doubtYaw() {
        guard heading.isKnown, !heading.field.isRefuted else { return }
        heading.outdate()
        state.magneticOffset = 0
        let offset = settings.magnetic.offsetDeviation
        isolate(ErrorState.magneticOffset, count: 1, variance: offset * offset)
        let yaw = settings.initial.magneticYawDeviation
        covariance[ErrorState.yaw, ErrorState.yaw] += yaw * yaw
    }

    /// The local field as it is thought to be; nil while nothing tells it. Frame: body. Unit: that of the magnetometer.
    private var expectedField: Vector3? {
        guard heading.isKnown else { return nil }
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

    /// The calibration says of what remains of three states that it is nothing, as far as it knows.
    ///
    /// Where that is far from what the filter has, which knows of a sensor never calibrated no more than what such sensors
    /// are like, the calibration is right, and what was derived from the wrong bias follows it.
    ///
    /// - Returns: whether the two agreed.
    private mutating func believe(residual: Matrix<3, 3>, of value: Vector3, at offset: Int) -> Bool {
        let square = Cholesky(covariance.block(offset, offset) + residual)?.squaredLength(column(value))
        if let square, square <= Self.agreement {
            correct(
                innovation: column(-value), jacobian: Self.identityJacobian(offset), noise: residual,
                mask: maskOfBiases, gate: nil)
            return true
        }
        replace(offset, by: .zero, instead: value, covariance: residual)
        return false
    }

    /// Of a squared distance in three dimensions: one in a thousand lies beyond.
    private static let agreement = 16.3
    /// Standard deviations beyond which a calibration's influence on what rest has shown is bounded.
    private static let calibrationGate = 3.0

    /// A yaw that nobody knows is not to be corrected.
    private var maskOfBiases: GainMask { heading.isKnown ? .all : GainMask.all.subtracting(.yaw) }

    /// Takes other axes for those of the body: the body itself stays as it is, and so does all that is known of it.
    ///
    /// With the rotation Q from the axes before to those from now on, `R ← R·Qᵀ` and `b ← Q·b`. The attitude's error is
    /// that of ENU and knows no axes of the body.
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
        magnetics.calibrator?.follow(change, at: .zero)
        // The forward direction is another, and now the one that was meant.
        gait.changeBodyAxes()
        resetWalkingDirection()
    }
}
