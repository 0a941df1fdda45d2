import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// The model that explains all points best, and how well it is known.
struct MagneticFit {
    /// In measured units; the corrected field has the length 1.
    private(set) var model: MagneticModel
    private let noiseShape: Matrix<3, 3>
    /// Whether up was known: otherwise the correction is symmetric, and nothing is said about a rotation.
    let isAligned: Bool
    /// Of the correction, row by row, and of the centre, in the units of `scaled`.
    private(set) var covariance = Matrix<12, 12>()
    /// The model in units in which the field is about 1.
    private(set) var scaled: MagneticModel
    /// What one of these units is in measured ones.
    let unit: Double
    /// By kind: the standard deviation of a residual as a part of the field, and by how much they count less for being
    /// alike.
    private(set) var noise: [MagneticProblem.Kind: Double] = [:]
    private(set) var likeness: [MagneticProblem.Kind: Double] = [:]

    /// Nil where the points do not determine it.
    ///
    /// - Parameter start: of the points' fields.
    /// - Parameter aligned: with the force, as far as there is one.
    init?(_ points: [MagneticPoint], start: Ellipsoid, aligned: Bool, biasDeviation: Double) {
        guard points.count >= MagnetometerLimits.fewestSamples else { return nil }
        let parameters = aligned ? MagneticParameters.aligned : .symmetric
        let rough = start.radius
        guard rough > 0, rough.isFinite else { return nil }
        let roughly = Self.scaled(points, around: start.centre, by: rough)
        let shape = rough * start.shape
        let starts =
            aligned ? Self.alignments(roughly, shape) : [MagneticModel(correction: shape, centre: .zero)]
        noiseShape = Self.noiseShape(roughly, shape)
        guard var first = Self.best(of: starts, roughly, parameters, biasDeviation) else { return nil }
        // Of few directions the start may be far too small; the fit is not, and noises compare in its unit.
        let larger = 1 / cbrt(first.correction.determinant)
        guard larger > 0, larger.isFinite else { return nil }
        let centre = start.centre + rough * first.centre
        (unit, isAligned) = (rough * larger, aligned)
        (first.correction, first.centre) = (larger * first.correction, .zero)
        (scaled, model) = (first, first)
        let near = Self.scaled(points, around: centre, by: unit)
        guard refine(near, parameters, biasDeviation), isWhole else { return nil }
        model = scaled
        model.correction = 1 / unit * scaled.correction
        model.centre = centre + unit * scaled.centre
    }

    private static func scaled(_ points: [MagneticPoint], around centre: Vector3, by unit: Double) -> [MagneticPoint] {
        points.map { point in
            var point = point
            point.field = (point.field - centre) / unit
            return point
        }
    }

    private var isWhole: Bool {
        guard scaled.correction.determinant > 0, scaled.centre.isFinite else { return false }
        return !isAligned || scaled.elevation.magnitude < .pi / 2
    }

    /// Rounds of weights: what each kind of residual scatters by, how alike neighbours are, and less for those far off.
    private mutating func refine(
        _ points: [MagneticPoint], _ parameters: MagneticParameters, _ biasDeviation: Double
    ) -> Bool {
        for _ in 0..<MagnetometerLimits.rounds {
            var problem = MagneticProblem(
                points, parameters, start: scaled, biasDeviation: biasDeviation, shares: shares,
                noiseShape: noiseShape)
            weigh(&problem, parameters)
            guard
                let solution = try? LeastSquares.solve(
                    problem, from: parameters.row(of: scaled), settings: Self.settings),
                solution.isDetermined
            else { return false }
            scaled = parameters.model(of: solution.parameters)
            for i in 0..<12 {
                for j in 0..<12 {
                    let (row, column) = (Self.parameter(i, parameters), Self.parameter(j, parameters))
                    covariance[i, j] = solution.unscaledCovariance(row, column)
                }
            }
        }
        return true
    }

    /// Of the variances, what is the magnetometer's noise: that of the strength has no other.
    private var shares: [MagneticProblem.Kind: Double] {
        guard let strength = noise[.strength] else { return [:] }
        return noise.mapValues { min(1, strength * strength / ($0 * $0)) }
    }

    private static func parameter(_ index: Int, _ parameters: MagneticParameters) -> Int {
        index < 9 ? parameters.index(index / 3, index % 3) : parameters.firstOfCentre + index - 9
    }

    /// Sets the weights from the residuals at `scaled`.
    private mutating func weigh(_ problem: inout MagneticProblem, _ parameters: MagneticParameters) {
        for (number, kind) in problem.kinds.enumerated() {
            problem.weights[number] = problem.points.indices.map { index in
                problem.has(kind, index) ? quality(kind, problem.points[index].unrest) : 0
            }
        }
        var residuals = [Double](repeating: 0, count: problem.residualCount)
        problem.residuals(at: parameters.row(of: scaled), into: &residuals)
        let count = problem.points.count
        let lag = Self.lag(problem.points)
        for (number, kind) in problem.kinds.enumerated() {
            let own = problem.points.indices.filter { problem.weights[number][$0] > 0 }
            let freedom = own.count - parameters.count / problem.kinds.count
            guard freedom > 0 else {
                problem.weights[number] = [Double](repeating: 0, count: count)
                continue
            }
            var values = own.map { residuals[number * count + $0] }
            let usual = max(Self.leastNoise, 1.4826 * median(values.map(\.magnitude)))
            var sum = 0.0
            for (place, index) in own.enumerated() {
                let excess = values[place].magnitude / (MagnetometerLimits.huber * usual)
                let factor = excess > 1 ? (1 / excess).squareRoot() : 1
                problem.weights[number][index] *= factor
                values[place] *= factor
                sum += values[place] * values[place]
            }
            let deviation = max(
                kind == .force ? Self.leastForceNoise : Self.leastNoise, (sum / Double(freedom)).squareRoot())
            let alike = Self.likeness(values, lag)
            noise[kind] = deviation
            likeness[kind] = alike
            var variance = deviation * deviation * alike
            if kind == .elevation {
                variance += Double(lag) * MagnetometerLimits.slowElevation * MagnetometerLimits.slowElevation
            }
            let weight = 1 / variance.squareRoot()
            for index in own { problem.weights[number][index] *= weight }
        }
    }

    /// Of residuals that rest on the force: less where the board is being shaken.
    private func quality(_ kind: MagneticProblem.Kind, _ unrest: Double) -> Double {
        guard kind == .elevation || kind == .force else { return 1 }
        let ratio = unrest / Self.usualUnrest
        return 1 / (1 + ratio * ratio).squareRoot()
    }

    /// Samples within the time over which residuals may be alike.
    private static func lag(_ points: [MagneticPoint]) -> Int {
        let steps = zip(points.dropFirst(), points).map { $0.time - $1.time }
        let step = median(steps)
        guard step > 0 else { return 1 }
        return min(points.count / 16, max(1, Int(MagnetometerLimits.correlationSeconds / step)))
    }

    /// By how much the variance of a mean of these values is larger than if they had nothing to do with one another,
    /// `1 + 2·Σ(1 − k/L)·ρₖ` over the lags k below L, at least 1.
    ///
    /// Source: Newey, West, "A simple, positive semi-definite, heteroskedasticity and autocorrelation consistent covariance
    /// matrix", 1987.
    static func likeness(_ values: [Double], _ longest: Int) -> Double {
        let square = values.reduce(0) { $0 + $1 * $1 }
        guard square > 0 else { return 1 }
        var likeness = 1.0
        for lag in 1..<max(2, longest) where lag < values.count {
            var sum = 0.0
            for index in lag..<values.count { sum += values[index] * values[index - lag] }
            likeness += 2 * (1 - Double(lag) / Double(longest)) * sum / square
        }
        return max(1, likeness)
    }

    // MARK: - Where to begin

    /// Where the start has seen the whole of the ellipsoid, its noise is taken as alike in the corrected field: channels of
    /// raw counts differ. Where it has not, in the measured one.
    private static func noiseShape(_ points: [MagneticPoint], _ shape: Matrix<3, 3>) -> Matrix<3, 3> {
        var coverage = SphereCoverage()
        for point in points { coverage.see(shape * point.field) }
        return coverage.fraction >= wholeCoverage ? shape.inverse ?? .identity : .identity
    }

    private static let wholeCoverage = 0.6

    /// How the ellipsoid may lie in the axes of the accelerometer: as it is, and turned to where the elevation of the field
    /// is most alike.
    private static func alignments(_ points: [MagneticPoint], _ shape: Matrix<3, 3>) -> [MagneticModel] {
        let pairs = points.compactMap { point -> (Vector3, Vector3)? in
            guard let up = point.up?.normalized, let field = (shape * point.field).normalized else { return nil }
            return (up, field)
        }
        return [Matrix<3, 3>.identity, rotation(pairs)].compactMap { $0 }.map { rotation in
            let elevation = median(pairs.map { asin(min(1, max(-1, $0.0.dot(rotation * $0.1)))) })
            return MagneticModel(correction: rotation * shape, centre: .zero, elevation: elevation)
        }
    }

    /// The rotation for which `up · rotation·field` is the same for all: linear least squares for a matrix, and the rotation
    /// nearest to it.
    private static func rotation(_ pairs: [(Vector3, Vector3)]) -> Matrix<3, 3>? {
        var normal = Matrix<10, 10>()
        for (up, field) in pairs {
            let row: InlineArray<10, Double> = [
                up.x * field.x, up.x * field.y, up.x * field.z, up.y * field.x, up.y * field.y, up.y * field.z,
                up.z * field.x, up.z * field.y, up.z * field.z, -1,
            ]
            for i in 0..<10 {
                for j in 0...i { normal[i, j] += row[i] * row[j] }
            }
        }
        guard let vectors = SymmetricEigen(normal)?.vectors else { return nil }
        var matrix = Matrix<3, 3>()
        for i in 0..<9 { matrix[i / 3, i % 3] = vectors[i, 0] }
        if matrix.determinant < 0 { matrix = -1 * matrix }
        guard let square = SymmetricEigen(matrix.transpose * matrix), square.values[0] > 1e-12 else { return nil }
        return matrix * square.mapped { 1 / $0.squareRoot() }
    }

    /// The start from which some of the points are explained best, with what they make of it.
    private static func best(
        of starts: [MagneticModel], _ points: [MagneticPoint], _ parameters: MagneticParameters, _ biasDeviation: Double
    ) -> MagneticModel? {
        let some = Ellipsoid.evenly(points, startPoints)
        var best: (MagneticModel, Double)?
        for start in starts {
            var problem = MagneticProblem(some, parameters, start: start, biasDeviation: biasDeviation)
            for (number, kind) in problem.kinds.enumerated() {
                problem.weights[number] = some.indices.map { index in
                    guard problem.has(kind, index) else { return 0 }
                    let excess = ((start.corrected(some[index].field).norm - 1) / startNoise).magnitude
                    return 1 / (startNoise * max(1, excess))
                }
            }
            guard let solution = try? LeastSquares.solve(problem, from: parameters.row(of: start), settings: settings)
            else { continue }
            let cost = solution.residualRMS
            if cost < best?.1 ?? .infinity { best = (parameters.model(of: solution.parameters), cost) }
        }
        return best?.0
    }

    private static let startPoints = 500
    /// Parts of the field; what a first fit leaves.
    private static let startNoise = 0.03
    /// Parts of gravity: a board turned by hand.
    private static let usualUnrest = 0.03
    /// Parts of the field: below what any part shows.
    private static let leastNoise = 1e-6
    /// Parts of gravity: scales of the accelerometer's axes, and the arm about which a board is turned. Set by hand, with
    /// `slowElevation`.
    private static let leastForceNoise = 0.007
    /// Parameters are known to a thousandth at best.
    private static let settings: LeastSquares.Settings = {
        var settings = LeastSquares.Settings()
        settings.tolerance = 1e-8
        settings.maximumEvaluations = 60
        return settings
    }()
}
