import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("States that walk or decay")
struct SlowStateTests {
    /// Still, long enough for the slow states to follow.
    private func rest(_ filter: inout ErrorStateKalmanFilter, steps: Int) {
        for k in 1...steps {
            filter.propagate(
                to: InertialSample(time: Fixture.time(0.005 * Double(k)), rate: .zero, force: Vector3(0, 0, 9.8)))
        }
    }

    private func factors(_ settings: EstimatorSettings, over span: Double) -> [Double] {
        var factors = Array(repeating: 1.0, count: ErrorState.count)
        for i in 0..<3 {
            factors[ErrorState.gnssError + i] = exp(-span / settings.gnss.correlationSeconds)
            factors[ErrorState.gnssVelocityError + i] = exp(-span / settings.gnss.velocityCorrelationSeconds)
        }
        factors[ErrorState.walkingDirection] = exp(-span / settings.steps.directionSeconds)
        return factors
    }

    @Test("the whole time counts, whatever the steps", arguments: [20, 200])
    func wholeTime(steps: Int) {
        var random = Seeded(7)
        // The direction of the field changes with the way, not with the time.
        var still = EstimatorSettings()
        still.magnetic.minimumDistanceSpeed = .infinity
        let start = Fixture.filter(&random, settings: still)
        var filter = start
        filter.gnss.errorStandardDeviation = Vector3(2, 3, 4)
        filter.covariance = Fixture.covariance(&random)
        let before = filter.covariance
        rest(&filter, steps: steps)
        let settings = filter.settings
        let span = 0.005 * Double(steps)
        let factors = factors(settings, over: span)
        let slow = ErrorState.gnssError..<ErrorState.count
        for i in slow {
            for j in slow where i != j {
                #expect(abs(filter.covariance[i, j] - before[i, j] * factors[i] * factors[j]) < 1e-12)
            }
        }
        // Gauss-Markov states keep their stationary variance.
        for (axis, standardDeviation) in [2.0, 3, 4].enumerated() {
            let (index, factor) = (ErrorState.gnssError + axis, factors[ErrorState.gnssError + axis])
            let expected =
                before[index, index] * factor * factor + (1 - factor * factor) * standardDeviation * standardDeviation
            #expect(abs(filter.covariance[index, index] - expected) < 1e-12)
        }
        let walk = settings.inertial.gyroBiasWalk
        for i in ErrorState.gyroBias..<(ErrorState.gyroBias + 3) {
            #expect(abs(filter.covariance[i, i] - before[i, i] - walk * walk * span) < 1e-15)
        }
        let direction = start.state.walkingDirection * factors[ErrorState.walkingDirection]
        #expect(abs(filter.state.walkingDirection - direction) < 1e-12)
        let offset = start.state.gnssError * factors[ErrorState.gnssError]
        #expect((filter.state.gnssError - offset).norm < 1e-12)
    }

    @Test("the covariance stays symmetric to the last bit")
    func symmetry() {
        var random = Seeded(8)
        var filter = Fixture.filter(&random)
        for k in 1...400 {
            filter.propagate(
                to: InertialSample(
                    time: Fixture.time(0.005 * Double(k)), rate: random.vector(1),
                    force: Vector3(0, 0, 9.8) + random.vector(2)))
            guard k % 20 == 0 else { continue }
            let model = filter.gravityModel()
            var noise = Matrix<2, 2>()
            (noise[0, 0], noise[1, 1]) = (0.1, 0.1)
            filter.apply(
                Update(
                    innovation: model.innovation, jacobian: model.jacobian, noise: noise,
                    mask: GainMask.all.subtracting(.yaw), gate: nil, cause: .rest))
        }
        filter.rotateYaw(by: 1)
        for i in 0..<ErrorState.count {
            for j in 0..<i { #expect(filter.covariance[i, j] == filter.covariance[j, i], "\(i), \(j)") }
        }
    }
}
