import CMinpack

/// A nonlinear least-squares problem: residuals and their Jacobian.
///
/// Residuals are divided by their standard deviations. A prior is one more residual.
package protocol LeastSquaresProblem {
    /// Number of residuals, which does not depend on the values of the parameters.
    var residualCount: Int { get }
    /// Writes all `residualCount` elements. If a value is not finite, the solver shortens its step.
    func residuals(at parameters: [Double], into residuals: inout [Double])
    /// Writes the nonzero elements. The Jacobian is zeroed before the call.
    func jacobian(at parameters: [Double], into jacobian: inout ResidualJacobian)
}

/// Jacobian with the elements `∂ residual[row] / ∂ parameter[column]`.
package struct ResidualJacobian: Sendable {
    /// Number of residuals.
    package let rows: Int
    package let columns: Int
    /// Elements in column-major order, as MINPACK stores them.
    var elements: [Double]

    package init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        elements = [Double](repeating: 0, count: rows * columns)
    }

    /// Derivative of residual `row` with respect to parameter `column`.
    package subscript(_ row: Int, _ column: Int) -> Double {
        get { elements[column * rows + row] }
        set { elements[column * rows + row] = newValue }
    }

    mutating func clear() {
        for index in elements.indices { elements[index] = 0 }
    }
}

/// Nonlinear least squares by the Levenberg–Marquardt method of MINPACK.
///
/// Source: Moré, "The Levenberg-Marquardt algorithm: implementation and theory", 1978; `lmder`, `qrfac` and `covar` of
/// cminpack.
package enum LeastSquares {
    package enum Failure: Error, Hashable, Sendable {
        /// The start is not finite, or the residuals or the Jacobian at the start are not.
        case notFinite
        /// There are fewer residuals than parameters, or no parameters.
        case tooFewResiduals
    }

    package struct Settings: Hashable, Sendable {
        /// Largest number of evaluations of the residuals. MINPACK advises 100 · (parameters + 1). No problem in this
        /// program takes more than a few dozen, but the limit lets slow problems converge too.
        package var maximumEvaluations = 500
        /// Tolerance at which the iteration has converged: relative change of the sum of squares and of the parameters,
        /// and cosine between residuals and Jacobian. MINPACK advises the root of the machine precision, 1.5e-8.
        package var tolerance = 1e-10
        /// Distance from the span of the other columns at which a unit-length column of the Jacobian counts as linearly
        /// dependent. Smaller distances are rounding errors.
        package var rankTolerance = 1e-9

        package init() {}
    }

    /// Finds the parameters with the least sum of squares near `start`.
    ///
    /// Parameters may have any scale, because steps are scaled by the columns of the Jacobian.
    ///
    /// - Throws: `Failure`. If a solution has not converged, no error is thrown, but its `hasConverged` is false.
    package static func solve(
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
        // MINPACK advises automatic scaling (mode 1) and an initial step bound of 100.
        let outcome = lmder(
            LeastSquaresEvaluation.callback, evaluation.context, Int32(rows), Int32(columns), &parameters, &residuals,
            &triangle, Int32(rows), settings.tolerance, settings.tolerance, settings.tolerance,
            Int32(clamping: settings.maximumEvaluations), &scales, 1, 100, 0, &functions, &jacobians, &pivots,
            &gradient, &first, &second, &third, &last)
        guard evaluation.isFinite(at: parameters) else { throw .notFinite }
        return LeastSquaresSolution(
            parameters: parameters, residuals: evaluation.residuals,
            cofactors: Cofactors(of: evaluation.jacobian, rankTolerance: settings.rankTolerance),
            // Results 1 to 4 mean that a tolerance is met, 6 to 8 that a tolerance is below the machine precision.
            hasConverged: (1...4).contains(outcome) || (6...8).contains(outcome), evaluations: Int(functions))
    }
}

/// Callback context of MINPACK: the problem and the buffers of one solution.
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

    /// Whether the start, and the residuals and the Jacobian there, are finite. The buffers keep these residuals and
    /// the Jacobian.
    func isFinite(at start: [Double]) -> Bool {
        problem.residuals(at: start, into: &residuals)
        jacobian.clear()
        problem.jacobian(at: start, into: &jacobian)
        precondition(residuals.count == jacobian.rows, "a problem keeps the number of its residuals")
        return start.allSatisfy(\.isFinite) && residuals.allSatisfy(\.isFinite)
            && jacobian.elements.allSatisfy(\.isFinite)
    }

    /// Unretained pointer to this object. It is valid as long as the caller holds the object.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Callback of `lmder`. It writes residuals if the last argument is 1, and their Jacobian if it is 2. A negative
    /// result ends the solver.
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

    /// Writes the residuals. If parameters have no finite residuals, the step to them is too long; huge residuals make
    /// the solver shorten it.
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
