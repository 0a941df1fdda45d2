/// Elementary operations in place: the building blocks of a block-structured propagation.
extension Matrix {
    /// `row(target) += factor · row(source)`.
    @inlinable
    public mutating func addRow(_ source: Int, times factor: Double, to target: Int) {
        for j in 0..<Columns { rows[target][j] += factor * rows[source][j] }
    }

    /// `row(target) *= factor`.
    @inlinable
    public mutating func scaleRow(_ target: Int, by factor: Double) {
        for j in 0..<Columns { rows[target][j] *= factor }
    }

    /// `column(target) *= factor`.
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

    /// The 3×3 block with its first element at (`row`, `column`).
    @inlinable
    public func block(_ row: Int, _ column: Int) -> Matrix<3, 3> {
        var result = Matrix<3, 3>()
        for i in 0..<3 {
            for j in 0..<3 { result.rows[i][j] = rows[row + i][column + j] }
        }
        return result
    }

    /// Ones on the diagonal, also of a matrix that is not square.
    @inlinable
    public static var diagonalOnes: Self {
        var result = Self()
        for i in 0..<min(Rows, Columns) { result.rows[i][i] = 1 }
        return result
    }
}
