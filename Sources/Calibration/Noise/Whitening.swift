/// Makes of errors with a covariance such that are independent and of variance 1: `L⁻¹·b`, where `A = L·Lᵀ`.
///
/// Source: Golub, Van Loan, "Matrix Computations", 4th ed., algorithm 4.2.2.
struct Whitening {
    private let size: Int
    /// Lower triangular, row by row.
    private var factor: [Double]

    /// - Parameter covariance: row by row. Nil for one that is not positive definite or not finite.
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

    /// Of the covariance.
    var logDeterminant: Double { (0..<size).reduce(0) { $0 + 2 * factor[$1 * size + $1].logarithm } }

    func apply(to errors: inout [Double]) {
        for i in 0..<size {
            var sum = errors[i]
            for k in 0..<i { sum -= factor[i * size + k] * errors[k] }
            errors[i] = sum / factor[i * size + i]
        }
    }
}
