import Calibration

/// Analytic Jacobians against numeric ones.
enum JacobianCheck {
    /// The largest difference of any element from the central difference quotient, over the length of its column or,
    /// where that is longer, over `floor`.
    ///
    /// Steps: `relativeStep` of each parameter, or of its `scale` where the parameter is smaller. The quotient's error
    /// is of the second order in the step, so that 1e-5 leaves about 1e-10 of curvature and 1e-11 of rounding.
    static func worst(
        _ problem: any LeastSquaresProblem, at parameters: [Double], scales: [Double]? = nil,
        relativeStep: Double = 1e-5, floor: Double = 1e-12
    ) -> Double {
        var analytic = ResidualJacobian(rows: problem.residualCount, columns: parameters.count)
        problem.jacobian(at: parameters, into: &analytic)
        var (above, below) = (
            [Double](repeating: 0, count: problem.residualCount), [Double](repeating: 0, count: problem.residualCount)
        )
        var worst = 0.0
        for column in parameters.indices {
            let step = relativeStep * max(parameters[column].magnitude, scales?[column] ?? 1)
            var moved = parameters
            moved[column] = parameters[column] + step
            problem.residuals(at: moved, into: &above)
            moved[column] = parameters[column] - step
            problem.residuals(at: moved, into: &below)
            let length = (0..<problem.residualCount).reduce(0) { $0 + analytic[$1, column] * analytic[$1, column] }
                .squareRoot()
            for row in 0..<problem.residualCount {
                let difference = (above[row] - below[row]) / (2 * step) - analytic[row, column]
                // What is not a number must not pass.
                guard difference.isFinite else { return .infinity }
                worst = max(worst, difference.magnitude / max(length, floor))
            }
        }
        return worst
    }
}
