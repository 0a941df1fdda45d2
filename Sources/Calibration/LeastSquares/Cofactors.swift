import CMinpack

/// Cofactor matrix `(Jᵀ·J)⁻¹`, or the pseudo-inverse where columns of J are linearly dependent.
///
/// The columns are scaled to length 1 first: parameters of 1e-3 next to others of 1e4 would otherwise look dependent.
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
