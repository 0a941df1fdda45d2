import Geometry

/// Algebraic fit of a sphere to points: the initial estimate for counts.
///
/// `|p|² = 2·p·c + (r² − |c|²)` is linear in the centre and in the term in parentheses.
struct SphereFit: Sendable {
    let centre: Vector3
    let radius: Double

    /// Nil for points that lie in a plane, on a circle or close together.
    init?(_ points: [Vector3]) {
        guard points.count >= 4 else { return nil }
        var moments = VectorMoments()
        for point in points { moments.add(point) }
        // Centred and scaled: counts around 32768 would lose half the digits.
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
        // Points in a plane leave a diagonal of 0 except for rounding; the fit itself checks their spread.
        guard let factor = Cholesky(normal), (0..<4).allSatisfy({ factor.factor[$0, $0] > 1e-3 }) else { return nil }
        let solution = factor.solve(right)
        let c = Vector3(solution[0, 0], solution[1, 0], solution[2, 0])
        let square = solution[3, 0] + c.squaredNorm
        guard square > 0, square.isFinite else { return nil }
        centre = moments.mean + spread * c
        radius = spread * square.squareRoot()
    }
}
