import Geometry

/// Repeats each change that the filter makes to its own covariance on the covariance that involves the camera's errors.
extension CameraFrame {
    /// Updates the cross-covariance after a prediction of the motion: `C ← C·Φᵀ`.
    mutating func carry(_ transition: MotionTransition) {
        for i in 0..<CameraError.count {
            let carried = transition.carry(
                MotionTransition.Errors(
                    attitude: shared(i, ErrorState.attitude), velocity: shared(i, ErrorState.velocity),
                    position: shared(i, ErrorState.position), gyroBias: shared(i, ErrorState.gyroBias),
                    accelerometerBias: shared(i, ErrorState.accelerometerBias),
                    gyroScale: shared(i, ErrorState.gyroScale)))
            put(carried.attitude, i, ErrorState.attitude)
            put(carried.velocity, i, ErrorState.velocity)
            put(carried.position, i, ErrorState.position)
        }
    }

    @inline(__always)
    private func shared(_ row: Int, _ offset: Int) -> Vector3 {
        Vector3(cross.rows[row][offset], cross.rows[row][offset + 1], cross.rows[row][offset + 2])
    }

    @inline(__always)
    private mutating func put(_ vector: Vector3, _ row: Int, _ offset: Int) {
        cross.rows[row][offset] = vector.x
        cross.rows[row][offset + 1] = vector.y
        cross.rows[row][offset + 2] = vector.z
    }

    /// Updates the covariance after the horizontal position was displaced by `J·δx`.
    mutating func displace(by jacobian: Jacobian<2>) {
        let moved = cross * jacobian.transpose
        for i in 0..<CameraError.count {
            for k in 0..<2 { cross.rows[i][ErrorState.position + k] += moved.rows[i][k] }
        }
    }

    /// Scales the covariance of one state after that state decayed.
    @inline(__always)
    mutating func scale(_ index: Int, by factor: Double) {
        guard factor != 1 else { return }
        for i in 0..<CameraError.count { cross.rows[i][index] *= factor }
    }

    /// Returns the index of the frame's error that equals the error of a filter state; nil for other states. The errors
    /// are equal because the frame is placed relative to the wearer.
    private static func shared(with index: Int) -> Int? {
        let axis = index - ErrorState.position
        if (0..<3).contains(axis) { return CameraError.origin + axis }
        return index == ErrorState.yaw ? CameraError.yaw : nil
    }

    /// Adds an error to the filter's position or yaw. The frame shares this error.
    mutating func widen(with index: Int, by variance: Double) {
        guard isPlaced, let own = Self.shared(with: index) else { return }
        covariance.rows[own][own] += variance
        cross.rows[own][index] += variance
    }

    /// Adds an error to a state. A share of this error also affects the filter's position or yaw, and therefore the
    /// frame.
    mutating func widen(with other: Int, by variance: Double, of index: Int, share: Double) {
        guard isPlaced, let own = Self.shared(with: other) else { return }
        widen(with: other, by: share * share * variance)
        cross.rows[own][index] += share * variance
    }

    /// Multiplies the error that the frame shares with a filter state by a factor.
    mutating func scale(with index: Int, by factor: Double) {
        guard let own = Self.shared(with: index) else { return }
        for j in 0..<ErrorState.count { cross.rows[own][j] *= factor }
        covariance.scaleRow(own, by: factor)
        covariance.scaleColumn(own, by: factor)
    }

    /// Updates the covariance after successive states were reset to an independent error.
    mutating func reset(_ offset: Int, count: Int) {
        let states = offset..<(offset + count)
        if states.contains(ErrorState.yaw) || states.contains(ErrorState.position) { release() }
        for i in 0..<CameraError.count {
            for j in states { cross.rows[i][j] = 0 }
        }
    }

    /// Updates the covariance after three successive states were transformed.
    mutating func turn(_ offset: Int, by turn: Matrix<3, 3>) {
        for i in 0..<CameraError.count { put(turn * shared(i, offset), i, offset) }
    }

    /// Updates the covariance after three successive states and their covariance were replaced, given the gain of the
    /// other states and the change of the covariance.
    mutating func replace(
        _ offset: Int, old: Cholesky<3>, change: Vector3, gain: Jacobian<3>, difference: Matrix<3, 3>
    ) {
        var columns = Matrix<3, 9>()
        for i in 0..<CameraError.count {
            for k in 0..<3 { columns.rows[k][i] = cross.rows[i][offset + k] }
        }
        let own = old.solve(columns)
        let weighted = difference * own
        cross = cross + weighted.transpose * gain
        covariance = covariance + own.transpose * weighted
        var step = Matrix<1, 3>()
        step.rows[0] = [change.x, change.y, change.z]
        inject(step * own)
    }

    /// Updates the covariance after a scalar measurement of one state, given the gain of the filter's states and the
    /// innovation variance.
    mutating func fuse(_ index: Int, _ innovation: Double, gain: Jacobian<1>, sum: Double) {
        var own = CameraJacobian<1>()
        for i in 0..<CameraError.count { own.rows[0][i] = cross.rows[i][index] / sum }
        for i in 0..<CameraError.count {
            for j in 0..<ErrorState.count { cross.rows[i][j] -= own.rows[0][i] * gain.rows[0][j] * sum }
            for j in 0..<CameraError.count { covariance.rows[i][j] -= own.rows[0][i] * own.rows[0][j] * sum }
        }
        inject(innovation * own)
    }

    /// Adds the camera's part to the projections of a measurement: `Hc·Cᶜ` to the projection on the filter's errors,
    /// and all of the projection on the camera's own errors.
    func project<let Rows: Int>(
        _ h: Jacobian<Rows>, _ own: CameraJacobian<Rows>?, _ cross: inout Jacobian<Rows>,
        _ ownCross: inout CameraJacobian<Rows>
    ) {
        // Zero derivatives are skipped, because most are zero.
        for i in 0..<Rows {
            for k in 0..<ErrorState.count where h.rows[i][k] != 0 {
                for j in 0..<CameraError.count { ownCross.rows[i][j] += h.rows[i][k] * self.cross.rows[j][k] }
            }
        }
        guard let own else { return }
        cross = cross + own * self.cross
        ownCross = ownCross + own * covariance
    }

    /// Updates the covariance after a measurement, given the whitened projections, `u` on the filter's errors and `own`
    /// on the camera's errors, and the whitened innovation.
    mutating func correct<let Rows: Int>(
        _ u: Jacobian<Rows>, _ own: CameraJacobian<Rows>, _ z: Matrix<Rows, 1>, _ mask: GainMask
    ) {
        let ownMask = CameraMask(mask)
        var error = CameraJacobian<1>()
        for i in 0..<CameraError.count {
            let isOwn = ownMask.allows(i)
            for j in 0..<ErrorState.count where isOwn || mask.allows(j) {
                for m in 0..<Rows { cross.rows[i][j] -= own.rows[m][i] * u.rows[m][j] }
            }
            for j in 0...i where isOwn || ownMask.allows(j) {
                for m in 0..<Rows { covariance.rows[i][j] -= own.rows[m][i] * own.rows[m][j] }
                covariance.rows[j][i] = covariance.rows[i][j]
            }
            covariance.rows[i][i] = max(covariance.rows[i][i], 0)
            guard isOwn else { continue }
            for m in 0..<Rows { error.rows[0][i] += own.rows[m][i] * z.rows[m][0] }
        }
        inject(error)
    }

    private mutating func inject(_ error: CameraJacobian<1>) {
        let e = error.rows[0]
        origin += Vector3(e[0], e[1], e[2])
        yaw = Angle.wrapped(yaw + e[CameraError.yaw])
        logScale += e[CameraError.logScale]
        mount += Vector3(e[CameraError.mount], e[CameraError.mount + 1], e[CameraError.mount + 2])
        delay += e[CameraError.delay]
    }
}
