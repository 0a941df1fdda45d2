/// A dense matrix of fixed shape, stored inline without heap allocation.
///
/// Shape: `Rows` × `Columns`, row by row.
@frozen
public struct Matrix<let Rows: Int, let Columns: Int>: Sendable {
    /// Elements, row by row. Inner loops use `rows[i][j]`; all other code uses the subscript.
    public var rows: InlineArray<Rows, InlineArray<Columns, Double>>

    /// Makes the zero matrix.
    @inlinable
    public init() {
        rows = InlineArray(repeating: InlineArray(repeating: 0))
    }

    /// Element at a row and a column, both counted from 0.
    ///
    /// The accessors are transparent: ordinary accessors would copy the whole matrix for each element.
    public subscript(_ row: Int, _ column: Int) -> Double {
        @_transparent get { rows[row][column] }
        @_transparent set { rows[row][column] = newValue }
    }

    /// Transpose.
    @inlinable
    public var transpose: Matrix<Columns, Rows> {
        var result = Matrix<Columns, Rows>()
        for i in 0..<Rows {
            for j in 0..<Columns { result.rows[j][i] = rows[i][j] }
        }
        return result
    }

    /// Sum, element by element.
    @inlinable
    @inline(__always)
    public static func + (a: Self, b: Self) -> Self {
        var result = a
        for i in 0..<Rows {
            for j in 0..<Columns { result.rows[i][j] += b.rows[i][j] }
        }
        return result
    }

    /// Difference, element by element.
    @inlinable
    public static func - (a: Self, b: Self) -> Self {
        var result = a
        for i in 0..<Rows {
            for j in 0..<Columns { result.rows[i][j] -= b.rows[i][j] }
        }
        return result
    }

    /// Multiple of a matrix.
    @inlinable
    @inline(__always)
    public static func * (factor: Double, a: Self) -> Self {
        var result = a
        for i in 0..<Rows {
            for j in 0..<Columns { result.rows[i][j] *= factor }
        }
        return result
    }

    /// Matrix product.
    @inlinable
    public static func * <let Inner: Int>(a: Matrix<Rows, Inner>, b: Matrix<Inner, Columns>) -> Self {
        var result = Self()
        for i in 0..<Rows {
            for k in 0..<Inner {
                let factor = a.rows[i][k]
                for j in 0..<Columns { result.rows[i][j] += factor * b.rows[k][j] }
            }
        }
        return result
    }
}

extension Matrix where Rows == 3, Columns == 3 {
    /// Makes a matrix from its three rows.
    @inlinable
    @inline(__always)
    public init(_ first: Vector3, _ second: Vector3, _ third: Vector3) {
        self.init()
        rows[0] = [first.x, first.y, first.z]
        rows[1] = [second.x, second.y, second.z]
        rows[2] = [third.x, third.y, third.z]
    }

    /// Identity matrix.
    @inlinable
    public static var identity: Matrix<3, 3> { Matrix(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)) }

    /// Matrix of the cross product with a vector: `skew(a) * b == a.cross(b)`.
    @inlinable
    public static func skew(_ a: Vector3) -> Self {
        Self(Vector3(0, -a.z, a.y), Vector3(a.z, 0, -a.x), Vector3(-a.y, a.x, 0))
    }

    /// Product with a column vector.
    @inlinable
    @inline(__always)
    public static func * (a: Self, v: Vector3) -> Vector3 {
        Vector3(
            a.rows[0][0] * v.x + a.rows[0][1] * v.y + a.rows[0][2] * v.z,
            a.rows[1][0] * v.x + a.rows[1][1] * v.y + a.rows[1][2] * v.z,
            a.rows[2][0] * v.x + a.rows[2][1] * v.y + a.rows[2][2] * v.z)
    }

    /// Product of this matrix with the diagonal matrix of the given elements.
    @inlinable
    @inline(__always)
    public func scalingColumns(by factors: Vector3) -> Self {
        @inline(__always)
        func row(_ i: Int) -> Vector3 { Vector3(rows[i][0], rows[i][1], rows[i][2]).scaled(by: factors) }
        return Self(row(0), row(1), row(2))
    }

    /// Sum of the diagonal elements.
    @inlinable
    public var trace: Double { rows[0][0] + rows[1][1] + rows[2][2] }

    /// Determinant: the triple product of the rows.
    @inlinable
    public var determinant: Double {
        let a = Vector3(rows[0][0], rows[0][1], rows[0][2])
        let b = Vector3(rows[1][0], rows[1][1], rows[1][2])
        let c = Vector3(rows[2][0], rows[2][1], rows[2][2])
        return a.dot(b.cross(c))
    }

    /// Column as a vector.
    public subscript(column index: Int) -> Vector3 { Vector3(self[0, index], self[1, index], self[2, index]) }

    /// Inverse by Cramer's rule; nil if the matrix is singular or an element of the inverse would not be finite.
    public var inverse: Matrix<3, 3>? {
        let a = Vector3(rows[0][0], rows[0][1], rows[0][2])
        let b = Vector3(rows[1][0], rows[1][1], rows[1][2])
        let c = Vector3(rows[2][0], rows[2][1], rows[2][2])
        let factor = 1 / determinant
        guard factor.isFinite else { return nil }
        // The columns of the inverse are the cross products of the rows, times a factor.
        let columns = Matrix(b.cross(c) * factor, c.cross(a) * factor, a.cross(b) * factor)
        for i in 0..<3 {
            for j in 0..<3 where !columns.rows[i][j].isFinite { return nil }
        }
        return columns.transpose
    }

    /// Frobenius norm: the square root of the sum of the squared elements.
    public var norm: Double {
        var sum = 0.0
        for i in 0..<3 {
            for j in 0..<3 { sum += rows[i][j] * rows[i][j] }
        }
        return sum.squareRoot()
    }
}

/// In-place operations on rows, columns and blocks, by which the covariance is propagated.
extension Matrix {
    /// Adds a multiple of a row to another: `row(target) += factor · row(source)`.
    @inlinable
    public mutating func addRow(_ source: Int, times factor: Double, to target: Int) {
        for j in 0..<Columns { rows[target][j] += factor * rows[source][j] }
    }

    /// Multiplies a row: `row(target) *= factor`.
    @inlinable
    public mutating func scaleRow(_ target: Int, by factor: Double) {
        for j in 0..<Columns { rows[target][j] *= factor }
    }

    /// Multiplies a column: `column(target) *= factor`.
    @inlinable
    public mutating func scaleColumn(_ target: Int, by factor: Double) {
        for i in 0..<Rows { rows[i][target] *= factor }
    }

    /// Sets a 3×3 block with its first element at (`row`, `column`).
    @inlinable
    public mutating func setBlock(_ row: Int, _ column: Int, _ block: Matrix<3, 3>) {
        for i in 0..<3 {
            for j in 0..<3 { rows[row + i][column + j] = block.rows[i][j] }
        }
    }

    /// 3×3 block with its first element at (`row`, `column`).
    @inlinable
    public func block(_ row: Int, _ column: Int) -> Matrix<3, 3> {
        var result = Matrix<3, 3>()
        for i in 0..<3 {
            for j in 0..<3 { result.rows[i][j] = rows[row + i][column + j] }
        }
        return result
    }

    /// Matrix of any shape with ones on its main diagonal.
    @inlinable
    public static var diagonalOnes: Self {
        var result = Self()
        for i in 0..<min(Rows, Columns) { result.rows[i][i] = 1 }
        return result
    }
}

extension Matrix: Hashable {
    /// Compares element by element: a matrix with a NaN does not equal itself.
    @inlinable
    public static func == (a: Self, b: Self) -> Bool {
        for i in 0..<Rows {
            for j in 0..<Columns where a.rows[i][j] != b.rows[i][j] { return false }
        }
        return true
    }

    /// Hashes the elements, row by row.
    public func hash(into hasher: inout Hasher) {
        for i in 0..<Rows {
            for j in 0..<Columns { hasher.combine(rows[i][j]) }
        }
    }
}
