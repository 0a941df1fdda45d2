import Geometry
import Model

/// Changes of the covariance that are neither predictions nor updates. They apply when a state becomes unknown, or
/// becomes known from another source. Only these functions, `propagateCovariance`, `displace` and `apply` change the
/// covariance.
extension ErrorStateKalmanFilter {
    /// Adds an independent error to each of several successive states.
    @inline(__always)
    package mutating func widen(_ offset: Int, count: Int, by variance: Double) {
        for i in offset..<(offset + count) {
            covariance.rows[i][i] += variance
            camera?.widen(with: i, by: variance)
        }
    }

    /// Adds an error to a state, and a share of the same error to another state.
    package mutating func widen(_ index: Int, by variance: Double, with other: Int, share: Double) {
        covariance.rows[index][index] += variance
        covariance.rows[other][other] += share * share * variance
        covariance.rows[other][index] += share * variance
        covariance.rows[index][other] += share * variance
        camera?.widen(with: other, by: variance, of: index, share: share)
    }

    /// Multiplies the error of a state by a factor.
    package mutating func scale(_ index: Int, by factor: Double) {
        covariance.scaleRow(index, by: factor)
        covariance.scaleColumn(index, by: factor)
        camera?.scale(index, by: factor)
        camera?.scale(with: index, by: factor)
    }

    /// Sets the variances of successive states, and keeps their covariances.
    package mutating func setVariance(of offset: Int, count: Int = 1, standardDeviation: Double) {
        for i in offset..<(offset + count) { covariance[i, i] = standardDeviation * standardDeviation }
    }

    /// Resets the covariance of successive states: zeroes their cross-covariances, and sets their variances.
    package mutating func resetCovariance(_ offset: Int, count: Int, variance: Double) {
        for i in offset..<(offset + count) {
            for j in 0..<ErrorState.count {
                covariance[i, j] = 0
                covariance[j, i] = 0
            }
            covariance[i, i] = variance
        }
        camera?.reset(offset, count: count)
        planTurn.reset(offset..<(offset + count))
    }

    /// Resets the covariance of successive states, which all get the same standard deviation.
    mutating func resetCovariance(_ offset: Int, count: Int = 1, standardDeviation: Double) {
        resetCovariance(offset, count: count, variance: standardDeviation * standardDeviation)
    }

    /// Sets the covariance of three successive states, uncorrelated with all other states.
    mutating func resetCovariance(_ offset: Int, to block: Matrix<3, 3>) {
        resetCovariance(offset, count: 3, variance: 0)
        covariance.setBlock(offset, offset, block)
    }

    /// Transforms the covariance of three successive states to `G·P·Gᵀ`.
    package mutating func turnCovariance(_ offset: Int, by turn: Matrix<3, 3>) {
        camera?.turn(offset, by: turn)
        for j in 0..<ErrorState.count {
            let column = Vector3(
                covariance.rows[offset][j], covariance.rows[offset + 1][j], covariance.rows[offset + 2][j])
            let turned = turn * column
            covariance.rows[offset][j] = turned.x
            covariance.rows[offset + 1][j] = turned.y
            covariance.rows[offset + 2][j] = turned.z
        }
        for i in offset..<(offset + 3) {
            let row = Vector3(
                covariance.rows[i][offset], covariance.rows[i][offset + 1], covariance.rows[i][offset + 2])
            let turned = turn * row
            covariance.rows[i][offset] = turned.x
            covariance.rows[i][offset + 1] = turned.y
            covariance.rows[i][offset + 2] = turned.z
        }
        // Rounding breaks the symmetry of the block, so one half is copied to the other.
        for i in offset..<(offset + 3) {
            for j in 0..<ErrorState.count where !(offset..<i).contains(j) {
                covariance.rows[j][i] = covariance.rows[i][j]
            }
        }
    }

    /// Replaces value and covariance of three successive states, and corrects all correlated states.
    ///
    /// Equation: docs/filter.md (36).
    package mutating func replace(
        _ offset: Int, by value: Vector3, instead present: Vector3, covariance new: Matrix<3, 3>
    ) {
        let old = covariance.block(offset, offset)
        guard let factor = Cholesky(old) else { return }
        var cross = Jacobian<3>()
        for i in 0..<3 { cross.rows[i] = covariance.rows[offset + i] }
        let gain = factor.solve(cross)
        let weighted = (new - old) * gain
        camera?.replace(
            offset, old: factor, change: value - present, gain: gain, difference: new - old)
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

    /// Applies a scalar measurement of one state, `P ← P − p·pᵀ/(P_ii + V)`, where p is the column of that state. A
    /// negative variance V removes an earlier measurement.
    package mutating func fuse(_ index: Int, _ innovation: Double, variance: Double, cause: FrameCause) {
        let sum = covariance[index, index] + variance
        guard sum != 0 else { return }
        var error = Jacobian<1>()
        for i in 0..<ErrorState.count { error[0, i] = covariance[i, index] / sum }
        let gain = error
        camera?.fuse(index, innovation, gain: gain, sum: sum)
        for i in 0..<ErrorState.count {
            for j in 0..<ErrorState.count { covariance[i, j] -= gain[0, i] * gain[0, j] * sum }
            error[0, i] *= innovation
        }
        influence.cause = cause
        heading.motion.turn(by: error[0, ErrorState.yaw])
        inject(error)
    }
}
