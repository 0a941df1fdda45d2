import Geometry
import Model

/// Measurement in the form that the filter applies: innovation, Jacobian, noise, and the states that it may correct.
///
/// Pure functions of the state create updates. Only `ErrorStateKalmanFilter.apply` uses them.
package struct Update<let Rows: Int>: Sendable {
    /// Measured value minus predicted value.
    package var innovation: Matrix<Rows, 1>
    /// Derivative of the prediction with respect to the error state.
    package var jacobian: Jacobian<Rows>
    /// Covariance of the measurement's noise.
    package var noise: Matrix<Rows, Rows>
    /// States that the measurement may correct.
    package var mask: GainMask
    /// Gate for large innovations; nil for a measurement without a gate.
    package var gate: InnovationGate?
    /// Cause to which the correction is attributed.
    package var cause: FrameCause

    @inline(__always)
    package init(
        innovation: Matrix<Rows, 1>, jacobian: Jacobian<Rows>, noise: Matrix<Rows, Rows>, mask: GainMask,
        gate: InnovationGate?, cause: FrameCause
    ) {
        self.innovation = innovation
        self.jacobian = jacobian
        self.noise = noise
        self.mask = mask
        self.gate = gate
        self.cause = cause
    }
}

/// Factories of updates.
extension ErrorStateKalmanFilter {
    @inline(__always)
    static func scalarUpdate(
        _ innovation: Double, _ jacobian: Jacobian<1>, variance: Double, mask: GainMask, gate: InnovationGate?,
        cause: FrameCause
    ) -> Update<1> {
        Update(
            innovation: innovation * .diagonalOnes, jacobian: jacobian, noise: variance * .diagonalOnes, mask: mask,
            gate: gate, cause: cause)
    }

    /// Returns the update for a measurement of three successive states, the first of which is at an offset.
    @inline(__always)
    static func vectorUpdate(
        at offset: Int, _ innovation: Vector3, noise: Matrix<3, 3>, mask: GainMask, gate: InnovationGate?,
        cause: FrameCause
    ) -> Update<3> {
        var jacobian = Jacobian<3>()
        jacobian.setBlock(0, offset, .identity)
        return Update(
            innovation: innovation.column, jacobian: jacobian, noise: noise, mask: mask, gate: gate, cause: cause)
    }
}

extension Vector3 {
    @inline(__always)
    package var column: Matrix<3, 1> {
        var column = Matrix<3, 1>()
        column[0, 0] = x
        column[1, 0] = y
        column[2, 0] = z
        return column
    }
}
