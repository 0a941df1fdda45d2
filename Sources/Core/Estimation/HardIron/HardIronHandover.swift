import Geometry

/// Hands the calibrator's hard iron over to the filter. This is needed without satellites, when no model provides the
/// local field.
extension ErrorStateKalmanFilter {
    /// Passes a mean field to the calibrator. Frame: body.
    mutating func calibrate(_ measured: Vector3, rate: Vector3, span: Double) {
        guard settings.parts.contains(.fieldCalibrator) else { return }
        let settings = settings.magneticCalibration
        let up = state.rotationENUFromBody.inverse * Vector3(0, 0, 1)
        guard magnetics.calibrator != nil else {
            magnetics.calibrator = MagneticCalibrator(
                field: measured - state.hardIron, up: up, settings: settings)
            return
        }
        let speed = max(Self.minimumPace, horizontalSpeed)
        magnetics.calibrator?.update(
            measured: measured, up: up, rate: rate, span: span, distance: rules.isWalk ? speed * span : 0,
            settings: settings
        )
        followCalibrator()
    }

    /// Lower limit of the speed of a walking wearer. It is needed because the velocity may be unknown. Unit: m/s.
    private static let minimumPace = 0.5

    /// Standard deviation of the hard iron along the worst axis. Unit: that of the magnetometer.
    @inline(__always)
    private var hardIronStandardDeviation: Double {
        let iron = ErrorState.hardIron
        return max(standardDeviation(iron), standardDeviation(iron + 1), standardDeviation(iron + 2))
    }

    /// Whether the hard iron is so uncertain that the field does not determine a heading.
    @inline(__always)
    var isHardIronUnknown: Bool {
        hardIronStandardDeviation > settings.magneticCalibration.usableStandardDeviation
            * magnetics.fieldStrength(settings)
    }

    /// Adopts the hard iron that the calibrator has determined from rotations, if its variance is smaller than the
    /// filter's or if its value clearly differs. While there are fixes, the model determines the field better.
    private mutating func followCalibrator() {
        guard let calibrator = magnetics.calibrator else { return }
        magnetics.changeVariance += calibrator.addedVariance
        let isUnknown = isHardIronUnknown
        guard !rules.field.learnsHardIron || isUnknown else { return }
        let limits = settings.magneticCalibration
        let found = calibrator.cautiousCovariance(limits)
        let change = calibrator.hardIron - state.hardIron
        let isLarge = change.norm > limits.minimumChange * calibrator.strength
        let isOther = isLarge && (Cholesky(found)?.squaredLength(change.column) ?? 0) > limits.minimumSquare
        let known = covariance.block(ErrorState.hardIron, ErrorState.hardIron)
        guard isOther || found.trace < Self.betterShare * known.trace else { return }
        let value = isLarge ? calibrator.hardIron : state.hardIron
        let isFar = change.norm > Self.farChange * calibrator.strength
        if isUnknown, isOther, isFar, rules.searchesYaw {
            begin(hardIron: value, covariance: found)
        } else {
            learn(hardIron: value, covariance: found, addedVariance: isOther ? magnetics.changeVariance : 0)
        }
        magnetics.changeVariance = 0
    }

    /// Ratio of the calibrator's variance to the filter's variance below which the calibrator's hard iron is adopted.
    private static let betterShare = 0.8
    /// Change of the hard iron, as a fraction of the field strength, beyond which its effect on the yaw is not linear.
    private static let farChange = 0.15

    /// Sets a hard iron that was unknown, so that the field sets the heading again.
    private mutating func begin(hardIron: Vector3, covariance new: Matrix<3, 3>) {
        state.hardIron = hardIron
        resetCovariance(ErrorState.hardIron, to: new)
        heading.outdate()
    }

    /// Replaces the hard iron and its covariance, and corrects all correlated states, in particular the yaw.
    ///
    /// Let `P` be the covariance of the hard iron `h`, `C` its cross-covariance with all states, and `G = C·P⁻¹`. A new
    /// value `h'` with covariance `P'` changes the states by `G·(h' − h)` and their covariance by `G·(P' − P)·Gᵀ`. A
    /// smoother uses the same rule to propagate the knowledge of one state to the others.
    ///
    /// Equation: docs/filter.md (36).
    ///
    /// - Parameter addedVariance: process noise of the hard iron since the last handover, added to `P`.
    package mutating func learn(hardIron: Vector3, covariance new: Matrix<3, 3>, addedVariance: Double) {
        propagateCovariance()
        widen(ErrorState.hardIron, count: 3, by: addedVariance)
        replace(ErrorState.hardIron, by: hardIron, instead: state.hardIron, covariance: new)
    }
}
