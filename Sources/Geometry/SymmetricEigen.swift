/// Eigenvalues, ascending, and eigenvectors of a symmetric matrix: `A = V·diag(values)·Vᵀ`.
///
/// Source: Golub, Van Loan, "Matrix Computations", 4th ed., section 8.5 (cyclic Jacobi).
public struct SymmetricEigen<let Size: Int>: Sendable {
    public private(set) var values: InlineArray<Size, Double>
    /// Orthonormal, in columns, in the order of the values.
    public private(set) var vectors: Matrix<Size, Size>

    /// Reads the lower triangle; nil for a matrix that is not finite.
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
        // Convergence is quadratic: six to ten sweeps are the rule.
        for _ in 0..<40 {
            var rest = 0.0
            for i in 0..<Size { for j in 0..<i { rest = max(rest, a.rows[i][j].magnitude) } }
            if rest <= largest * 1e-15 { break }
            for p in 0..<Size { for q in (p + 1)..<max(p + 1, Size) { rotate(&a, p, q) } }
        }
        for i in 0..<Size { values[i] = a.rows[i][i] }
        sort()
    }

    /// Makes the element (p, q) zero.
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

    /// `V·diag(f(values))·Vᵀ`: a function of the matrix, as its root.
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
