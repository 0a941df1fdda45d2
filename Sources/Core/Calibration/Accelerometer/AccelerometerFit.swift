import Geometry

/// Fit of the nine parameters of an accelerometer to still poses.
///
/// The estimate is the maximum a posteriori, from the residuals of the force magnitudes and the priors of
/// `AccelerometerLimits`. With many poses the priors have no weight. Six poses do not determine the skews, so that the
/// priors keep them near zero.
struct AccelerometerFit: Sendable {
    let model: AccelerometerModel
    let solution: LeastSquaresSolution
    /// Whether each pose was used; unused poses are outliers.
    let used: [Bool]
    /// Corrected magnitude minus gravity for each pose that was used. Unit: m/s².
    let misfits: [Double]
    /// Standard deviation of a long pose's mean force (weight 1), from residuals and scatter. Unit: m/s².
    let standardDeviation: Double

    /// Nil if there is no initial estimate, for example because the poses lie in one plane.
    init?(_ poses: [StillPose], isStandard: Bool, gravity: Double) {
        let model: AccelerometerModel
        if isStandard {
            model = AccelerometerModel(centre: .zero, radius: gravity, gravity: gravity)
        } else {
            guard let sphere = SphereFit(poses.map(\.force)) else { return nil }
            model = AccelerometerModel(centre: sphere.centre, radius: sphere.radius, gravity: gravity)
        }
        guard poses.count >= 4 else { return nil }
        var used = [Bool](repeating: true, count: poses.count)
        var estimate = Estimate(model, poses, isStandard: isStandard)
        for _ in 0..<poses.count / AccelerometerLimits.posesPerOutlier {
            guard let worst = estimate?.outlier(among: used) else { break }
            used[worst] = false
            estimate = Estimate(model, zip(poses, used).filter(\.1).map(\.0), isStandard: isStandard)
        }
        guard let estimate else { return nil }
        self.model = model
        self.used = used
        solution = estimate.solution
        misfits = estimate.misfits
        standardDeviation = estimate.problem.standardDeviation
    }

    var correction: Matrix<3, 3> { model.correction(solution.parameters) }
    var bias: Vector3 { model.bias(solution.parameters) }

    /// RMS of the misfits over the poses. Unit: m/s².
    var residualRMS: Double {
        (misfits.reduce(0) { $0 + $1 * $1 } / Double(max(1, misfits.count))).squareRoot()
    }

    /// Up direction that follows from a measured force; nil if the force is zero. Frame: the board's axes.
    func up(_ measured: Vector3) -> Vector3? { model.force(measured, solution.parameters).normalized }

    var sensorFit: SensorFit {
        var fit = SensorFit(sensor: .accelerometer, correction: correction, bias: bias)
        fit.correctionStandardDeviation = Matrix { row, column in
            let derivatives = model.derivatives(row: row, column: column, solution.parameters)
            return solution.unscaledVariance(along: derivatives).squareRoot()
        }
        let wander = AccelerometerLimits.biasWander / model.gravity
        let bias = (0..<3).map {
            let standardDeviation = solution.unscaledStandardDeviation($0)
            return (standardDeviation * standardDeviation + wander * wander).squareRoot()
        }
        fit.biasStandardDeviation = model.radius * Vector3(bias[0], bias[1], bias[2])
        return fit
    }

    /// Tilt error that the parameters' errors cause, RMS over all directions. Unit: radians.
    var predictedTiltError: Double {
        guard let inverse = correction.inverse else { return .infinity }
        var sum = 0.0
        for up in SphereCoverage.centres {
            let measured = inverse * (model.gravity * up) + bias
            let across = model.derivatives(measured, solution.parameters).map { ($0 - up.dot($0) * up) / model.gravity }
            sum += solution.unscaledVariance(along: across.map(\.x)) + solution.unscaledVariance(along: across.map(\.y))
            sum += solution.unscaledVariance(along: across.map(\.z))
        }
        // The drift counts twice, since two of the three components of the bias are horizontal.
        let wander = AccelerometerLimits.biasWander / model.gravity
        return (sum / Double(SphereCoverage.regions) + 2 * wander * wander).squareRoot()
    }

    /// Index of the parameter whose standard deviation, as a fraction of gravity, is largest.
    var weakest: Int {
        (0..<AccelerometerModel.parameterCount).max {
            solution.unscaledStandardDeviation($0) < solution.unscaledStandardDeviation($1)
        } ?? 0
    }
}

/// One fit, for which the standard deviation of the poses agrees with the residuals.
private struct Estimate {
    var problem: AccelerometerProblem
    var solution: LeastSquaresSolution
    var misfits: [Double]
    /// Leverage of each pose.
    var leverages: [Double] = []

    init?(_ model: AccelerometerModel, _ poses: [StillPose], isStandard: Bool) {
        typealias Limits = AccelerometerLimits
        let hand = Limits.handSeconds
        problem = AccelerometerProblem(
            model: model, forces: poses.map(\.force),
            weights: poses.map { 1 / (1 + hand * hand / max(1e-3, $0.seconds * $0.seconds)).squareRoot() },
            standardDeviation: Limits.firstStandardDeviation,
            priors: [Double](repeating: isStandard ? Limits.biasPrior : Limits.countPrior, count: 3)
                + [Double](repeating: isStandard ? Limits.scalePrior : Limits.countPrior, count: 3)
                + [Double](repeating: Limits.skewPrior, count: 3))
        var parameters = [Double](repeating: 0, count: AccelerometerModel.parameterCount)
        var last: LeastSquaresSolution?
        let scatter = Self.scatter(poses, problem) * model.gravity / model.radius
        for _ in 0..<20 {
            guard let solution = try? LeastSquares.solve(problem, from: parameters) else { return nil }
            last = solution
            parameters = solution.parameters
            leverages = Self.leverages(of: solution, problem)
            var squares = 0.0
            for residual in solution.residuals.prefix(poses.count) {
                squares += residual * residual * problem.standardDeviation * problem.standardDeviation
            }
            let freedom = leverages.reduce(0) { $0 + 1 - $1 }
            let standardDeviation = Self.standardDeviation(
                squares, freedom: freedom, scatter: scatter, gravity: model.gravity)
            let isSettled = (standardDeviation / problem.standardDeviation - 1).magnitude < 0.01
            problem.standardDeviation = standardDeviation
            if isSettled { break }
        }
        guard let last else { return nil }
        solution = last
        misfits = problem.forces.map { [problem, parameters] in problem.misfit($0, parameters) }
    }

    /// Error of a pose's mean magnitude that follows from the scatter within the pose, RMS over the poses. Measured
    /// units.
    private static func scatter(_ poses: [StillPose], _ problem: AccelerometerProblem) -> Double {
        var squares = 0.0
        for (pose, weight) in zip(poses, problem.weights) {
            guard let up = (pose.force - problem.model.centre).normalized else { continue }
            let standardDeviation = weight * up.dot(pose.halfDifference)
            squares += standardDeviation * standardDeviation
        }
        return (squares / Double(max(1, poses.count))).squareRoot()
    }

    /// Leverage of each pose: the diagonal of J·(Jᵀ·J)⁻¹·Jᵀ.
    private static func leverages(of solution: LeastSquaresSolution, _ problem: AccelerometerProblem) -> [Double] {
        var jacobian = ResidualJacobian(rows: problem.residualCount, columns: solution.parameters.count)
        problem.jacobian(at: solution.parameters, into: &jacobian)
        return problem.forces.indices.map { row in
            var leverage = 0.0
            for i in solution.parameters.indices {
                for j in solution.parameters.indices {
                    leverage += jacobian[row, i] * jacobian[row, j] * solution.unscaledCovariance(i, j)
                }
            }
            return min(1, leverage)
        }
    }

    /// Standard deviation of the mean force of a pose of weight 1. It is the root of the squared residuals over their
    /// degrees of freedom. The scatter counts as one more pose.
    private static func standardDeviation(
        _ squares: Double, freedom: Double, scatter: Double, gravity: Double
    ) -> Double {
        let votes = AccelerometerLimits.scatterFreedom
        let variance = (squares + votes * scatter * scatter) / (freedom + votes)
        // The lower bound avoids a division by zero for samples without noise.
        return max(variance.squareRoot(), 1e-9 * gravity)
    }

    /// Finds the pose that is most clearly an outlier, by externally studentised residuals; nil if there is none.
    ///
    /// Source: Cook and Weisberg, "Residuals and influence in regression", 1982, equation (2.1.5).
    func outlier(among used: [Bool]) -> Int? {
        let freedom = leverages.reduce(0) { $0 + 1 - $1 }
        guard freedom >= AccelerometerLimits.minimumFreedom else { return nil }
        let squares = misfits.indices.map { index in
            let residual = problem.weights[index] * misfits[index]
            return residual * residual
        }
        let sum = squares.reduce(0, +)
        var worst = (index: -1, ratio: 0.0)
        for (index, square) in squares.enumerated() where leverages[index] < 0.99 {
            let own = square / (1 - leverages[index])
            let ratio = own * (freedom - 1) / max(sum - own, 1e-12)
            if ratio > worst.ratio { worst = (index, ratio) }
        }
        guard worst.ratio > AccelerometerLimits.outlier * AccelerometerLimits.outlier else { return nil }
        return used.indices.filter { used[$0] }[worst.index]
    }
}

/// Algebraic fit of a sphere to points. It gives the initial estimate if the data are raw counts.
///
/// `|p|² = 2·p·c + (r² − |c|²)` is linear in the centre and in the term in parentheses.
struct SphereFit: Sendable {
    let centre: Vector3
    let radius: Double

    /// Nil if the points lie in a plane, on a circle or close together.
    init?(_ points: [Vector3]) {
        guard points.count >= 4 else { return nil }
        let moments = VectorMoments(points)
        // The points are centred and scaled first. Otherwise counts around 32768 would lose half of their digits.
        guard let spread = moments.standardDeviation, spread > 0, spread.isFinite else { return nil }
        var (normal, right) = (Matrix<4, 4>(), Matrix<4, 1>())
        for point in points {
            let p = (point - moments.mean) / spread
            let row = [2 * p.x, 2 * p.y, 2 * p.z, 1]
            for i in 0..<4 {
                right[i, 0] += row[i] * p.squaredNorm
                for j in 0..<4 { normal[i, j] += row[i] * row[j] }
            }
        }
        // For points in a plane, one diagonal element is 0 except for rounding. If the points spread only a little off
        // a plane, the fit that starts from this sphere decides whether they suffice.
        guard let factor = Cholesky(normal), (0..<4).allSatisfy({ factor.factor[$0, $0] > 1e-3 }) else { return nil }
        let solution = factor.solve(right)
        let c = Vector3(solution[0, 0], solution[1, 0], solution[2, 0])
        let square = solution[3, 0] + c.squaredNorm
        guard square > 0, square.isFinite else { return nil }
        centre = moments.mean + spread * c
        radius = spread * square.squareRoot()
    }
}
