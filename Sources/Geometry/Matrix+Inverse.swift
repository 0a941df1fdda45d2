extension Matrix where Rows == 3, Columns == 3 {
    /// By the cofactors; nil where there is none, or none with finite elements.
    public var inverse: Matrix<3, 3>? {
        let a = Vector3(rows[0][0], rows[0][1], rows[0][2])
        let b = Vector3(rows[1][0], rows[1][1], rows[1][2])
        let c = Vector3(rows[2][0], rows[2][1], rows[2][2])
        let factor = 1 / determinant
        guard factor.isFinite else { return nil }
        // Its columns are the cross products of the rows.
        let columns = Matrix(b.cross(c) * factor, c.cross(a) * factor, a.cross(b) * factor)
        for i in 0..<3 {
            for j in 0..<3 where !columns.rows[i][j].isFinite { return nil }
        }
        return columns.transpose
    }

    /// Frobenius' norm: the root of the sum of the squared elements.
    public var norm: Double {
        var sum = 0.0
        for i in 0..<3 {
            for j in 0..<3 { sum += rows[i][j] * rows[i][j] }
        }
        return sum.squareRoot()
    }
}
