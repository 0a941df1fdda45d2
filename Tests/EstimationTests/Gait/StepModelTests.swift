import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Step models")
struct StepModelTests {
    private func step(_ random: inout Seeded) -> Step {
        Step(
            length: 0.7 + 0.05 * random.gaussian(), duration: 0.55, meanVelocityOffset: random.vector(0.2), axis: nil)
    }

    /// The derivative of an innovation by every error, by central differences, is the negative of the Jacobian.
    private func check<let Rows: Int>(
        _ filter: ErrorStateKalmanFilter, _ jacobian: Jacobian<Rows>,
        _ innovation: (ErrorStateKalmanFilter) throws -> [Double]
    ) rethrows {
        for index in 0..<ErrorState.count {
            var plus = filter
            plus.state.inject(Fixture.error(index, 1e-6))
            var minus = filter
            minus.state.inject(Fixture.error(index, -1e-6))
            let (a, b) = (try innovation(plus), try innovation(minus))
            for row in 0..<Rows {
                #expect(abs((a[row] - b[row]) / 2e-6 + jacobian[row, index]) < 1e-6, "row \(row), state \(index)")
            }
        }
    }

    @Test("the speed of a step", arguments: UInt64(1)...20)
    func speed(seed: UInt64) {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        let step = step(&random)
        check(filter, filter.stepSpeedModel(step).jacobian) { [$0.stepSpeedModel(step).innovation] }
    }

    @Test("no velocity across the line of walking", arguments: UInt64(1)...20)
    func axis(seed: UInt64) throws {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        let step = step(&random)
        let angle = random.gaussian()
        let direction = Rotation3.aboutZ(angle) * Vector3(1, 0, 0)
        check(filter, filter.axisModel(step, direction: direction).jacobian) {
            // The line was found through the attitude: it turns with it.
            let turned = $0.state.rotationENUFromBody * filter.state.rotationENUFromBody.inverse * direction
            return [$0.axisModel(step, direction: turned).innovation]
        }
    }

    /// In 11 the board's x axis stands upright, and no direction is forward.
    private static let seedsWithForward = (UInt64(1)...21).filter { $0 != 11 }

    @Test("a board whose x axis stands upright has no forward direction")
    func upright() {
        var random = Seeded(11)
        let filter = Fixture.filter(&random)
        let step = step(&random)
        #expect(filter.boardDirectionModel(step) == nil && filter.walkingVelocityModel(step) == nil)
    }

    @Test("no velocity across the board's forward direction", arguments: seedsWithForward)
    func board(seed: UInt64) throws {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        let step = step(&random)
        let model = try #require(filter.boardDirectionModel(step))
        try check(filter, model.jacobian) { [try #require($0.boardDirectionModel(step)).innovation] }
    }

    @Test("speed and direction at once", arguments: seedsWithForward)
    func velocity(seed: UInt64) throws {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        let step = step(&random)
        let model = try #require(filter.walkingVelocityModel(step))
        try check(filter, model.jacobian) {
            let r = try #require($0.walkingVelocityModel(step)).innovation
            return [r[0, 0], r[1, 0]]
        }
    }

    @Test("the displacement by a step", arguments: seedsWithForward)
    func displacement(seed: UInt64) throws {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        let length = step(&random).length
        let board = try #require(filter.boardDirection())
        let displacement = board.direction * (exp(filter.state.stepScale) * length)
        try check(filter, filter.stepModel(displacement, azimuthGradient: board.azimuthGradient)) {
            // A prediction, whose derivative is the Jacobian itself.
            let displacement = try #require($0.boardDirection()).direction * (exp($0.state.stepScale) * length)
            return [-displacement.x, -displacement.y]
        }
    }

    @Test("the displacement by a step in the mean direction over its stride", arguments: seedsWithForward)
    func meanDirection(seed: UInt64) throws {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        var step = step(&random)
        let across = Vector3(1, 0.3 * random.gaussian(), 0.2 * random.gaussian())
        step.across = across
        let board = try #require(filter.boardDirection(step))
        let displacement = board.direction * (exp(filter.state.stepScale) * step.length)
        try check(filter, filter.stepModel(displacement, azimuthGradient: board.azimuthGradient)) {
            // The mean was taken through the attitude: it turns with it.
            var turned = step
            turned.across = $0.state.rotationENUFromBody * filter.state.rotationENUFromBody.inverse * across
            let displacement =
                try #require($0.boardDirection(turned)).direction * (exp($0.state.stepScale) * step.length)
            return [-displacement.x, -displacement.y]
        }
    }

    @Test(
        "forward is where glasses look and where a level telephone's top points",
        arguments: [0, 0.5, 1.2, .pi / 2, 2.2])
    func forward(tilt: Double) throws {
        // Tilted about the body's x axis from lying flat (0) to upright (π/2) and beyond; heading north-east.
        let level = Rotation3.exp(Vector3(tilt, 0, 0))
        var filter = ErrorStateKalmanFilter(
            first: InertialSample(time: Fixture.start, rate: .zero, force: Vector3(0, 0, 9.8)),
            settings: EstimatorSettings())
        filter.state.rotationENUFromBody = Rotation3.aboutZ(-.pi / 4) * level
        let direction = try #require(filter.boardDirection()).direction
        #expect((direction - Vector3(0.5.squareRoot(), 0.5.squareRoot(), 0)).norm < 1e-12)
        filter.state.walkingDirection = .pi / 4
        // Clockwise: from north-east to east.
        #expect((try #require(filter.boardDirection()).direction - Vector3(1, 0, 0)).norm < 1e-12)
        filter.state.rotationENUFromBody = Rotation3.exp(Vector3(0, .pi / 2, 0))
        #expect(filter.boardDirection() == nil)
    }
}
