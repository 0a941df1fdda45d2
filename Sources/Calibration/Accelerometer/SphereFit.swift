import Geometry

/// The sphere nearest to points by algebraic distance: where a fit begins that knows nothing.
///
/// `|p|² = 2·p·c + (r² − |c|²)` is linear in the centre and in what is in parentheses.
struct SphereFit: Sendable {
    let centre: Vector3
    let radius: Double

    /// Nil for points that lie on a plane, a circle or in a heap.
    init?(_ points: [Vector3]) {
        guard points.count >= 4 else { return nil }
        var moments = VectorMoments()
        for point in points { moments.add(point) }
        // About their mean and in units of their spread: counts around 32768 would lose half the digits.
        guard let spread = moments.deviation, spread > 0, spread.isFinite else { return nil }
        var (normal, right) = (Matrix<4, 4>(), Matrix<4, 1>())
        for point in points {
            let p = (point - moments.mean) / spread
            let row = [2 * p.x, 2 * p.y, 2 * p.z, 1]
            for i in 0..<4 {
                right[i, 0] += row[i] * p.squaredNorm
                for j in 0..<4 { normal[i, j] += row[i] * row[j] }
            }
        }
        // Points on a plane leave a diagonal of 0 but for rounding; whether they are spread enough the fit itself tells.
        guard let factor = Cholesky(normal), (0..<4).allSatisfy({ factor.factor[$0, $0] > 1e-3 }) else { return nil }
        let solution = factor.solve(right)
        let c = Vector3(solution[0, 0], solution[1, 0], solution[2, 0])
        let square = solution[3, 0] + c.squaredNorm
        guard square > 0, square.isFinite else { return nil }
        centre = moments.mean + spread * c
        radius = spread * square.squareRoot()
    }
}
