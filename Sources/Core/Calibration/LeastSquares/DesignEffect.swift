import Geometry

/// Ratio of the variance of fitted parameters to the variance that independent residuals would give. It is computed
/// from the scores of blocks of residuals.
///
/// If a model does not fit exactly, residuals share errors with their neighbours in time and direction. The score of a
/// block, `Jᵀ·r` over its residuals, adds up the shared errors, whatever their form. A fit leaves only a fraction of a
/// block's residuals, so that each score is divided by the square root of this fraction. For independent residuals
/// without priors, the expected mean over the parameters is then 1, even with few blocks. Priors reduce the mean by
/// their share of the information.
///
/// Sources: Liang, Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73(1), 1986, for the
/// scores of blocks; Bell, McCaffrey, "Bias reduction in standard errors for linear regression with multi-stage
/// samples", Survey Methodology 28(2), 2002, for that fraction; Kish, "Survey sampling", 1965, for the name.
package struct DesignEffect {
    package static let maximumParameterCount = 17
    private typealias Square = Matrix<17, 17>
    private typealias Column = Matrix<17, 1>

    /// Normal matrix and score of one block.
    private struct Sums {
        var normal = Square()
        var score = Column()

        mutating func add(_ jacobian: ResidualJacobian, _ row: Int, _ residual: Double) {
            for i in 0..<jacobian.columns {
                let value = jacobian[row, i]
                guard value != 0 else { continue }
                score.rows[i][0] += value * residual
                for j in 0...i { normal.rows[i][j] += value * jacobian[row, j] }
            }
        }

        /// Whole normal matrix. Only the lower triangle of `normal` is summed.
        var symmetric: Square {
            var whole = normal
            for i in 0..<maximumParameterCount {
                for j in 0..<i { whole.rows[j][i] = normal.rows[i][j] }
            }
            return whole
        }
    }

    /// Mean of the ratio over the parameters; 1 if it cannot be determined.
    package private(set) var mean = 1.0

    /// - Parameters:
    ///   - jacobian: Jacobian at the solution, with at most `maximumParameterCount` columns.
    ///   - residuals: residuals at the solution, divided by their standard deviations.
    ///   - block: number of the block that a row belongs to, from zero; nil for a prior, which adds to the normal
    ///     matrix but not to the scores.
    package init(jacobian: ResidualJacobian, residuals: [Double], block: (Int) -> Int?) {
        precondition(jacobian.columns <= Self.maximumParameterCount && jacobian.rows == residuals.count)
        var (blocks, priors) = ([Int: Sums](), Sums())
        for row in residuals.indices {
            if let number = block(row) {
                blocks[number, default: Sums()].add(jacobian, row, residuals[row])
            } else {
                priors.add(jacobian, row, residuals[row])
            }
        }
        // The blocks are sorted, so that the same residuals give the same ratio to the last bit.
        let sorted = blocks.keys.sorted().compactMap { blocks[$0] }
        var whole = sorted.reduce(priors.normal) { $0 + $1.normal }
        for unused in jacobian.columns..<max(Self.maximumParameterCount, jacobian.columns) {
            whole.rows[unused][unused] = 1
        }
        guard blocks.count > 1, let factor = Cholesky(whole) else { return }
        let sum = sorted.reduce(0) { $0 + Self.squaredScore($1, factor) }
        guard sum.isFinite else { return }
        mean = sum / Double(jacobian.columns)
    }

    /// Squared score of a block, in units of the parameters' standard deviations.
    private static func squaredScore(_ sums: Sums, _ factor: Cholesky<17>) -> Double {
        var (half, score) = (sums.symmetric, sums.score)
        factor.whiten(&half)
        factor.whiten(&score)
        var share = half.transpose
        factor.whiten(&share)
        guard let eigen = SymmetricEigen(share) else { return 0 }
        return (0..<maximumParameterCount).reduce(0) { sum, column in
            let along = (0..<maximumParameterCount).reduce(0) { $0 + eigen.vectors[$1, column] * score[$1, 0] }
            return sum + along * along / max(1 - eigen.values[column], minimumShare)
        }
    }

    /// Lower bound of the fraction of the residuals that the fit leaves. If a block alone determines a parameter, the
    /// fit leaves neither residuals nor a score, which would give 0/0.
    private static let minimumShare = 1e-3
}
