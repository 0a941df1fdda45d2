/// Cholesky factor L of a symmetric positive definite matrix, `A = L·Lᵀ`, and the solution of equations with A.
///
/// Source: Golub, Van Loan, "Matrix Computations", 4th ed., algorithm 4.2.2.
@frozen
public struct Cholesky<let Size: Int>: Sendable {
    /// Factor L, lower triangular.
    public let factor: Matrix<Size, Size>

    /// Factorizes a matrix from its lower triangle; nil for a matrix that is not positive definite or not finite.
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

    /// Whitens `b` in place: `b ← L⁻¹·b` turns errors of covariance A into errors of unit covariance.
    @inlinable
    public func whiten<let Columns: Int>(_ b: inout Matrix<Size, Columns>) {
        for i in 0..<Size {
            for k in 0..<i { b.addRow(k, times: -factor.rows[i][k], to: i) }
            b.scaleRow(i, by: 1 / factor.rows[i][i])
        }
    }

    /// Solution `A⁻¹·b`, by forward and back substitution.
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

    /// Squared Mahalanobis distance `bᵀ·A⁻¹·b`.
    @inlinable
    public func squaredLength(_ b: Matrix<Size, 1>) -> Double {
        let x = solve(b)
        var sum = 0.0
        for i in 0..<Size { sum += b.rows[i][0] * x.rows[i][0] }
        return sum
    }

    /// Determinant of A.
    @inlinable
    public var determinant: Double {
        var product = 1.0
        for i in 0..<Size { product *= factor.rows[i][i] * factor.rows[i][i] }
        return product
    }
}

/// Eigenvalues and eigenvectors of a symmetric matrix: `A = V·diag(values)·Vᵀ`.
///
/// Source: Golub, Van Loan, "Matrix Computations", 4th ed., section 8.5 (cyclic Jacobi).
public struct SymmetricEigen<let Size: Int>: Sendable {
    /// Eigenvalues, ascending.
    public private(set) var values: InlineArray<Size, Double>
    /// Eigenvectors: orthonormal columns, in the order of the values.
    public private(set) var vectors: Matrix<Size, Size>

    /// Decomposes a matrix from its lower triangle; nil for a matrix that is not finite.
    public init?(_ matrix: Matrix<Size, Size>) {
        var a = matrix
        var largest = 0.0
        for i in 0..<Size {
            for j in 0...i {
                guard a.rows[i][j].isFinite else { return nil }
                a.rows[j][i] = a.rows[i][j]
                largest = max(largest, a.rows[i][j].magnitude)
            }
        }
        values = InlineArray(repeating: 0)
        vectors = .diagonalOnes
        // Convergence is quadratic: six to ten sweeps are usual.
        for _ in 0..<40 {
            var rest = 0.0
            for i in 0..<Size { for j in 0..<i { rest = max(rest, a.rows[i][j].magnitude) } }
            if rest <= largest * 1e-15 { break }
            for p in 0..<Size { for q in (p + 1)..<max(p + 1, Size) { rotate(&a, p, q) } }
        }
        for i in 0..<Size { values[i] = a.rows[i][i] }
        sort()
    }

    /// Applies the Jacobi rotation that makes the element (p, q) zero.
    private mutating func rotate(_ a: inout Matrix<Size, Size>, _ p: Int, _ q: Int) {
        guard a.rows[p][q] != 0 else { return }
        let ratio = (a.rows[q][q] - a.rows[p][p]) / (2 * a.rows[p][q])
        let tangent = (ratio < 0 ? -1 : 1) / (ratio.magnitude + (1 + ratio * ratio).squareRoot())
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        let sine = tangent * cosine
        for k in 0..<Size {
            let (first, second) = (a.rows[k][p], a.rows[k][q])
            a.rows[k][p] = cosine * first - sine * second
            a.rows[k][q] = sine * first + cosine * second
        }
        for k in 0..<Size {
            let (first, second) = (a.rows[p][k], a.rows[q][k])
            a.rows[p][k] = cosine * first - sine * second
            a.rows[q][k] = sine * first + cosine * second
            let (left, right) = (vectors.rows[k][p], vectors.rows[k][q])
            vectors.rows[k][p] = cosine * left - sine * right
            vectors.rows[k][q] = sine * left + cosine * right
        }
    }

    private mutating func sort() {
        for i in 0..<Size {
            var least = i
            for j in i..<Size where values[j] < values[least] { least = j }
            guard least != i else { continue }
            values.swapAt(i, least)
            for k in 0..<Size { vectors.rows[k].swapAt(i, least) }
        }
    }

    /// Function of the matrix, such as its square root: `V·diag(f(values))·Vᵀ`.
    public func mapped(_ function: (Double) -> Double) -> Matrix<Size, Size> {
        var result = Matrix<Size, Size>()
        for k in 0..<Size {
            let value = function(values[k])
            for i in 0..<Size {
                for j in 0..<Size { result.rows[i][j] += value * vectors.rows[i][k] * vectors.rows[j][k] }
            }
        }
        return result
    }
}
