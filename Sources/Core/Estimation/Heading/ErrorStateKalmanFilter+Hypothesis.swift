import Geometry
import Model

/// Starts, resets and invalidates the heading.
extension ErrorStateKalmanFilter {
    /// Makes this filter a hypothesis with another yaw. A hypothesis ignores the magnetometer, because another
    /// hypothesis already represents the magnetometer's heading.
    mutating func startHypothesis(yaw: Double, standardDeviation: Double) {
        influence.cause = .headingSearch
        // Only the fixes may decide between the hypotheses, so no camera corrects them.
        camera = nil
        turnBody(by: yaw)
        resetCovariance(ErrorState.yaw, standardDeviation: standardDeviation)
        heading.status = .unconfirmed(.geographic)
        heading.field.refute()
        updateRegime()
    }

    /// Enlarges the yaw variance to at least the scatter of the hypotheses that agree with this one.
    mutating func widenYaw(atLeast variance: Double) {
        propagateCovariance()
        widen(ErrorState.yaw, count: 1, by: max(0, variance - covariance[ErrorState.yaw, ErrorState.yaw]))
    }

    /// Resets the yaw to the monitor's reading. The yaw is then unconfirmed, so that all other hypotheses are tested
    /// again.
    ///
    /// - Returns: whether the yaw was reset. The reading is several seconds old; if the filter's yaw has come to agree
    ///   with it, the yaw is not reset.
    mutating func resetYaw(_ reading: HeadingReading) -> Bool {
        guard rules.hasYaw, reading.contradicts(heading.motion.yaw) else { return false }
        influence.cause = .headingMonitor
        let turn = Angle.wrapped(reading.yaw - heading.motion.yaw)
        turnBody(by: turn)
        turnMount(by: turn)
        // Positions alone may mislead, so the previous yaw stays within one standard deviation of the new yaw.
        let minimum = reading.isByPositionsAlone ? max(Self.minimumDoubt, turn.magnitude) : Self.minimumDoubt
        resetCovariance(ErrorState.yaw, standardDeviation: max(minimum, 2 * reading.standardDeviation))
        heading.takeFromMotion()
        // Bias and scale have absorbed a part of the yaw error.
        resetCovariance(
            ErrorState.gyroBias, count: 3, standardDeviation: max(Self.absorbedBias, gyroBiasUncertainty.worst))
        gyroBiasPrior.end()
        doubtGyroScale()
        heading.field.refute()
        updateRegime()
        return true
    }

    /// Standard deviation of a gyroscope bias that has absorbed a part of a yaw error. Unit: rad/s (0.23 °/s).
    private static let absorbedBias = 0.004

    /// Keeps the observed walking direction when the board's forward direction rotates with the yaw.
    private mutating func turnMount(by yaw: Double) {
        guard gait.mount.isKnown else { return }
        let azimuth = Angle.wrapped(gait.mount.azimuth + state.walkingDirection + yaw)
        gait.mount =
            azimuth.magnitude < BoardMount.minimumAzimuthChange && gait.mount.source == .design
            ? BoardMount() : BoardMount(azimuth: azimuth, source: .satellites)
        state.walkingDirection = gait.mount.source == .design ? azimuth : 0
        resetCovariance(ErrorState.walkingDirection, standardDeviation: settings.steps.directionStandardDeviation)
    }

    /// Least standard deviation of a yaw that was reset to the monitor's yaw: 5°. Unit: radians.
    private static let minimumDoubt = 0.087

    /// Invalidates the heading. Also resets tilt, biases and scale, because they have absorbed the heading error.
    mutating func invalidateHeading() {
        propagateCovariance()
        let force = state.rotationENUFromBody * rest.meanForce
        state.rotationENUFromBody = Levelling.rotation(force: force) * state.rotationENUFromBody
        state.gyroBias = .zero
        state.accelerometerBias = .zero
        state.gyroScale = .zero
        let start = settings.initial
        let standardDeviations = [
            (ErrorState.attitude, 2, Self.walkingTilt), (ErrorState.yaw, 1, start.unknownYawStandardDeviation),
            (ErrorState.gyroBias, 3, start.gyroBiasStandardDeviation),
            (ErrorState.accelerometerBias, 3, start.accelerometerBiasStandardDeviation),
            (ErrorState.gyroScale, 3, start.gyroScaleStandardDeviation),
        ]
        for (offset, count, standardDeviation) in standardDeviations {
            resetCovariance(offset, count: count, standardDeviation: standardDeviation)
        }
        gyroBiasPrior = GyroBiasPrior(standardDeviation: start.gyroBiasStandardDeviation)
        heading = HeadingKnowledge(afterLevelFrame: heading.motion.number)
        gait.walked.restart()
        heading.field.refute()
        updateRegime()
    }

    /// Standard deviation of a tilt that is determined from the mean specific force over half a second of walking.
    /// Unit: radians.
    private static let walkingTilt = 0.1

    /// Passes a GNSS velocity to the yaw monitor. The velocity must be reduced to the inertial sensor. Frame: ENU.
    /// Unit: m/s.
    mutating func compareMotion(_ velocity: Vector3, _ fix: LocalFix) {
        heading.motion.compare(
            velocity: velocity, standardDeviation: fix.velocityStandardDeviation, drift: yawDrift,
            isHeadingKnown: rules.hasYaw,
            at: fix.time)
    }

    /// Standard deviation of the yaw rate error that the gyroscope bias about up causes. Unit: rad/s.
    @inline(__always)
    var yawDrift: Double {
        let up = state.rotationENUFromBody.inverse * Vector3(0, 0, 1)
        let axes: InlineArray<3, Double> = [up.x, up.y, up.z]
        var variance = 0.0
        for i in 0..<3 {
            for j in 0..<3 {
                variance += axes[i] * axes[j] * covariance.rows[ErrorState.gyroBias + i][ErrorState.gyroBias + j]
            }
        }
        return min(Self.maximumDrift, max(0, variance).squareRoot())
    }

    /// Upper limit of `yawDrift` while the bias is unknown. Unit: rad/s.
    private static let maximumDrift = 0.1

    /// Rotates the attitude about up, counter-clockwise. Position and velocity stay, because the fixes have determined
    /// them. Unit: radians.
    mutating func turnBody(by yaw: Double) {
        let velocity = state.velocity
        rotateYaw(by: yaw)
        state.velocity = velocity
        resetCovariance(ErrorState.velocity, count: 2, standardDeviation: horizontalVelocityStandardDeviation)
    }
}
