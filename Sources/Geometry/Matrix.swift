/// A dense matrix of fixed shape, held inline: no heap allocation.
///
/// Shape: `Rows` × `Columns`, row by row.
@frozen
public struct Matrix<let Rows: Int, let Columns: Int>: Sendable {
    /// Indexed `rows[i][j]` inside loops of this module; elsewhere use the subscript.
    public var rows: InlineArray<Rows, InlineArray<Columns, Double>>

    /// The zero matrix.
    @inlinable
    public init() {
        rows = InlineArray(repeating: InlineArray(repeating: 0))
    }

    /// Transparent accessors: an ordinary one would copy the whole matrix for each element.
    public subscript(_ row: Int, _ column: Int) -> Double {
        @_transparent get { rows[row][column] }
        @_transparent set { rows[row][column] = newValue }
    }

    @inlinable
    public var transpose: Matrix<Columns, Rows> {
        var result = Matrix<Columns, Rows>()
        for i in 0..<Rows {
            for j in 0..<Columns { result.rows[j][i] = rows[i][j] }
        }
        return result
    }

    @inlinable
    @inline(__always)
    public static func + (a: Self, b: Self) -> Self {
        var result = a
        for i in 0..<Rows {
            for j in 0..<Columns { result.rows[i][j] += b.rows[i][j] }
        }
        return result
    }

    @inlinable
    public static func - (a: Self, b: Self) -> Self {
        var result = a
        for i in 0..<Rows {
            for j in 0..<Columns { result.rows[i][j] -= b.rows[i][j] }
        }
        return result
    }

    @inlinable
    @inline(__always)
    public static func * (factor: Double, a: Self) -> Self {
        var result = a
        for i in 0..<Rows {
            for j in 0..<Columns { result.rows[i][j] *= factor }
        }
        return result
    }

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
    /// From three rows.
    @inlinable
    @inline(__always)
    public init(_ first: Vector3, _ second: Vector3, _ third: Vector3) {
        self.init()
        rows[0] = [first.x, first.y, first.z]
        rows[1] = [second.x, second.y, second.z]
        rows[2] = [third.x, third.y, third.z]
    }

    @inlinable
    public static var identity: Matrix<3, 3> { Matrix(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)) }

    /// The matrix of the cross product: `skew(a) * b == a.cross(b)`.
    @inlinable
    public static func skew(_ a: Vector3) -> Self {
        Self(Vector3(0, -a.z, a.y), Vector3(a.z, 0, -a.x), Vector3(-a.y, a.x, 0))
    }

    @inlinable
    @inline(__always)
    public static func * (a: Self, v: Vector3) -> Vector3 {
        Vector3(
            a.rows[0][0] * v.x + a.rows[0][1] * v.y + a.rows[0][2] * v.z,
            a.rows[1][0] * v.x + a.rows[1][1] * v.y + a.rows[1][2] * v.z,
            a.rows[2][0] * v.x + a.rows[2][1] * v.y + a.rows[2][2] * v.z)
    }

    @inlinable
    public var trace: Double { rows[0][0] + rows[1][1] + rows[2][2] }

    @inlinable
    public var determinant: Double {
        let a = Vector3(rows[0][0], rows[0][1], rows[0][2])
        let b = Vector3(rows[1][0], rows[1][1], rows[1][2])
        let c = Vector3(rows[2][0], rows[2][1], rows[2][2])
        return a.dot(b.cross(c))
    }
}
