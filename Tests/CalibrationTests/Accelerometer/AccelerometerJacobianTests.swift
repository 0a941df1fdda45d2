import Calibration
import Geometry
import Simulation
import Testing

@Suite("Jacobians of accelerometer and gyroscope")
struct AccelerometerJacobianTests {
    @Test("lengths answer to all nine parameters as difference quotients say", arguments: 1...5 as ClosedRange<UInt64>)
    func lengths(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let model = AccelerometerModel(centre: Vector3(32768, 33000, -500), radius: 4000, gravity: 9.8)
        let problem = AccelerometerProblem(
            model: model,
            forces: (0..<12).map { _ in model.centre + 4000 * (random.normalVector.normalized ?? .zero) },
            weights: (0..<12).map { _ in random.uniform(in: 0.5...1) }, standardDeviation: 0.01,
            priors: [Double](repeating: 0.1, count: 9))
        let parameters = (0..<9).map { _ in 0.05 * random.normal() }
        // Curvature of order 1 times the square of a step of 1e-5.
        #expect(JacobianCheck.worst(problem, at: parameters) < 1e-8)
    }

    @Test(
        "a carried up answers to scale, axes and bias as difference quotients say",
        arguments: 1...5 as ClosedRange<UInt64>)
    func carried(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let moves = (0..<6).map { _ in
            PoseMove(
                upBefore: random.normalVector.normalized ?? .zero, upAfter: random.normalVector.normalized ?? .zero,
                steps: (0..<50).map { _ in PoseMove.Step(rate: 2 * random.normalVector, seconds: 0.02) })
        }
        let problem = GyroscopeProblem(
            moves: moves, standardDeviation: 0.01, priors: [(index: 0, mean: 1, standardDeviation: 0.03), (9, 0, 0.1)])
        var parameters = [1.0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
        for index in parameters.indices { parameters[index] += 0.1 * random.normal() }
        #expect(JacobianCheck.worst(problem, at: parameters) < 1e-7)
    }
}

extension RandomSource {
    var normalVector: Vector3 {
        mutating get { Vector3(normal(), normal(), normal()) }
    }
}
