/// The factor L of a symmetric positive definite matrix, `A = L·Lᵀ`, and what can be solved with it.
///
/// Source: Golub, Van Loan, "Matrix Computations", 4th ed., algorithm 4.2.2.
@frozen
public struct Cholesky<let Size: Int>: Sendable {
    /// Lower triangular.
    public let factor: Matrix<Size, Size>

    /// Reads the lower triangle; nil for a matrix that is not positive definite or not finite.
    @inlinable
    public init?(_ a: Matrix<Size, Size>) {
        var l = Matrix<Size, Size>()
        for i in 0..<Size {
            for j in 0...i {
                var sum = a.rows[i][j]
                for k in 0..<j { sum -= l.rows[i][k] * l.rows[j][k] }
                if i == j {
                    guard sum > 0, sum.isFinite else { return nil }
                    l.rows[i][i] = sum.squareRoot()
                } else {
                    l.rows[i][j] = sum / l.rows[j][j]
                }
            }
        }
        factor = l
    }

    /// `b ← L⁻¹·b`, which makes of errors with the covariance A such with the covariance 1.
    @inlinable
    public func whiten<let Columns: Int>(_ b: inout Matrix<Size, Columns>) {
        for i in 0..<Size {
            for k in 0..<i { b.addRow(k, times: -factor.rows[i][k], to: i) }
            b.scaleRow(i, by: 1 / factor.rows[i][i])
        }
    }

    /// `A⁻¹·b`, by substitution forth and back.
    @inlinable
    public func solve<let Columns: Int>(_ b: Matrix<Size, Columns>) -> Matrix<Size, Columns> {
        var x = b
        whiten(&x)
        for i in stride(from: Size - 1, through: 0, by: -1) {
            for k in (i + 1)..<max(i + 1, Size) { x.addRow(k, times: -factor.rows[k][i], to: i) }
            x.scaleRow(i, by: 1 / factor.rows[i][i])
        }
        return x
    }

    /// The squared Mahalanobis length `bᵀ·A⁻¹·b`.
    @inlinable
    public func squaredLength(_ b: Matrix<Size, 1>) -> Double {
        let x = solve(b)
        var sum = 0.0
        for i in 0..<Size { sum += b.rows[i][0] * x.rows[i][0] }
        return sum
    }

    @inlinable
    public var determinant: Double {
        var product = 1.0
        for i in 0..<Size { product *= factor.rows[i][i] * factor.rows[i][i] }
        return product
    }
}
