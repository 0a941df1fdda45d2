/// Whitening of correlated errors to independent ones of variance 1: `L⁻¹·b` with the covariance `A = L·Lᵀ`.
///
/// Source: Golub, Van Loan, "Matrix Computations", 4th ed., algorithm 4.2.2.
struct Whitening {
    private let size: Int
    /// Cholesky factor L, row by row.
    private var factor: [Double]

    /// Nil if the covariance is not positive definite or not finite.
    ///
    /// - Parameter covariance: elements row by row.
    init?(_ covariance: [Double], size: Int) {
        self.size = size
        factor = covariance
        for i in 0..<size {
            for j in 0...i {
                var sum = covariance[i * size + j]
                for k in 0..<j { sum -= factor[i * size + k] * factor[j * size + k] }
                if i == j {
                    guard sum > 0, sum.isFinite else { return nil }
                    factor[i * size + i] = sum.squareRoot()
                } else {
                    factor[i * size + j] = sum / factor[j * size + j]
                }
            }
        }
    }

    /// Logarithm of the determinant of the covariance.
    var logDeterminant: Double { (0..<size).reduce(0) { $0 + 2 * factor[$1 * size + $1].logarithm } }

    func apply(to errors: inout [Double]) {
        for i in 0..<size {
            var sum = errors[i]
            for k in 0..<i { sum -= factor[i * size + k] * errors[k] }
            errors[i] = sum / factor[i * size + i]
        }
    }
}
