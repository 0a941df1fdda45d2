import Geometry

import Glibc

/// An ellipsoid, the set of all m with `|shape·(m − centre)| = 1`.
package struct FieldEllipsoid: Hashable, Sendable {
    /// Centre, in the units of the points.
    package var centre: Vector3
    /// Symmetric, positive definite matrix that maps the ellipsoid to the unit sphere.
    package var shape: Matrix<3, 3>

    package init(centre: Vector3, shape: Matrix<3, 3>) {
        self.centre = centre
        self.shape = shape
    }

    /// Makes an algebraic fit by linear least squares; nil if the points do not determine it or lie on another quadric.
    ///
    /// The trace of the quadric is fixed, so that the fit is invariant under rotation and a point is not a solution.
    /// Noise makes the fitted ellipsoid slightly too small, so that it is only the initial estimate of the geometric
    /// fit.
    ///
    /// Source: Li, Griffiths, "Least squares ellipsoid specific fitting", GMP 2004, for the quadric; Petrov's
    /// "ellipsoid_fit" for the trace.
    package init?(algebraic points: some Sequence<Vector3>) {
        guard let frame = Scaling(points) else { return nil }
        var normal = Matrix<9, 9>()
        var right = Matrix<9, 1>()
        for point in points {
            let p = frame.scaled(point)
            let row: InlineArray<9, Double> = [
                p.x * p.x + p.y * p.y - 2 * p.z * p.z, p.x * p.x + p.z * p.z - 2 * p.y * p.y,
                2 * p.x * p.y, 2 * p.x * p.z, 2 * p.y * p.z, 2 * p.x, 2 * p.y, 2 * p.z, 1,
            ]
            let square = p.squaredNorm
            for i in 0..<9 {
                for j in 0...i { normal.rows[i][j] += row[i] * row[j] }
                right.rows[i][0] += row[i] * square
            }
        }
        guard let factor = Cholesky(normal) else { return nil }
        let u = factor.solve(right)
        let quadric = Matrix<3, 3>(
            Vector3(1 - u[0, 0] - u[1, 0], -u[2, 0], -u[3, 0]),
            Vector3(-u[2, 0], 1 - u[0, 0] + 2 * u[1, 0], -u[4, 0]),
            Vector3(-u[3, 0], -u[4, 0], 1 - u[1, 0] + 2 * u[0, 0]))
        guard let half = Cholesky(quadric) else { return nil }
        let line = Matrix<3, 1>(Vector3(u[5, 0], u[6, 0], u[7, 0]))
        let centre = Vector3(half.solve(line))
        let square = centre.dot(quadric * centre) + u[8, 0]
        guard square > 0, let root = SymmetricEigen(1 / square * quadric), root.values[0] > 0,
            root.values[2] < Self.maximumRatio * Self.maximumRatio * root.values[0]
        else { return nil }
        shape = 1 / frame.scale * root.mapped { $0.squareRoot() }
        self.centre = frame.centre + frame.scale * centre
        guard self.centre.isFinite else { return nil }
    }

    /// Makes an algebraic fit of a sphere by linear least squares; nil if the points lie in a plane.
    ///
    /// Source: Coope, "Circle fitting by linear and nonlinear least squares", JOTA 76(2), 1993.
    package init?(sphere points: some Sequence<Vector3>) {
        guard let frame = Scaling(points) else { return nil }
        var normal = Matrix<4, 4>()
        var right = Matrix<4, 1>()
        for point in points {
            let p = frame.scaled(point)
            let row: InlineArray<4, Double> = [2 * p.x, 2 * p.y, 2 * p.z, 1]
            for i in 0..<4 {
                for j in 0...i { normal.rows[i][j] += row[i] * row[j] }
                right.rows[i][0] += row[i] * p.squaredNorm
            }
        }
        guard let u = Cholesky(normal)?.solve(right) else { return nil }
        let centre = Vector3(u[0, 0], u[1, 0], u[2, 0])
        let square = centre.squaredNorm + u[3, 0]
        guard square > 0, square.isFinite else { return nil }
        shape = 1 / (frame.scale * square.squareRoot()) * .identity
        self.centre = frame.centre + frame.scale * centre
    }

    /// Largest accepted ratio of the longest to the shortest axis. The scales of three raw channels differ by a factor
    /// of three at most. A fit to noise gives a far more elongated ellipsoid.
    private static let maximumRatio = 8.0

    /// Maps a measured vector to the unit sphere.
    package func corrected(_ measured: Vector3) -> Vector3 { shape * (measured - centre) }

    /// Distance of a point from the ellipsoid, to first order, in the units of the points.
    package func distance(_ point: Vector3) -> Double {
        let corrected = corrected(point)
        guard let direction = corrected.normalized else { return 1 / (shape * Vector3(1, 0, 0)).norm }
        return (corrected.norm - 1).magnitude / max((shape * direction).norm, .leastNormalMagnitude)
    }

    /// Geometric mean of the lengths of the semi-axes.
    package var radius: Double { 1 / cbrt(shape.determinant) }

    package func medianDistance(_ points: some Sequence<Vector3>) -> Double { median(points.map(distance)) }
}

/// Moves points to the origin, and scales them to a length of about 1, so that fourth powers stay comparable.
struct Scaling {
    var centre: Vector3
    var scale: Double

    init?(_ points: some Sequence<Vector3>) {
        var (sum, square, count) = (Vector3.zero, 0.0, 0.0)
        for point in points {
            sum += point
            count += 1
        }
        guard count > 0 else { return nil }
        centre = sum / count
        for point in points { square += (point - centre).squaredNorm }
        scale = (square / count).squareRoot()
        guard scale > 0, scale.isFinite, centre.isFinite else { return nil }
    }

    func scaled(_ point: Vector3) -> Vector3 { (point - centre) / scale }
}

extension Matrix where Rows == 3, Columns == 1 {
    init(_ v: Vector3) {
        self.init()
        rows[0][0] = v.x
        rows[1][0] = v.y
        rows[2][0] = v.z
    }
}

extension Vector3 {
    init(_ column: Matrix<3, 1>) { self.init(column[0, 0], column[1, 0], column[2, 0]) }
}

/// Median of the values; zero if there are none.
func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

extension FieldEllipsoid {
    /// Makes a robust fit of an ellipsoid. Up to a fifth of the points may be outliers.
    ///
    /// A fit to all points is used unless a fit to a subset of them has a much smaller median distance.
    ///
    /// Source: Rousseeuw, Van Driessen, "Computing LTS regression for large data sets", 2006. Fits to small random
    /// subsets (from a fixed seed) are each followed by concentration steps to the nearest points.
    package init?(robust points: [Vector3]) {
        let some = Self.evenly(points, Self.pointsLookedAt)
        let plain = FieldEllipsoid(algebraic: points) ?? FieldEllipsoid(sphere: points)
        var best = plain.map { ($0, $0.medianDistance(some) * Self.clearlyBetter) }
        var random = FixedRandom()
        for _ in 0..<Self.draws {
            let few = (0..<Self.pointsDrawn).map { _ in some[random.next(below: some.count)] }
            guard var candidate = FieldEllipsoid(algebraic: few) else { continue }
            for _ in 0..<2 { candidate = candidate.concentrated(some) ?? candidate }
            let distance = candidate.medianDistance(some)
            if distance < best?.1 ?? .infinity { best = (candidate, distance) }
        }
        guard let best else { return nil }
        self = best.0
    }

    /// Concentration step: fits an ellipsoid to the nearest three quarters of the points.
    private func concentrated(_ points: [Vector3]) -> FieldEllipsoid? {
        let ranked = points.map { ($0, distance($0)) }.sorted { $0.1 < $1.1 }
        return FieldEllipsoid(algebraic: ranked.prefix(ranked.count * 3 / 4).map(\.0))
    }

    /// Selects up to `count` elements, evenly spaced, in the same order.
    static func evenly<Element>(_ points: [Element], _ count: Int) -> [Element] {
        guard points.count > count else { return points }
        return (0..<count).map { points[$0 * points.count / count] }
    }

    /// Number of points from which median distances are computed.
    private static let pointsLookedAt = 600
    /// Number of subsets that are drawn. If a tenth of the points are outliers, one in ten subsets of 20 points has
    /// none.
    private static let draws = 60
    /// Number of points of a subset.
    private static let pointsDrawn = 20
    /// Ratio of median distances below which the fit to a subset is preferred. Chance alone does not reach it.
    private static let clearlyBetter = 0.7
}

/// Pseudorandom sequence with a fixed seed. Source: SplitMix64, Steele, Lea, Flood, 2014.
private struct FixedRandom {
    private var state: UInt64 = 0

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((word ^ (word >> 31)) % UInt64(bound))
    }
}
