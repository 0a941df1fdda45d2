import Geometry

/// In the unaided mode no model tells the field: the hard iron is what the calibrator finds.
extension ErrorStateKalmanFilter {
    /// Hands a mean of samples to the calibrator. Frame: body.
    mutating func calibrate(_ measured: Vector3, rate: Vector3, span: Double) {
        let settings = settings.magneticCalibration
        let up = state.rotationENUFromBody.inverse * Vector3(0, 0, 1)
        guard magnetics.calibrator != nil else {
            magnetics.calibrator = MagneticCalibrator(
                field: measured - state.hardIron, up: up, settings: settings)
            return
        }
        if unaided.isActive, !magnetics.followsCalibrator {
            let iron = ErrorState.hardIron
            magnetics.calibrator!.adopt(hardIron: state.hardIron, covariance: covariance.block(iron, iron))
        }
        magnetics.followsCalibrator = unaided.isActive
        magnetics.calibrator!.update(measured: measured, up: up, rate: rate, span: span, settings: settings)
        guard unaided.isActive, let calibrator = magnetics.calibrator else { return }
        learn(
            hardIron: calibrator.hardIron, covariance: calibrator.hardIronCovariance,
            addedVariance: calibrator.addedVariance)
    }

    /// Takes the hard iron and its covariance as they are; what hangs together with it follows, the yaw before all.
    ///
    /// With the covariance `P` of the hard iron `h` and that of all states with it, `C`, and with `G = C·P⁻¹`, a new
    /// value `h'` of covariance `P'` moves the states by `G·(h' − h)` and their covariance by `G·(P' − P)·Gᵀ`: the rule
    /// by which a smoother carries knowledge of one state on to the others.
    ///
    /// Equation: docs/filter.md (36).
    ///
    /// - Parameter addedVariance: what the hard iron's own change since the last time adds to `P`.
    package mutating func learn(hardIron: Vector3, covariance new: Matrix<3, 3>, addedVariance: Double) {
        propagateCovariance()
        let iron = ErrorState.hardIron
        for i in iron..<(iron + 3) { covariance.rows[i][i] += addedVariance }
        replace(iron, by: hardIron, instead: state.hardIron, covariance: new)
    }

    /// Takes three states as they are given, value and covariance; all that hangs together with them follows.
    ///
    /// Equation: docs/filter.md (36).
    mutating func replace(
        _ offset: Int, by value: Vector3, instead present: Vector3, covariance new: Matrix<3, 3>
    ) {
        let old = covariance.block(offset, offset)
        guard let factor = Cholesky(old) else { return }
        var cross = Jacobian<3>()
        for i in 0..<3 { cross.rows[i] = covariance.rows[offset + i] }
        let gain = factor.solve(cross)
        let weighted = (new - old) * gain
        for i in 0..<ErrorState.count {
            for j in 0...i {
                for k in 0..<3 { covariance.rows[i][j] += gain.rows[k][i] * weighted.rows[k][j] }
                covariance.rows[j][i] = covariance.rows[i][j]
            }
        }
        let change = value - present
        var step = Matrix<1, 3>()
        step.rows[0] = [change.x, change.y, change.z]
        inject(step * gain)
    }
}
