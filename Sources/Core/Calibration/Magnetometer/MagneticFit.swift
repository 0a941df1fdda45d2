import Geometry

import Glibc

/// Least-squares fit of the magnetic model to all points, with its covariance.
package struct MagneticFit {
    /// Fitted model in measured units; the corrected field has length 1.
    package private(set) var model: MagneticModel
    private let noiseShape: Matrix<3, 3>
    /// Whether up directions were used. Without them, the correction is symmetric and the rotation remains
    /// undetermined.
    package let isAligned: Bool
    /// Covariance of the correction, row by row, and of the centre, in the units of `scaled`.
    package private(set) var covariance = Matrix<12, 12>()
    /// Fitted model in units in which the field is about 1.
    package private(set) var scaled: MagneticModel
    /// Size of one unit of `scaled` in measured units.
    let unit: Double
    /// Standard deviation of the residuals of each kind, as a fraction of the field strength.
    private(set) var noise: [MagneticProblem.Kind: Double] = [:]

    /// Nil if the points do not determine the model.
    ///
    /// - Parameters:
    ///   - start: initial ellipsoid of the points' fields.
    ///   - aligned: whether the up directions are used.
    ///   - biasStandardDeviation: a priori standard deviation of the accelerometer's bias, as a fraction of gravity.
    init?(_ points: [MagneticPoint], start: FieldEllipsoid, aligned: Bool, biasStandardDeviation: Double) {
        guard points.count >= MagnetometerLimits.minimumSampleCount else { return nil }
        let parameters = aligned ? MagneticParameters.aligned : .symmetric
        let rough = start.radius
        guard rough > 0, rough.isFinite else { return nil }
        let roughly = Self.scaled(points, around: start.centre, by: rough)
        let shape = rough * start.shape
        let starts =
            aligned ? Self.alignments(roughly, shape) : [MagneticModel(correction: shape, centre: .zero)]
        noiseShape = Self.noiseShape(roughly, shape)
        guard var first = Self.best(of: starts, roughly, parameters, biasStandardDeviation) else { return nil }
        // If there are few directions, the initial ellipsoid may be far too small. The first fit therefore sets the
        // unit of the noise.
        let larger = 1 / cbrt(first.correction.determinant)
        guard larger > 0, larger.isFinite else { return nil }
        let centre = start.centre + rough * first.centre
        (unit, isAligned) = (rough * larger, aligned)
        (first.correction, first.centre) = (larger * first.correction, .zero)
        (scaled, model) = (first, first)
        let near = Self.scaled(points, around: centre, by: unit)
        guard refine(near, parameters, biasStandardDeviation), isValid else { return nil }
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

    private var isValid: Bool {
        guard scaled.correction.determinant > 0, scaled.centre.isFinite else { return false }
        return !isAligned || scaled.elevation.magnitude < .pi / 2
    }

    /// Iterates the weights. They depend on the variance of each kind, the correlation of neighbours, and outliers
    /// (Huber weights).
    private mutating func refine(
        _ points: [MagneticPoint], _ parameters: MagneticParameters, _ biasStandardDeviation: Double
    ) -> Bool {
        for round in 1...MagnetometerLimits.rounds {
            var problem = MagneticProblem(
                points, parameters, start: scaled, biasStandardDeviation: biasStandardDeviation, shares: shares,
                noiseShape: noiseShape)
            setWeights(&problem, parameters)
            guard
                let solution = try? LeastSquares.solve(
                    problem, from: parameters.row(of: scaled), settings: Self.settings),
                solution.isDetermined
            else { return false }
            scaled = parameters.model(of: solution.parameters)
            guard round == MagnetometerLimits.rounds else { continue }
            let effect = Self.designEffect(problem, solution)
            covariance = parameters.covariance { effect * solution.unscaledCovariance($0, $1) }
        }
        return true
    }

    /// Design effect, at least 1, of errors that residuals share over seconds. The correlation in the weights does not
    /// cover them, because the misfit of the model depends on the board's direction, which changes slowly.
    private static func designEffect(_ problem: MagneticProblem, _ solution: LeastSquaresSolution) -> Double {
        var jacobian = ResidualJacobian(rows: problem.residualCount, columns: solution.parameters.count)
        problem.jacobian(at: solution.parameters, into: &jacobian)
        let points = problem.points
        let effect = DesignEffect(jacobian: jacobian, residuals: solution.residuals) { row in
            row < problem.kinds.count * points.count
                ? Int(points[row % points.count].time / MagnetometerLimits.blockSeconds) : nil
        }
        return max(1, effect.mean)
    }

    /// Fraction of each kind's variance that the magnetometer's noise causes. Residuals of the strength have no other
    /// noise.
    private var shares: [MagneticProblem.Kind: Double] {
        guard let strength = noise[.strength] else { return [:] }
        return noise.mapValues { min(1, strength * strength / ($0 * $0)) }
    }

    /// Sets the weights from the residuals at `scaled`.
    private mutating func setWeights(_ problem: inout MagneticProblem, _ parameters: MagneticParameters) {
        for (number, kind) in problem.kinds.enumerated() {
            problem.weights[number] = problem.points.indices.map { index in
                problem.has(kind, index) ? quality(kind, problem.points[index].acceleration) : 0
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
            let usual = max(Self.minimumNoise, 1.4826 * median(values.map(\.magnitude)))
            var sum = 0.0
            for (place, index) in own.enumerated() {
                let excess = values[place].magnitude / (MagnetometerLimits.huber * usual)
                let factor = excess > 1 ? (1 / excess).squareRoot() : 1
                problem.weights[number][index] *= factor
                values[place] *= factor
                sum += values[place] * values[place]
            }
            let standardDeviation = max(
                kind == .force ? Self.minimumForceNoise : Self.minimumNoise, (sum / Double(freedom)).squareRoot())
            noise[kind] = standardDeviation
            var variance = standardDeviation * standardDeviation * Self.inflation(values, lag)
            if kind == .elevation {
                variance += Double(lag) * MagnetometerLimits.slowElevation * MagnetometerLimits.slowElevation
            }
            let weight = 1 / variance.squareRoot()
            for index in own { problem.weights[number][index] *= weight }
        }
    }

    /// Weight of residuals that depend on the force. It is lower while the board accelerates.
    private func quality(_ kind: MagneticProblem.Kind, _ acceleration: Double) -> Double {
        guard kind == .elevation || kind == .force else { return 1 }
        let ratio = acceleration / Self.usualAcceleration
        return 1 / (1 + ratio * ratio).squareRoot()
    }

    /// Number of samples within the correlation time of the residuals.
    private static func lag(_ points: [MagneticPoint]) -> Int {
        let steps = zip(points.dropFirst(), points).map { $0.time - $1.time }
        let step = median(steps)
        guard step > 0 else { return 1 }
        return min(points.count / 16, max(1, Int(MagnetometerLimits.correlationSeconds / step)))
    }

    /// Ratio, at least 1, of the variance of these values' mean to the variance that it would have for uncorrelated
    /// values: `1 + 2·Σ(1 − k/L)·ρₖ` over the lags k below L.
    ///
    /// Source: Newey, West, "A simple, positive semi-definite, heteroskedasticity and autocorrelation consistent
    /// covariance matrix", 1987.
    static func inflation(_ values: [Double], _ maximumLag: Int) -> Double {
        let square = values.reduce(0) { $0 + $1 * $1 }
        guard square > 0 else { return 1 }
        var inflation = 1.0
        for lag in 1..<max(2, maximumLag) where lag < values.count {
            var sum = 0.0
            for index in lag..<values.count { sum += values[index] * values[index - lag] }
            inflation += 2 * (1 - Double(lag) / Double(maximumLag)) * sum / square
        }
        return max(1, inflation)
    }

    // MARK: - Initial estimate

    /// Shape of the noise. If the points cover the ellipsoid, it is isotropic in the corrected field, because raw
    /// channels differ in scale. Otherwise it is isotropic in the measured field.
    private static func noiseShape(_ points: [MagneticPoint], _ shape: Matrix<3, 3>) -> Matrix<3, 3> {
        var coverage = SphereCoverage()
        for point in points { coverage.insert(shape * point.field) }
        return coverage.fraction >= wholeCoverage ? shape.inverse ?? .identity : .identity
    }

    /// Least coverage at which the noise is taken as isotropic in the corrected field.
    private static let wholeCoverage = 0.6

    /// Initial models: one without a rotation to the accelerometer's axes, and one with the rotation that gives the
    /// most uniform elevation of the field.
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

    /// Rotation that makes `up · rotation·field` equal for all pairs. It is the rotation nearest to the matrix that
    /// linear least squares gives.
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
        var matrix = Matrix<3, 3> { vectors[3 * $0 + $1, 0] }
        if matrix.determinant < 0 { matrix = -1 * matrix }
        guard let square = SymmetricEigen(matrix.transpose * matrix), square.values[0] > 1e-12 else { return nil }
        return matrix * square.mapped { 1 / $0.squareRoot() }
    }

    /// Makes a fit to a subset of the points, from the initial model with the smallest residuals.
    private static func best(
        of starts: [MagneticModel], _ points: [MagneticPoint], _ parameters: MagneticParameters,
        _ biasStandardDeviation: Double
    ) -> MagneticModel? {
        let some = FieldEllipsoid.evenly(points, startPoints)
        var best: (MagneticModel, Double)?
        for start in starts {
            var problem = MagneticProblem(some, parameters, start: start, biasStandardDeviation: biasStandardDeviation)
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

    /// Number of points to which a first fit is made.
    private static let startPoints = 500
    /// Standard deviation assumed for the residuals of a first fit, as a fraction of the field strength.
    private static let startNoise = 0.03
    /// Acceleration of a board turned by hand, as a fraction of gravity.
    private static let usualAcceleration = 0.03
    /// Lower bound of the noise, as a fraction of the field strength. No sensor has less noise.
    private static let minimumNoise = 1e-6
    /// Lower bound of the force noise, as a fraction of gravity. It covers scale errors of the accelerometer, and
    /// accelerations from the rotation's lever arm. It was tuned together with `slowElevation`.
    private static let minimumForceNoise = 0.007
    /// Settings of the solver. A smaller tolerance would be useless, because the parameters are accurate to a
    /// thousandth at best.
    private static let settings: LeastSquares.Settings = {
        var settings = LeastSquares.Settings()
        settings.tolerance = 1e-8
        settings.maximumEvaluations = 60
        return settings
    }()
}
