/// What least squares came to.
public struct LeastSquaresSolution: Sendable {
    public let parameters: [Double]
    /// At `parameters`, priors among them.
    public let residuals: [Double]
    let cofactors: Cofactors
    /// False where it ended by the number of evaluations, or nowhere to go.
    public let hasConverged: Bool
    public let evaluations: Int

    /// Of all residuals.
    public var residualRMS: Double { (squaredSum / Double(residuals.count)).squareRoot() }

    /// The variance of one residual, as the residuals show it; 0 where there are no more of them than parameters.
    public var residualVariance: Double {
        let freedom = residuals.count - cofactors.rank
        return freedom > 0 ? squaredSum / Double(freedom) : 0
    }

    /// Parameters, or combinations of them, that the residuals determine.
    public var rank: Int { cofactors.rank }

    public var isDetermined: Bool { rank == parameters.count }

    /// Of two parameters, with residuals of variance 1: where they were divided by known standard deviations.
    public func unscaledCovariance(_ row: Int, _ column: Int) -> Double { cofactors[row, column] }

    /// Of two parameters, scaled by the variance that the residuals show.
    public func covariance(_ row: Int, _ column: Int) -> Double { residualVariance * cofactors[row, column] }

    public func standardDeviation(_ index: Int) -> Double { covariance(index, index).squareRoot() }

    /// The variance of `Σ row[i] · parameter[i]`, scaled by the variance that the residuals show.
    public func variance(along row: [Double]) -> Double {
        var sum = 0.0
        for i in row.indices where row[i] != 0 {
            for j in row.indices where row[j] != 0 { sum += row[i] * row[j] * covariance(i, j) }
        }
        return max(0, sum)
    }

    private var squaredSum: Double { residuals.reduce(0) { $0 + $1 * $1 } }
}
