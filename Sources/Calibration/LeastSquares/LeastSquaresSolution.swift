/// Result of a least-squares fit, with its covariance.
public struct LeastSquaresSolution: Sendable {
    /// Estimated parameters.
    public let parameters: [Double]
    /// Residuals at `parameters`, including the priors.
    public let residuals: [Double]
    let cofactors: Cofactors
    /// Whether a tolerance was met; false if the evaluations ran out or no step improved the fit.
    public let hasConverged: Bool
    /// Number of evaluations of the residuals.
    public let evaluations: Int

    /// RMS of all residuals.
    public var residualRMS: Double { (squaredSum / Double(residuals.count)).squareRoot() }

    /// A posteriori variance of one residual; 0 without redundancy.
    public var residualVariance: Double {
        let freedom = residuals.count - cofactors.rank
        return freedom > 0 ? squaredSum / Double(freedom) : 0
    }

    /// Number of parameters, or combinations of them, that the residuals determine.
    public var rank: Int { cofactors.rank }

    /// Whether the residuals determine all parameters.
    public var isDetermined: Bool { rank == parameters.count }

    /// Covariance of two parameters for residuals of variance 1, that is, divided by known standard deviations.
    public func unscaledCovariance(_ row: Int, _ column: Int) -> Double { cofactors[row, column] }

    /// Covariance of two parameters, scaled by the a posteriori variance of the residuals.
    public func covariance(_ row: Int, _ column: Int) -> Double { residualVariance * cofactors[row, column] }

    /// Standard deviation of a parameter, scaled by the a posteriori variance of the residuals.
    public func standardDeviation(_ index: Int) -> Double { covariance(index, index).squareRoot() }

    /// Variance of `Σ row[i] · parameter[i]`, scaled by the a posteriori variance of the residuals.
    public func variance(along row: [Double]) -> Double {
        var sum = 0.0
        for i in row.indices where row[i] != 0 {
            for j in row.indices where row[j] != 0 { sum += row[i] * row[j] * covariance(i, j) }
        }
        return max(0, sum)
    }

    private var squaredSum: Double { residuals.reduce(0) { $0 + $1 * $1 } }
}
