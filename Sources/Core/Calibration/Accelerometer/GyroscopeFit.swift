import Geometry
import Model

/// Fit of a gyroscope to the moves between still poses. It gives the bias, and scale and axes relative to the
/// accelerometer.
struct GyroscopeFit: Sendable {
    let sensorFit: SensorFit
    /// Predicted heading error of a turn of 90°, RMS over the axes of the turn. Unit: radians.
    let predictedHeadingError: Double
    let moves: Int

    /// Nil if the moves do not determine the parameters, or if the fit does not agree with the moves.
    ///
    /// - Parameter isClipped: whether the gyroscope was clipped at any time.
    init?(
        _ record: InertialRecord, poses: [StillPose], fit: AccelerometerFit, isStandard: Bool, isClipped: Bool = false
    ) {
        guard let rest = RestingRate(poses) else { return nil }
        let moves = PoseMove.all(poses, in: record, isClipped: isClipped, up: fit.up)
        let minimum = isStandard ? MoveLimits.minimumMoveCount : MoveLimits.minimumMoveCountInCounts
        guard moves.count >= minimum else { return nil }
        let start: Matrix<3, 3>
        if isStandard {
            start = .identity
        } else {
            let parameters = fit.solution.parameters
            guard
                let linear = GyroscopeStart.correction(
                    record, bias: rest.bias, force: { fit.model.force($0, parameters) }, gravity: fit.model.gravity)
            else { return nil }
            start = linear
        }
        let scatter = Self.scatter(poses) / fit.model.radius
        guard let solution = Self.solve(moves, start: start, rest: rest, scatter: scatter, isStandard: isStandard)
        else { return nil }
        let p = solution.parameters
        let standardDeviations = p.indices.map(solution.unscaledStandardDeviation)
        sensorFit = SensorFit(
            sensor: .gyroscope, correction: GyroscopeProblem.correction(p), bias: GyroscopeProblem.bias(p),
            correctionStandardDeviation: GyroscopeProblem.correction(standardDeviations),
            biasStandardDeviation: GyroscopeProblem.bias(standardDeviations))
        self.moves = moves.count
        predictedHeadingError = Self.headingError(solution)
        guard solution.isDetermined, solution.hasConverged, Self.residualRMS(moves, p) < MoveLimits.maximumResidual,
            predictedHeadingError < MoveLimits.maximumHeadingError
        else { return nil }
    }

    private static func solve(
        _ moves: [PoseMove], start: Matrix<3, 3>, rest: RestingRate, scatter: Double, isStandard: Bool
    ) -> LeastSquaresSolution? {
        var parameters = (0..<9).map { start[$0 / 3, $0 % 3] } + [rest.bias.x, rest.bias.y, rest.bias.z]
        // The smallest assumed bias error is 1e-9 rad/s. The initial scale converts it to measured units.
        let scale = (start.transpose * start).trace / 3
        let biasStandardDeviation = max(rest.standardDeviation, 1e-9 / max(scale.squareRoot(), 1e-30))
        var priors = (9..<12).map { (index: $0, mean: parameters[$0], standardDeviation: biasStandardDeviation) }
        if isStandard {
            priors += (0..<9).map { (index: $0, mean: parameters[$0], standardDeviation: MoveLimits.elementPrior) }
        }
        var problem = GyroscopeProblem(
            moves: moves, standardDeviation: MoveLimits.firstStandardDeviation, priors: priors)
        var last: LeastSquaresSolution?
        for _ in 0..<8 {
            guard let solution = try? LeastSquares.solve(problem, from: parameters) else { return nil }
            last = solution
            parameters = solution.parameters
            let standardDeviation = Self.standardDeviation(of: solution, problem, scatter: scatter)
            let isSettled = (standardDeviation / problem.standardDeviation - 1).magnitude < 0.01
            problem.standardDeviation = standardDeviation
            if isSettled { break }
        }
        return last
    }

    /// Standard deviation of the difference between two up directions, each of them averaged over half a second. It
    /// follows from the scatter within the poses, RMS over the poses. Measured units.
    private static func scatter(_ poses: [StillPose]) -> Double {
        var sum = 0.0
        for pose in poses {
            let parts = max(1, pose.seconds / (StillnessLimits.blockSeconds * Double(StillnessLimits.windowBlocks)))
            sum += 2 * parts * pose.forceStandardDeviation * pose.forceStandardDeviation
        }
        return (sum / Double(max(1, poses.count))).squareRoot()
    }

    /// Standard deviation of a residual. It is the root of the squared residuals over their degrees of freedom. The
    /// scatter counts as one more move.
    private static func standardDeviation(
        of solution: LeastSquaresSolution, _ problem: GyroscopeProblem, scatter: Double
    ) -> Double {
        var jacobian = ResidualJacobian(rows: problem.residualCount, columns: solution.parameters.count)
        problem.jacobian(at: solution.parameters, into: &jacobian)
        let rows = 2 * problem.moves.count
        var (squares, freedom) = (0.0, Double(rows))
        for row in 0..<rows {
            squares += solution.residuals[row] * solution.residuals[row]
            for i in solution.parameters.indices {
                for j in solution.parameters.indices {
                    freedom -= jacobian[row, i] * jacobian[row, j] * solution.unscaledCovariance(i, j)
                }
            }
        }
        let variance = problem.standardDeviation * problem.standardDeviation * squares + 2 * scatter * scatter
        return max(1e-7, (variance / (max(0, freedom) + 2)).squareRoot())
    }

    /// Angle between the propagated and the measured up direction, RMS over the moves. Unit: radians.
    private static func residualRMS(_ moves: [PoseMove], _ p: [Double]) -> Double {
        let problem = GyroscopeProblem(moves: moves, standardDeviation: 1, priors: [])
        var residuals = [Double](repeating: 0, count: problem.residualCount)
        problem.residuals(at: p, into: &residuals)
        return (residuals.reduce(0) { $0 + $1 * $1 } / Double(moves.count)).squareRoot()
    }

    /// Predicted heading error. A true rate along an axis a is corrected to a + δG·G⁻¹·a. The error is the component of
    /// δG·G⁻¹·a along a, times the angle of the turn.
    private static func headingError(_ solution: LeastSquaresSolution) -> Double {
        guard let inverse = GyroscopeProblem.correction(solution.parameters).inverse else { return .infinity }
        var sum = 0.0
        for axis in SphereCoverage.centres {
            let measured = inverse * axis
            let (a, m) = ([axis.x, axis.y, axis.z], [measured.x, measured.y, measured.z])
            let row = (0..<9).map { a[$0 / 3] * m[$0 % 3] }
            for i in 0..<9 {
                for j in 0..<9 { sum += row[i] * row[j] * solution.unscaledCovariance(i, j) }
            }
        }
        return MoveLimits.referenceTurn * (max(0, sum) / Double(SphereCoverage.regions)).squareRoot()
    }
}

/// Mean output of a gyroscope at rest over all poses.
struct RestingRate: Hashable, Sendable {
    let bias: Vector3
    /// Standard deviation of `bias` for each axis. Measured units.
    let standardDeviation: Double

    /// Nil unless at least two poses have angular rates.
    ///
    /// The error of a pose is an angle, by which the hand turns or the box settles. The error of the mean rate
    /// therefore falls with the duration, and poses are weighted by their squared durations.
    init?(_ poses: [StillPose]) {
        let still = poses.compactMap { pose in pose.rate.map { (rate: $0, weight: pose.seconds * pose.seconds) } }
        let sum = still.reduce(0) { $0 + $1.weight }
        guard still.count >= 2, sum > 0 else { return nil }
        let mean = still.reduce(Vector3.zero) { $0 + ($1.weight / sum) * $1.rate }
        var (squares, weights) = (0.0, 0.0)
        for pose in still {
            let share = pose.weight / sum
            squares += share * (pose.rate - mean).squaredNorm / 3
            weights += share * share
        }
        bias = mean
        // 1 / weights is the effective number of poses. It is near 1 if one long pose dominates.
        standardDeviation = (squares * weights / max(1e-3, 1 - weights)).squareRoot()
    }
}

/// Initial estimate of a gyroscope's correction if the samples are raw counts. A linear fit needs no guess of the
/// scale, sign or order of the axes. The up direction is fixed in space. In the board's axes it moves by `Δup = Δt · up
/// × (G·(ω − b))`, which is linear in G. The accelerometer gives an approximate up direction for each of hundreds of
/// blocks of a tenth of a second, even in motion.
enum GyroscopeStart {
    /// Correction G, in rad/s per measured unit; nil if the moves leave an element undetermined.
    static func correction(
        _ record: InertialRecord, bias: Vector3, force: (Vector3) -> Vector3, gravity: Double
    ) -> Matrix<3, 3>? {
        var (normal, right) = (Matrix<9, 9>(), Matrix<9, 1>())
        // Rates are scaled by their standard deviation, so that the elements of G are of order 1.
        let spread = VectorMoments(record.rates.lazy.map { $0.value - bias }).standardDeviation
        guard let scale = spread, scale > 0 else { return nil }
        for (old, new) in zip(record.blocks, record.blocks.dropFirst()) where new.follows(old) {
            guard old.rate.count > 0, new.rate.count > 0, old.force.count > 0, new.force.count > 0,
                let before = up(force(old.force.mean), gravity), let after = up(force(new.force.mean), gravity)
            else { continue }
            let seconds = new.middle.seconds(since: old.middle)
            guard seconds > 0 else { continue }
            let rate = (seconds / scale) * (0.5 * (old.rate.mean + new.rate.mean) - bias)
            accumulate(&normal, &right, up: 0.5 * (before + after), change: after - before, rate: rate)
        }
        // Each element needs at least a thousandth of the information of the best-known element. Its rates are then at
        // least 3 % of the rates that determine the best-known element.
        let best = (0..<9).reduce(0) { max($0, normal[$1, $1]) }
        guard let factor = Cholesky(normal),
            (0..<9).allSatisfy({ factor.factor[$0, $0] * factor.factor[$0, $0] > 1e-3 * best })
        else { return nil }
        let g = factor.solve(right)
        return (1 / scale) * Matrix { g[3 * $0 + $1, 0] }
    }

    private static func up(_ force: Vector3, _ gravity: Double) -> Vector3? {
        guard (force.norm / gravity - 1).magnitude < MoveLimits.gravityTolerance else { return nil }
        return force.normalized
    }

    private static func accumulate(
        _ normal: inout Matrix<9, 9>, _ right: inout Matrix<9, 1>, up: Vector3, change: Vector3, rate: Vector3
    ) {
        let cross = Matrix<3, 3>.skew(up)
        let rates = [rate.x, rate.y, rate.z]
        let changes = [change.x, change.y, change.z]
        for equation in 0..<3 {
            for i in 0..<9 {
                let factor = cross[equation, i / 3] * rates[i % 3]
                guard factor != 0 else { continue }
                right[i, 0] += factor * changes[equation]
                for j in 0..<9 { normal[i, j] += factor * cross[equation, j / 3] * rates[j % 3] }
            }
        }
    }
}

extension InertialRecord.Block {
    fileprivate var middle: BootTime {
        BootTime(nanoseconds: begins.nanoseconds + (ends.nanoseconds - begins.nanoseconds) / 2)
    }
}
