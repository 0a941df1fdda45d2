import Geometry

import Glibc

package struct CorrectionOutcome: Hashable, Sendable {
    /// Whether the measurement corrected the state.
    package var isAccepted: Bool
    /// Whether the innovation was beyond its gate, so that the measurement was down-weighted or rejected.
    package var isOutlier: Bool
    /// Normalised innovation squared (NIS), before any down-weighting.
    package var normalizedInnovationSquared: Double
    /// Determinant of the innovation covariance, before any down-weighting.
    package var determinant = 1.0
    package var dimensions = 1

    /// Result of an update whose innovation covariance is singular or not finite.
    package static let failed = CorrectionOutcome(isAccepted: false, isOutlier: true, normalizedInnovationSquared: 0)

    /// Log-likelihood of the innovation up to a constant, from Student's t-distribution, whose tails tolerate outliers.
    ///
    /// Equation: docs/filter.md (46).
    package var logLikelihood: Double {
        let freedom = Self.degreesOfFreedom
        return -0.5 * ((freedom + Double(dimensions)) * log1p(normalizedInnovationSquared / freedom) + log(determinant))
    }

    /// Degrees of freedom ν of Student's t-distribution.
    static let degreesOfFreedom = 5.0
}

extension ErrorStateKalmanFilter {
    /// Corrects state and covariance with a measurement, and attributes the change to its cause.
    ///
    /// With `S = H·P·Hᵀ + R = L·Lᵀ`, `U = L⁻¹·H·P` and `z = L⁻¹·r` the error is `Uᵀ·z` and the covariance becomes `P −
    /// Uᵀ·U`, both restricted to the rows and columns that the mask allows. This equals the Joseph form for a gain
    /// whose other rows are zero.
    ///
    /// Source: Bucy, Joseph, "Filtering for stochastic processes", 1968; Schmidt, "Application of state-space methods
    /// to navigation problems", 1966; the gate's soft form after Huber, 1964.
    ///
    /// Equations: docs/filter.md (17) to (22).
    ///
    /// - Parameter seen: derivative of the prediction with respect to the camera's odometry errors; nil for
    ///   measurements of other sensors.
    @discardableResult
    package mutating func apply<let Rows: Int>(
        _ update: Update<Rows>, camera seen: CameraJacobian<Rows>? = nil
    ) -> CorrectionOutcome {
        propagateCovariance()
        influence.cause = update.cause
        var whitened = Jacobian<Rows>()
        var whitenedCamera = CameraJacobian<Rows>()
        var innovationCovariance = update.noise
        project(update.jacobian, seen, &whitened, &whitenedCamera, &innovationCovariance)
        guard let factor = Cholesky(innovationCovariance) else { return .failed }
        var z = update.innovation
        factor.whiten(&z)
        var square = 0.0
        for i in 0..<Rows { square += z.rows[i][0] * z.rows[i][0] }
        guard square.isFinite else { return .failed }
        let determinant = factor.determinant
        let enlargement = update.gate.map { $0.enlargement(normalizedInnovationSquared: square, dimensions: Rows) } ?? 1
        guard let enlargement else {
            return CorrectionOutcome(
                isAccepted: false, isOutlier: true, normalizedInnovationSquared: square, determinant: determinant,
                dimensions: Rows)
        }
        factor.whiten(&whitened)
        if enlargement > 1 {
            // S is multiplied by the factor and L by its square root, so U and z are divided by the square root.
            whitened = (1 / enlargement.squareRoot()) * whitened
            z = (1 / enlargement.squareRoot()) * z
        }
        if camera != nil {
            factor.whiten(&whitenedCamera)
            if enlargement > 1 { whitenedCamera = (1 / enlargement.squareRoot()) * whitenedCamera }
            camera?.correct(whitened, whitenedCamera, z, update.mask)
        }
        if !planTurn.isNone { reducePlanTurn(seenBy: update.jacobian, factor, whitened, enlargement, update.mask) }
        reduceCovariance(whitened, update.mask)
        inject(whitened, z, update.mask)
        return CorrectionOutcome(
            isAccepted: true, isOutlier: enlargement > 1, normalizedInnovationSquared: square, determinant: determinant,
            dimensions: Rows)
    }

    /// Returns the normalised innovation squared per component of a measurement, without applying it; nil if the
    /// innovation covariance is singular.
    mutating func normalizedInnovationSquared<let Rows: Int>(
        _ update: Update<Rows>, camera seen: CameraJacobian<Rows>?
    ) -> Double? {
        propagateCovariance()
        var cross = Jacobian<Rows>()
        var cameraCross = CameraJacobian<Rows>()
        var innovationCovariance = update.noise
        project(update.jacobian, seen, &cross, &cameraCross, &innovationCovariance)
        return Cholesky(innovationCovariance).map { $0.squaredLength(update.innovation) / Double(Rows) }
    }

    /// Computes `H·P`, and adds `H·P·Hᵀ` to the noise. It visits only the non-zero elements of H.
    @inline(__always)
    private mutating func project<let Rows: Int>(
        _ h: Jacobian<Rows>, _ seen: CameraJacobian<Rows>?, _ cross: inout Jacobian<Rows>,
        _ cameraCross: inout CameraJacobian<Rows>, _ innovationCovariance: inout Matrix<Rows, Rows>
    ) {
        var used = InlineArray<Rows, GainMask>(repeating: [])
        for i in 0..<Rows {
            for k in 0..<ErrorState.count where h.rows[i][k] != 0 { used[i].formUnion(.states(k, count: 1)) }
            for k in used[i].indices {
                let factor = h.rows[i][k]
                // P is symmetric, so row k equals column k.
                for j in 0..<ErrorState.count { cross.rows[i][j] += factor * covariance.rows[k][j] }
            }
        }
        camera?.project(h, seen, &cross, &cameraCross)
        if let seen { innovationCovariance = innovationCovariance + seen * cameraCross.transpose }
        for i in 0..<Rows {
            for k in used[i].indices {
                let factor = h.rows[i][k]
                for m in 0..<Rows { innovationCovariance.rows[i][m] += factor * cross.rows[m][k] }
            }
        }
    }

    /// Reduces `planTurn`, the correction that plans have made, by the part of it that a measurement corrects.
    private mutating func reducePlanTurn<let Rows: Int>(
        seenBy h: Jacobian<Rows>, _ factor: Cholesky<Rows>, _ u: Jacobian<Rows>, _ enlargement: Double,
        _ mask: GainMask
    ) {
        var seen = Matrix<Rows, 1>()
        for i in 0..<Rows { seen.rows[i][0] = planTurn.seen(by: h.rows[i]) }
        factor.whiten(&seen)
        var error = Jacobian<1>()
        for j in mask.intersection(PlanTurn.mask).indices {
            for m in 0..<Rows { error.rows[0][j] -= u.rows[m][j] * seen.rows[m][0] / enlargement.squareRoot() }
        }
        planTurn.add(error)
    }

    /// Subtracts `Uᵀ·U` from the covariance. Because multiplication is commutative, a symmetric matrix stays symmetric
    /// to the last bit.
    @inline(__always)
    private mutating func reduceCovariance<let Rows: Int>(_ u: Jacobian<Rows>, _ mask: GainMask) {
        for i in mask.indices {
            for j in 0..<ErrorState.count {
                var sum = u.rows[0][i] * u.rows[0][j]
                for m in 1..<Rows { sum += u.rows[m][i] * u.rows[m][j] }
                covariance.rows[i][j] -= sum
            }
            // Rounding must not make a variance negative.
            covariance.rows[i][i] = max(covariance.rows[i][i], Self.minimumVariance)
        }
        // Covariances between two consider states do not change. Either the consider rows are copied from their
        // columns, or the corrected columns from their rows, whichever is less work.
        let considered = GainMask.all.subtracting(mask)
        if considered.count < mask.count {
            for i in considered.indices {
                for j in 0..<ErrorState.count { covariance.rows[i][j] = covariance.rows[j][i] }
            }
        } else {
            for i in mask.indices {
                for j in 0..<ErrorState.count { covariance.rows[j][i] = covariance.rows[i][j] }
            }
        }
    }

    /// Lower bound of a variance, so that rounding cannot make it negative.
    static let minimumVariance = 1e-20

    @inline(__always)
    private mutating func inject<let Rows: Int>(_ u: Jacobian<Rows>, _ z: Matrix<Rows, 1>, _ mask: GainMask) {
        var error = Jacobian<1>()
        for j in mask.indices {
            for m in 0..<Rows { error.rows[0][j] += u.rows[m][j] * z.rows[m][0] }
        }
        inject(error)
        heading.motion.turn(by: error[0, ErrorState.yaw])
        resetAttitudeError(Vector3(error[0, 0], error[0, 1], error[0, 2]))
    }

    /// Injects an error into the nominal state, and attributes the change to the current cause.
    @inline(__always)
    mutating func inject(_ error: Jacobian<1>) {
        state.inject(error)
        let p = ErrorState.position
        influence.add(
            shift: Vector3(error[0, p], error[0, p + 1], error[0, p + 2]), yaw: error[0, ErrorState.yaw])
    }

    /// Resets the covariance after an injection, `G = 1 + ½[δθ]×`, because the attitude error is now relative to the
    /// corrected attitude.
    ///
    /// Source: Solà 2017, equation (287) with the sign of the global error. Below 1e-4 rad the effect is negligible.
    ///
    /// Equation: docs/filter.md (25).
    private mutating func resetAttitudeError(_ correction: Vector3) {
        guard correction.squaredNorm > 1e-8 else { return }
        turnCovariance(
            ErrorState.attitude, by: Matrix<3, 3>.identity + Matrix<3, 3>.skew(correction * 0.5))
    }
}

/// Gate of an update, which decides what to do with a measurement far from its prediction.
package struct InnovationGate: Hashable, Sendable {
    /// Number of standard deviations per component of the innovation beyond which the rule applies.
    package var limit: Double
    package var rule: Rule

    /// Limit for measurements with nearly normal errors. Origin: one in 370 samples of a normal distribution exceeds
    /// this limit.
    package static let usual = 3.0
    /// Limit for positions, whose multipath errors must not count as outliers. Origin: jumps of the receiver exceed
    /// this limit.
    package static let wide = 5.0

    package init(limit: Double = Self.usual, rule: Rule) {
        self.limit = limit
        self.rule = rule
    }

    /// Treatment of innovations beyond the limit.
    package enum Rule: UInt8, Hashable, Sendable {
        /// Rejects the measurement.
        case reject
        /// Huber weighting: the influence is bounded, so outliers barely move the state, but a wrong state still
        /// converges.
        case soften
    }

    /// Returns the factor, at least 1, by which to enlarge the innovation covariance; nil to reject the measurement.
    ///
    /// `soften` is the Huber weight: beyond the limit an innovation of `d` standard deviations has the same influence
    /// as an innovation of `limit` standard deviations.
    ///
    /// Equations: docs/filter.md (23), (24).
    ///
    /// - Parameter normalizedInnovationSquared: the squared Mahalanobis distance of the innovation.
    package func enlargement(normalizedInnovationSquared: Double, dimensions: Int) -> Double? {
        // The length of a vector grows with its number of dimensions, but the limit counts standard deviations of one
        // component.
        let distance = (normalizedInnovationSquared / Double(dimensions)).squareRoot()
        guard distance > limit else { return 1 }
        switch rule {
        case .reject: return nil
        case .soften: return distance / limit
        }
    }
}
