import Geometry

/// What became of a measurement.
package struct CorrectionOutcome: Hashable, Sendable {
    package var isAccepted: Bool
    /// Whether it lay beyond its gate, softened or rejected.
    package var isOutlier: Bool
    /// The normalised innovation squared, before any enlargement.
    package var normalizedSquare: Double

    package static let failed = CorrectionOutcome(isAccepted: false, isOutlier: true, normalizedSquare: 0)
}

extension ErrorStateKalmanFilter {
    /// Corrects the state by a measurement with the innovation `r`, the Jacobian `h` and the noise covariance `noise`.
    ///
    /// Joseph's form for any gain: `P − K·(PHᵀ)ᵀ − PHᵀ·Kᵀ + K·S·Kᵀ`, which stays symmetric and non-negative also where
    /// the mask takes rows out of the gain.
    ///
    /// Source: Bucy, Joseph, "Filtering for stochastic processes", 1968; the gate's soft form after Huber, 1964.
    @discardableResult
    package mutating func correct<let Rows: Int>(
        innovation r: Matrix<Rows, 1>, jacobian h: Jacobian<Rows>, noise: Matrix<Rows, Rows>,
        mask: GainMask, gate: InnovationGate?
    ) -> CorrectionOutcome {
        propagateCovariance()
        // (PHᵀ)ᵀ, row by row of H.
        let cross = crossCovariance(h)
        var innovationCovariance = cross * h.transpose + noise
        guard var factor = Cholesky(innovationCovariance) else { return .failed }
        let square = factor.squaredLength(r)
        guard square.isFinite else { return .failed }
        var isOutlier = false
        if let gate {
            guard let enlargement = gate.enlargement(normalizedSquare: square, dimensions: Rows) else {
                return CorrectionOutcome(isAccepted: false, isOutlier: true, normalizedSquare: square)
            }
            if enlargement > 1 {
                isOutlier = true
                innovationCovariance = enlargement * innovationCovariance
                guard let enlarged = Cholesky(innovationCovariance) else { return .failed }
                factor = enlarged
            }
        }
        // K = PHᵀ·S⁻¹, hence Kᵀ = S⁻¹·(PHᵀ)ᵀ.
        var gainTransposed = factor.solve(cross)
        for j in 0..<ErrorState.count where !mask.allows(j) {
            for i in 0..<Rows { gainTransposed.rows[i][j] = 0 }
        }
        reduceCovariance(cross, gainTransposed, innovationCovariance)
        inject(r.transpose * gainTransposed)
        return CorrectionOutcome(isAccepted: true, isOutlier: isOutlier, normalizedSquare: square)
    }

    /// `H·P`, skipping the elements of H that are zero. Mutating only so that no copy of the filter is made for it.
    private mutating func crossCovariance<let Rows: Int>(_ h: Jacobian<Rows>) -> Jacobian<Rows> {
        var transposed = Jacobian<Rows>()
        for i in 0..<Rows {
            for k in 0..<ErrorState.count {
                let factor = h.rows[i][k]
                guard factor != 0 else { continue }
                // P is symmetric: its row is its column.
                for j in 0..<ErrorState.count { transposed.rows[i][j] += factor * covariance.rows[k][j] }
            }
        }
        return transposed
    }

    private mutating func reduceCovariance<let Rows: Int>(
        _ cross: Jacobian<Rows>, _ gain: Jacobian<Rows>, _ innovationCovariance: Matrix<Rows, Rows>
    ) {
        let weighted = innovationCovariance * gain
        for m in 0..<Rows {
            for i in 0..<ErrorState.count {
                let gainHere = gain.rows[m][i]
                let crossHere = cross.rows[m][i]
                for j in 0..<ErrorState.count {
                    covariance.rows[i][j] +=
                        gainHere * (weighted.rows[m][j] - cross.rows[m][j]) - crossHere * gain.rows[m][j]
                }
            }
        }
        symmetrizeCovariance()
    }

    /// Removes what rounding makes unequal; a variance never falls below zero.
    private mutating func symmetrizeCovariance() {
        for i in 0..<ErrorState.count {
            for j in 0..<i {
                let mean = 0.5 * (covariance.rows[i][j] + covariance.rows[j][i])
                covariance.rows[i][j] = mean
                covariance.rows[j][i] = mean
            }
            covariance.rows[i][i] = max(covariance.rows[i][i], Self.leastVariance)
        }
    }

    /// Keeps a variance that rounding took to zero from turning negative.
    private static let leastVariance = 1e-20

    private mutating func inject(_ error: Jacobian<1>) {
        state.inject(error)
        resetAttitudeError(Vector3(error[0, 0], error[0, 1], error[0, 2]))
    }

    /// The attitude error counts from the corrected attitude, `G = 1 + ½[δθ]×`.
    ///
    /// Source: Solà 2017, equation (287) with the sign of the global error. Below 1e-4 rad it changes nothing.
    private mutating func resetAttitudeError(_ correction: Vector3) {
        guard correction.squaredNorm > 1e-8 else { return }
        let half = correction * 0.5
        // [δθ]×·column and, transposed, [δθ]×·row: the same small cross product.
        for j in 0..<ErrorState.count {
            let column = Vector3(covariance.rows[0][j], covariance.rows[1][j], covariance.rows[2][j])
            let turned = column + half.cross(column)
            covariance.rows[0][j] = turned.x
            covariance.rows[1][j] = turned.y
            covariance.rows[2][j] = turned.z
        }
        for i in 0..<ErrorState.count {
            let row = Vector3(covariance.rows[i][0], covariance.rows[i][1], covariance.rows[i][2])
            let turned = row + half.cross(row)
            covariance.rows[i][0] = turned.x
            covariance.rows[i][1] = turned.y
            covariance.rows[i][2] = turned.z
        }
    }
}
