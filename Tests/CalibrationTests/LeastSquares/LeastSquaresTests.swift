import Calibration
import Geometry
import Glibc
import Testing

/// `amplitude · exp(−rate · t)` through points.
private struct Decay: LeastSquaresProblem {
    var times: [Double]
    var values: [Double]

    var residualCount: Int { times.count }

    func residuals(at p: [Double], into residuals: inout [Double]) {
        for (row, time) in times.enumerated() { residuals[row] = p[0] * exp(-p[1] * time) - values[row] }
    }

    func jacobian(at p: [Double], into jacobian: inout ResidualJacobian) {
        for (row, time) in times.enumerated() {
            jacobian[row, 0] = exp(-p[1] * time)
            jacobian[row, 1] = -p[0] * time * exp(-p[1] * time)
        }
    }
}

/// A straight line, of which the two first parameters count only together where `together`.
private struct Line: LeastSquaresProblem {
    var values: [Double]
    var together = false

    var residualCount: Int { values.count }

    private func factors(_ row: Int) -> [Double] { together ? [1, 1, Double(row)] : [1e-4, 1e5 * Double(row)] }

    func residuals(at p: [Double], into residuals: inout [Double]) {
        for row in values.indices { residuals[row] = zip(p, factors(row)).reduce(-values[row]) { $0 + $1.0 * $1.1 } }
    }

    func jacobian(at p: [Double], into jacobian: inout ResidualJacobian) {
        for row in values.indices {
            for (column, factor) in factors(row).enumerated() { jacobian[row, column] = factor }
        }
    }
}

@Suite("Least squares")
struct LeastSquaresTests {
    @Test("parameters put in come out, to the digits of a double")
    func exact() throws {
        let times = (0..<20).map { Double($0) / 7 }
        let problem = Decay(times: times, values: times.map { 3 * exp(-1.5 * $0) })
        #expect(JacobianCheck.worst(problem, at: [2, 0.7]) < 1e-8)
        let solution = try LeastSquares.solve(problem, from: [1, 0])
        #expect(solution.hasConverged && solution.isDetermined)
        #expect(abs(solution.parameters[0] - 3) < 1e-9 && abs(solution.parameters[1] - 1.5) < 1e-9)
        #expect(solution.residualRMS < 1e-9)
    }

    @Test("standard deviations are those of the errors, over 400 seeds")
    func standardDeviations() throws {
        let times = (0..<40).map { Double($0) / 10 }
        var (sum, expected) = ([0.0, 0.0], [0.0, 0.0])
        for seed in 0..<400 {
            var random = RandomSource(seed: UInt64(seed))
            let values = times.map { 3 * exp(-1.5 * $0) + 0.02 * random.normal() }
            let solution = try LeastSquares.solve(Decay(times: times, values: values), from: [2, 1])
            // A posteriori variance of one residual.
            let freedom = Double(solution.residuals.count - solution.rank)
            let variance = solution.residuals.reduce(0) { $0 + $1 * $1 } / freedom
            for (index, truth) in [3, 1.5].enumerated() {
                sum[index] += (solution.parameters[index] - truth) * (solution.parameters[index] - truth)
                expected[index] += variance * solution.unscaledCovariance(index, index)
            }
        }
        // The RMS of 400 errors has a standard deviation of 3.5 %; four of them.
        for index in 0...1 { #expect(abs((sum[index] / expected[index]).squareRoot() - 1) < 0.14) }
    }

    @Test("the covariance is that of a straight line in closed form, parameters of any scale")
    func line() throws {
        var random = RandomSource(seed: 5)
        let count = 12
        let solution = try LeastSquares.solve(
            Line(values: (0..<count).map { 2 + 0.5 * Double($0) + 0.1 * random.normal() }), from: [0, 0])
        #expect(solution.rank == 2)
        let (n, sum) = (Double(count), Double(count * (count - 1) / 2))
        let squares = Double((count - 1) * count * (2 * count - 1) / 6)
        let slope = n / (n * squares - sum * sum) * 1e-10
        let mixed = -sum / (n * squares - sum * sum) * 1e-1
        #expect(abs(solution.unscaledCovariance(1, 1) / slope - 1) < 1e-9)
        #expect(abs(solution.unscaledCovariance(0, 1) / mixed - 1) < 1e-9)
        #expect(solution.unscaledVariance(along: [0, 2]) == 4 * solution.unscaledCovariance(1, 1))
    }

    @Test("parameters that count only together show in the rank")
    func dependent() throws {
        let solution = try LeastSquares.solve(
            Line(values: (0..<9).map { 2 + Double($0) }, together: true), from: [0, 0, 0])
        #expect(solution.rank == 2 && !solution.isDetermined)
        #expect(abs(solution.parameters[0] + solution.parameters[1] - 2) < 1e-9)
    }

    @Test("what cannot be solved is refused by name")
    func refusals() {
        #expect(throws: LeastSquares.Failure.tooFewResiduals) {
            try LeastSquares.solve(Line(values: [1]), from: [0, 0])
        }
        #expect(throws: LeastSquares.Failure.tooFewResiduals) { try LeastSquares.solve(Line(values: []), from: []) }
        #expect(throws: LeastSquares.Failure.notFinite) {
            try LeastSquares.solve(Line(values: [1, .nan, 3]), from: [0, 0])
        }
        #expect(throws: LeastSquares.Failure.notFinite) {
            try LeastSquares.solve(Line(values: [1, 2, 3]), from: [0, .infinity])
        }
    }

    @Test("a step to where nothing is finite is taken back, and evaluations are bounded")
    func bounded() throws {
        let times = (0..<30).map { Double($0) * 30 }
        let problem = Decay(times: times, values: times.map { 3 * exp(-0.01 * $0) })
        // The first steps from here go to rates at which the exponential overflows.
        let solution = try LeastSquares.solve(problem, from: [1, 0.2])
        #expect(solution.parameters.allSatisfy { $0.isFinite })
        var settings = LeastSquares.Settings()
        settings.maximumEvaluations = 2
        let short = try LeastSquares.solve(problem, from: [1, 0], settings: settings)
        #expect(!short.hasConverged && short.evaluations <= 3)
    }
}
