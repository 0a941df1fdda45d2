import Calibration
import Geometry
import Simulation
import Testing

@Suite("residuals of the magnetometer")
struct MagneticProblemTests {
    private func points(_ random: inout RandomSource) -> [MagneticPoint] {
        (0..<12).map { index in
            var point = MagneticPoint(time: Double(index), field: 1.1 * direction(&random))
            point.up = 1.02 * direction(&random)
            point.upFromBias = Rotation3.exp(0.3 * direction(&random)).matrix
            return point
        }
    }

    private func direction(_ random: inout RandomSource) -> Vector3 {
        Vector3(random.normal(), random.normal(), random.normal()).normalized ?? Vector3(1, 0, 0)
    }

    private func model(_ random: inout RandomSource) -> MagneticModel {
        var correction = Matrix<3, 3>.identity
        for i in 0..<3 { for j in 0..<3 { correction[i, j] += 0.1 * random.normal() } }
        var model = MagneticModel(correction: correction, centre: 0.1 * direction(&random), elevation: -1.1)
        model.forceBias = 0.05 * direction(&random)
        model.gravity = 1.01
        return model
    }

    @Test("the analytic Jacobian is the numeric one", arguments: 1...20 as ClosedRange<UInt64>)
    func jacobian(_ seed: UInt64) {
        var random = RandomSource(seed: seed)
        let (points, start, at) = (points(&random), model(&random), model(&random))
        for parameters in [MagneticParameters.symmetric, .aligned] {
            let problem = MagneticProblem(
                points, parameters, start: start, biasStandardDeviation: 0.02, noiseShape: model(&random).correction)
            // Central differences of 1e-5 leave about 1e-10 times the third derivative.
            #expect(JacobianCheck.worst(problem, at: parameters.row(of: at)) < 1e-7)
        }
    }

    @Test("at the truth all residuals are zero")
    func zeroAtTheTruth() {
        var random = RandomSource(seed: 5)
        var truth = model(&random)
        truth.forceBias = .zero
        truth.gravity = 1
        let points = (0..<20).map { index in
            let turn = Rotation3.exp(2 * direction(&random))
            let (up, level) = (turn * Vector3(0, 0, 1), turn * Vector3(1, 0, 0))
            // 1.1 rad below the horizon.
            let field = 0.45359612142557737 * level - 0.8912073600614354 * up
            let measured = solve(truth.correction, field) + truth.centre
            return MagneticPoint(time: Double(index), field: measured, up: up)
        }
        let problem = MagneticProblem(points, .aligned, start: truth, biasStandardDeviation: 0.02)
        var residuals = [Double](repeating: 1, count: problem.residualCount)
        #expect(residuals.count >= 2 * points.count)
        problem.residuals(at: MagneticParameters.aligned.row(of: truth), into: &residuals)
        #expect(residuals.allSatisfy { $0.magnitude < 1e-12 })
    }

    /// By Cramer's rule.
    private func solve(_ a: Matrix<3, 3>, _ b: Vector3) -> Vector3 {
        let columns = (0..<3).map { Vector3(a[0, $0], a[1, $0], a[2, $0]) }
        let determinant = columns[0].dot(columns[1].cross(columns[2]))
        return Vector3(
            b.dot(columns[1].cross(columns[2])), columns[0].dot(b.cross(columns[2])),
            columns[0].dot(columns[1].cross(b))
        ) / determinant
    }
}
