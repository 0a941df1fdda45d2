import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Propagation of the covariance, `P ← Φ·P·Φᵀ + Q`, by blocks.
///
/// With S = ∫R dt, g = ∫R·f dt and the interval Δ, the transition of the errors is
///
///     δθ ← δθ − S·δb_g
///     δv ← δv − [g]×·δθ + ½[g]×·S·δb_g − S·δb_a
///     δp ← δp + Δ·δv − ½Δ[g]×·δθ − ½Δ·S·δb_a
///
/// and the remaining states decay or walk by themselves. Source: Solà 2017, equations (269) and (309), with the global
/// attitude error.
extension ErrorStateKalmanFilter {
    /// Brings the covariance up to the time of the state.
    package mutating func propagateCovariance() {
        guard pending.duration > 0 else { return }
        applyTransition()
        addProcessNoise()
        judgeCovariance()
        pending = PendingPropagation()
    }

    private mutating func applyTransition() {
        let s = pending.rotation
        let skew = Matrix<3, 3>.skew(pending.force)
        let half = 0.5 * (skew * s)
        let span = pending.duration
        // Rows: Φ·P. Position first, attitude last: each reads the others as they were.
        for i in 0..<3 {
            let p = ErrorState.position + i
            let v = ErrorState.velocity + i
            covariance.addRow(v, times: span, to: p)
            for j in 0..<3 {
                covariance.addRow(ErrorState.attitude + j, times: -0.5 * span * skew.rows[i][j], to: p)
                covariance.addRow(ErrorState.accelerometerBias + j, times: -0.5 * span * s.rows[i][j], to: p)
            }
        }
        for i in 0..<3 {
            let v = ErrorState.velocity + i
            for j in 0..<3 {
                covariance.addRow(ErrorState.attitude + j, times: -skew.rows[i][j], to: v)
                covariance.addRow(ErrorState.gyroBias + j, times: half.rows[i][j], to: v)
                covariance.addRow(ErrorState.accelerometerBias + j, times: -s.rows[i][j], to: v)
            }
        }
        for i in 0..<3 {
            for j in 0..<3 {
                covariance.addRow(ErrorState.gyroBias + j, times: -s.rows[i][j], to: ErrorState.attitude + i)
            }
        }
        // Columns: (Φ·P)·Φᵀ, the same on each row.
        for row in 0..<ErrorState.count { transformRow(row, span, s, skew, half) }
    }

    @inline(__always)
    private mutating func transformRow(
        _ row: Int, _ span: Double, _ s: Matrix<3, 3>, _ skew: Matrix<3, 3>, _ half: Matrix<3, 3>
    ) {
        let r = covariance.rows[row]
        let attitude = Vector3(r[0], r[1], r[2])
        let velocity = Vector3(r[3], r[4], r[5])
        let position = Vector3(r[6], r[7], r[8])
        let gyro = Vector3(r[9], r[10], r[11])
        let accelerometer = Vector3(r[12], r[13], r[14])
        let tilted = skew * attitude
        let pushed = s * accelerometer
        let newPosition = position + span * velocity - (0.5 * span) * (tilted + pushed)
        let newVelocity = velocity - tilted + half * gyro - pushed
        let newAttitude = attitude - s * gyro
        covariance.rows[row][0] = newAttitude.x
        covariance.rows[row][1] = newAttitude.y
        covariance.rows[row][2] = newAttitude.z
        covariance.rows[row][3] = newVelocity.x
        covariance.rows[row][4] = newVelocity.y
        covariance.rows[row][5] = newVelocity.z
        covariance.rows[row][6] = newPosition.x
        covariance.rows[row][7] = newPosition.y
        covariance.rows[row][8] = newPosition.z
    }

    private mutating func addProcessNoise() {
        let span = pending.duration
        let noise = settings.inertial
        let velocity = pending.velocityVariance
        add(pending.attitudeVariance, at: ErrorState.attitude)
        add(velocity, at: ErrorState.velocity)
        add(velocity * span * span / 3, at: ErrorState.position)
        for i in 0..<3 {
            covariance.rows[ErrorState.position + i][ErrorState.velocity + i] += velocity * span / 2
            covariance.rows[ErrorState.velocity + i][ErrorState.position + i] += velocity * span / 2
        }
        add(noise.gyroBiasWalk * noise.gyroBiasWalk * span, at: ErrorState.gyroBias)
        add(noise.accelerometerBiasWalk * noise.accelerometerBiasWalk * span, at: ErrorState.accelerometerBias)
        let walk = settings.magnetic.hardIronWalk * magnetics.fieldStrength(settings)
        add(walk * walk * span, at: ErrorState.hardIron)
        addWalk(settings.steps.scaleWalk, at: ErrorState.stepScale, over: span)
        addWalk(settings.gnss.velocityDelayWalk, at: ErrorState.velocityDelay, over: span)
        addWalk(settings.height.offsetWalk, at: ErrorState.pressureOffset, over: span)
        decay(
            ErrorState.gnssError, count: 3, over: span, seconds: settings.gnss.correlationSeconds,
            deviations: gnss.errorDeviation)
        decay(
            ErrorState.gnssVelocityError, count: 3, over: span, seconds: settings.gnss.velocityCorrelationSeconds,
            deviations: gnss.velocityErrorDeviation)
        let offset = settings.magnetic.offsetDeviation
        decay(
            ErrorState.magneticOffset, count: 1, over: span, seconds: settings.magnetic.offsetSeconds,
            deviations: Vector3(offset, 0, 0))
        decay(
            ErrorState.walkingDirection, count: 1, over: span, seconds: settings.steps.directionSeconds,
            deviations: Vector3(settings.steps.directionDeviation, 0, 0))
    }

    private mutating func addWalk(_ deviation: Double, at index: Int, over span: Double) {
        covariance.rows[index][index] += deviation * deviation * span
    }

    private mutating func add(_ variance: Double, at offset: Int) {
        for i in offset..<(offset + 3) { covariance.rows[i][i] += variance }
    }

    /// First-order Gauss-Markov states: the value and its covariance decay towards the stationary deviation.
    private mutating func decay(_ offset: Int, count: Int, over span: Double, seconds: Double, deviations: Vector3) {
        let factor = exp(-span / seconds)
        let gain = 1 - factor * factor
        let stationary: InlineArray<3, Double> = [deviations.x, deviations.y, deviations.z]
        for i in 0..<count {
            covariance.scaleRow(offset + i, by: factor)
            covariance.scaleColumn(offset + i, by: factor)
            covariance.rows[offset + i][offset + i] += gain * stationary[i] * stationary[i]
        }
        switch offset {
        case ErrorState.gnssError: state.gnssError = state.gnssError * factor
        case ErrorState.gnssVelocityError: state.gnssVelocityError = state.gnssVelocityError * factor
        case ErrorState.walkingDirection: state.walkingDirection *= factor
        default: state.magneticOffset *= factor
        }
    }
}
