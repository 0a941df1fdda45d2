import CMinpack

/// Result of a least-squares fit, with its covariance.
package struct LeastSquaresSolution: Sendable {
    package let parameters: [Double]
    /// Residuals at `parameters`, including the priors.
    package let residuals: [Double]
    let cofactors: Cofactors
    /// Whether a tolerance was met. It is false if the evaluations ran out or no step improved the fit.
    package let hasConverged: Bool
    /// Number of evaluations of the residuals.
    package let evaluations: Int

    /// RMS of all residuals.
    package var residualRMS: Double { (residuals.reduce(0) { $0 + $1 * $1 } / Double(residuals.count)).squareRoot() }

    /// Number of parameters, or of combinations of parameters, that the residuals determine.
    package var rank: Int { cofactors.rank }

    /// Whether the residuals determine all parameters.
    package var isDetermined: Bool { rank == parameters.count }

    /// Covariance of two parameters if the residuals have variance 1, that is, if they were divided by known standard
    /// deviations.
    package func unscaledCovariance(_ row: Int, _ column: Int) -> Double { cofactors[row, column] }

    func unscaledStandardDeviation(_ index: Int) -> Double { max(0, unscaledCovariance(index, index)).squareRoot() }

    /// Variance of `Σ row[i] · parameter[i]` if the residuals have variance 1.
    package func unscaledVariance(along row: [Double]) -> Double {
        var sum = 0.0
        for i in row.indices where row[i] != 0 {
            for j in row.indices { sum += row[i] * row[j] * unscaledCovariance(i, j) }
        }
        return max(0, sum)
    }
}

/// Cofactor matrix `(Jᵀ·J)⁻¹`, or its pseudo-inverse if columns of J are linearly dependent.
///
/// The columns are scaled to length 1 first. Otherwise parameters of 1e-3 next to others of 1e4 would look dependent.
struct Cofactors: Sendable {
    let rank: Int
    private let size: Int
    private let elements: [Double]

    init(of jacobian: ResidualJacobian, rankTolerance: Double) {
        let (rows, columns) = (jacobian.rows, jacobian.columns)
        var triangle = jacobian.elements
        var lengths = [Double](repeating: 0, count: columns)
        for column in 0..<columns {
            let range = column * rows..<(column + 1) * rows
            let length = triangle[range].reduce(0) { $0 + $1 * $1 }.squareRoot()
            lengths[column] = length > 0 ? length : 1
            for index in range { triangle[index] /= lengths[column] }
        }
        var pivots = [Int32](repeating: 0, count: columns)
        var diagonal = [Double](repeating: 0, count: columns)
        var (norms, work) = (diagonal, diagonal)
        qrfac(
            Int32(rows), Int32(columns), &triangle, Int32(rows), 1, &pivots, Int32(columns), &diagonal, &norms, &work)
        for column in 0..<columns { triangle[column * rows + column] = diagonal[column] }
        rank = diagonal.prefix { $0.magnitude > rankTolerance * diagonal[0].magnitude }.count
        covar(Int32(columns), &triangle, Int32(rows), &pivots, rankTolerance, &work)
        size = columns
        elements = (0..<columns * columns).map { index in
            let (i, j) = (index / columns, index % columns)
            return triangle[j * rows + i] / (lengths[i] * lengths[j])
        }
    }

    subscript(_ row: Int, _ column: Int) -> Double { elements[row * size + column] }
}
