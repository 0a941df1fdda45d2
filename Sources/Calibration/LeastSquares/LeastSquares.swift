import CMinpack

/// Nonlinear least squares by the method of Levenberg and Marquardt, as MINPACK has it.
///
/// Source: Moré, "The Levenberg-Marquardt algorithm: implementation and theory", 1978; `lmder`, `qrfac` and `covar` of
/// cminpack.
public enum LeastSquares {
    /// Why there is no solution.
    public enum Failure: Error, Hashable, Sendable {
        /// The start, or the residuals or the Jacobian at the start, are not finite.
        case notFinite
        /// Fewer residuals than parameters, or none of either.
        case tooFewResiduals
    }

    /// How long to go on, and when it is good enough.
    public struct Settings: Hashable, Sendable {
        /// Steps that are tried. MINPACK advises 100 · (parameters + 1); no problem here takes more than a few dozen.
        public var maximumEvaluations = 500
        /// Of the sum of squares, of the parameters, and of the angle between residuals and Jacobian: relative change
        /// below which it has converged. MINPACK's advice, the root of the machine's precision, is 1.5e-8.
        public var tolerance = 1e-10
        /// Columns of the Jacobian that are, at equal length, less than this apart from a combination of others count as
        /// one: below it what differences are made of is rounding.
        public var rankTolerance = 1e-9

        public init() {}
    }

    /// The parameters with the least sum of squares near `start`.
    ///
    /// Parameters may be of any scale: steps are measured by the columns of the Jacobian. Throws what `Failure` names; that
    /// it has not converged is told by the solution.
    public static func solve(
        _ problem: any LeastSquaresProblem, from start: [Double], settings: Settings = Settings()
    ) throws(Failure) -> LeastSquaresSolution {
        let (rows, columns) = (problem.residualCount, start.count)
        guard columns > 0, rows >= columns else { throw .tooFewResiduals }
        let evaluation = LeastSquaresEvaluation(problem, rows: rows, columns: columns)
        guard evaluation.isFinite(at: start) else { throw .notFinite }

        var parameters = start
        var residuals = [Double](repeating: 0, count: rows)
        var triangle = [Double](repeating: 0, count: rows * columns)
        var scales = [Double](repeating: 0, count: columns)
        var pivots = [Int32](repeating: 0, count: columns)
        var (gradient, first, second, third) = (scales, scales, scales, scales)
        var last = residuals
        var (functions, jacobians) = (Int32(0), Int32(0))
        // Scales found by itself (mode 1), a first step of up to 100 of them, as MINPACK advises.
        let outcome = lmder(
            LeastSquaresEvaluation.callback, evaluation.context, Int32(rows), Int32(columns), &parameters, &residuals,
            &triangle, Int32(rows), settings.tolerance, settings.tolerance, settings.tolerance,
            Int32(clamping: settings.maximumEvaluations), &scales, 1, 100, 0, &functions, &jacobians, &pivots,
            &gradient, &first, &second, &third, &last)
        guard evaluation.isFinite(at: parameters) else { throw .notFinite }
        return LeastSquaresSolution(
            parameters: parameters, residuals: evaluation.residuals,
            cofactors: Cofactors(of: evaluation.jacobian, rankTolerance: settings.rankTolerance),
            // 1 to 4: one of the tolerances is met; 6 to 8: they are finer than the machine.
            hasConverged: (1...4).contains(outcome) || (6...8).contains(outcome), evaluations: Int(functions))
    }
}

/// What MINPACK calls back: the problem, and room for what it computes. One solution's alone.
final class LeastSquaresEvaluation {
    let problem: any LeastSquaresProblem
    var parameters: [Double]
    var residuals: [Double]
    var jacobian: ResidualJacobian

    init(_ problem: any LeastSquaresProblem, rows: Int, columns: Int) {
        self.problem = problem
        parameters = [Double](repeating: 0, count: columns)
        residuals = [Double](repeating: 0, count: rows)
        jacobian = ResidualJacobian(rows: rows, columns: columns)
    }

    /// Computes both there, and says whether all of it is finite.
    func isFinite(at start: [Double]) -> Bool {
        problem.residuals(at: start, into: &residuals)
        jacobian.clear()
        problem.jacobian(at: start, into: &jacobian)
        precondition(residuals.count == jacobian.rows, "a problem keeps the number of its residuals")
        return start.allSatisfy(\.isFinite) && residuals.allSatisfy(\.isFinite)
            && jacobian.elements.allSatisfy(\.isFinite)
    }

    /// Of this object; it lives as long as the caller holds it.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Of type `cminpack_funcder_mn`: residuals where the last argument is 1, their Jacobian where it is 2; below 0 ends it.
    static let callback: cminpack_funcder_mn = { context, rows, columns, point, values, derivatives, _, wanted in
        guard let context, let point else { return -1 }
        let evaluation = Unmanaged<LeastSquaresEvaluation>.fromOpaque(context).takeUnretainedValue()
        for index in 0..<Int(columns) { evaluation.parameters[index] = point[index] }
        if wanted == 1, let values {
            evaluation.writeResiduals(to: values)
        } else if let derivatives {
            return evaluation.writeJacobian(to: derivatives) ? 0 : -1
        }
        return 0
    }

    /// A step to where nothing is finite is one too long: residuals that are huge make the solver take a shorter one.
    private func writeResiduals(to values: UnsafeMutablePointer<Double>) {
        problem.residuals(at: parameters, into: &residuals)
        let isFinite = residuals.allSatisfy(\.isFinite)
        for index in residuals.indices { values[index] = isFinite ? residuals[index] : 1e100 }
    }

    private func writeJacobian(to values: UnsafeMutablePointer<Double>) -> Bool {
        jacobian.clear()
        problem.jacobian(at: parameters, into: &jacobian)
        guard jacobian.elements.allSatisfy(\.isFinite) else { return false }
        for index in jacobian.elements.indices { values[index] = jacobian.elements[index] }
        return true
    }
}
