import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Measurement models")
struct UpdateJacobianTests {
    /// The derivative of a prediction by every error, by central differences.
    private func check<let Rows: Int>(
        _ filter: ErrorStateKalmanFilter, _ jacobian: Jacobian<Rows>, tolerance: Double,
        _ predict: (ErrorStateKalmanFilter) -> [Double]
    ) {
        for index in 0..<ErrorState.count {
            let size = 1e-6
            var plus = filter
            plus.state.inject(Fixture.error(index, size))
            var minus = filter
            minus.state.inject(Fixture.error(index, -size))
            let (a, b) = (predict(plus), predict(minus))
            for row in 0..<Rows {
                let numeric = (a[row] - b[row]) / (2 * size)
                #expect(abs(numeric - jacobian[row, index]) < tolerance, "row \(row), state \(index)")
            }
        }
    }

    @Test("the position of the antenna", arguments: UInt64(1)...20)
    func position(seed: UInt64) {
        var random = Seeded(seed)
        let antenna = Vector3(0.1, -0.2, 0.3)
        let filter = Fixture.filter(&random)
        check(filter, filter.positionModel(antennaInBody: antenna).jacobian, tolerance: 1e-7) {
            let p = $0.positionModel(antennaInBody: antenna).prediction
            return [p.x, p.y, p.z]
        }
    }

    @Test("the velocity of the antenna", arguments: UInt64(1)...20)
    func velocity(seed: UInt64) {
        var random = Seeded(seed)
        let antenna = Vector3(0.1, -0.2, 0.3)
        let filter = Fixture.filter(&random)
        check(filter, filter.velocityModel(antennaInBody: antenna).jacobian, tolerance: 1e-7) {
            let v = $0.velocityModel(antennaInBody: antenna).prediction
            return [v.x, v.y, v.z]
        }
    }

    @Test("the direction of gravity", arguments: UInt64(1)...20)
    func gravity(seed: UInt64) {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        // The innovation is measurement less prediction: its derivative is the negative.
        check(filter, filter.gravityModel().jacobian, tolerance: 1e-7) {
            let r = $0.gravityModel().innovation
            return [-r[0, 0], -r[1, 0]]
        }
    }

    @Test("the mean force over whole steps", arguments: UInt64(1)...20)
    func meanForce(seed: UInt64) {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        let measured = forceOfGravity(filter)
        check(filter, filter.meanForceModel(gravity(filter), rateAboutUp: 0).jacobian, tolerance: 1e-7) {
            let force = $0.state.rotationENUFromBody * (measured - $0.state.accelerometerBias)
            let r = $0.meanForceModel(force, rateAboutUp: 0).innovation
            return [-r[0, 0], -r[1, 0]]
        }
    }

    @Test("the mean force of a walk in a curve is no tilt", arguments: UInt64(1)...20)
    func meanForceOfCurve(seed: UInt64) {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        let rate = random.gaussian()
        let inwards = Vector3(0, 0, rate).cross(filter.state.velocity)
        let r = filter.meanForceModel(gravity(filter) + inwards, rateAboutUp: rate).innovation
        #expect(abs(r[0, 0]) < 1e-12 && abs(r[1, 0]) < 1e-12)
    }

    /// Frame: ENU. Unit: m/s².
    private func gravity(_ filter: ErrorStateKalmanFilter) -> Vector3 {
        Vector3(0, 0, filter.site?.gravity ?? Site.standardGravity)
    }

    /// What the accelerometer reads of a body that does not accelerate. Frame: body. Unit: m/s².
    private func forceOfGravity(_ filter: ErrorStateKalmanFilter) -> Vector3 {
        filter.state.rotationENUFromBody.inverse * gravity(filter) + filter.state.accelerometerBias
    }

    @Test("the azimuth of the magnetic field", arguments: UInt64(1)...20)
    func azimuth(seed: UInt64) {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        let measured = field(filter)
        check(filter, filter.magneticYawModel(measured).jacobian, tolerance: 1e-6) {
            [-$0.magneticYawModel(measured).innovation]
        }
    }

    @Test("the strength of the magnetic field", arguments: UInt64(1)...20)
    func strength(seed: UInt64) {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        let measured = field(filter)
        check(filter, filter.magneticStrengthModel(measured, Fixture.field).jacobian, tolerance: 1e-5) {
            let r = $0.magneticStrengthModel(measured, Fixture.field).innovation
            return [-r[0, 0], -r[1, 0]]
        }
    }

    @Test("no velocity across the direction of a vehicle", arguments: UInt64(1)...20)
    func course(seed: UInt64) {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        let azimuth = random.gaussian()
        let along = Vector3(sin(azimuth), cos(azimuth), 0)
        check(filter, filter.courseModel(azimuth: azimuth).jacobian, tolerance: 1e-6) {
            // The direction was found through the attitude: it turns with it.
            let turned = $0.state.rotationENUFromBody * filter.state.rotationENUFromBody.inverse * along
            return [-$0.courseModel(azimuth: atan2(turned.x, turned.y)).innovation]
        }
    }

    @Test("of the magnetic field do not change with its noise, which would be correlated with the innovation")
    func noiseless() {
        var random = Seeded(3)
        let filter = Fixture.filter(&random)
        let quiet = field(filter)
        let noisy = quiet + random.vector(2)
        let models = [quiet, noisy].map { filter.magneticYawModel($0) }
        #expect(models[0].innovation != models[1].innovation)
        for k in 0..<ErrorState.count { #expect(models[0].jacobian[0, k] == models[1].jacobian[0, k]) }
        let strengths = [quiet, noisy].map { filter.magneticStrengthModel($0, Fixture.field).jacobian }
        // The sum of the measured vertical field and its innovation is the model's, but for rounding.
        for k in 0..<ErrorState.count {
            for row in 0..<2 { #expect((strengths[0][row, k] - strengths[1][row, k]).magnitude < 1e-12) }
        }
    }

    /// In body axes as the filter predicts it: where the Jacobians are taken.
    private func field(_ filter: ErrorStateKalmanFilter) -> Vector3 {
        let turned = Rotation3.aboutZ(-filter.state.magneticOffset) * (Fixture.field.fluxDensityENU / 1000)
        return filter.state.rotationENUFromBody.inverse * turned + filter.state.hardIron
    }
}

@Suite("Corrections")
struct CorrectionTests {
    @Test("reduce the covariance as the dense Joseph form does, with any gain", arguments: UInt64(1)...10)
    func joseph(seed: UInt64) throws {
        var random = Seeded(seed)
        var filter = Fixture.filter(&random)
        filter.covariance = Fixture.covariance(&random)
        let before = filter.covariance
        var h = Jacobian<2>()
        for j in 0..<ErrorState.count {
            h[0, j] = random.gaussian()
            h[1, j] = random.gaussian()
        }
        var noise = Matrix<2, 2>()
        noise[0, 0] = 0.3
        noise[1, 1] = 0.7
        var r = Matrix<2, 1>()
        r[0, 0] = 1e-9
        let mask: GainMask = [.position, .gyroBias]
        filter.apply(Update(innovation: r, jacobian: h, noise: noise, mask: mask, gate: nil, cause: .rest))

        let cross = before * h.transpose
        let factor = try #require(Cholesky(h * cross + noise))
        var gain = factor.solve(cross.transpose).transpose
        for i in 0..<ErrorState.count where !mask.allows(i) {
            gain[i, 0] = 0
            gain[i, 1] = 0
        }
        let rest = Covariance.diagonalOnes - gain * h
        let expected = rest * before * rest.transpose + gain * noise * gain.transpose
        for i in 0..<ErrorState.count {
            for j in 0..<ErrorState.count {
                #expect(abs(filter.covariance[i, j] - expected[i, j]) < 1e-10)
                #expect(filter.covariance[i, j] == filter.covariance[j, i])
            }
        }
    }

    @Test("leave states outside the mask as they were")
    func mask() {
        var random = Seeded(5)
        var filter = Fixture.filter(&random)
        for i in 0..<ErrorState.count {
            for j in 0..<ErrorState.count { filter.covariance[i, j] = i == j ? 2 : 1 }
        }
        let before = filter.state
        var h = Jacobian<1>()
        h[0, ErrorState.yaw] = 1
        var r = Matrix<1, 1>()
        r[0, 0] = 0.1
        var noise = Matrix<1, 1>()
        noise[0, 0] = 1
        filter.apply(Update(innovation: r, jacobian: h, noise: noise, mask: .yaw, gate: nil, cause: .rest))
        let change = Fixture.difference(filter.state, before)
        #expect(abs(change[ErrorState.yaw] - 0.1 * 2 / 3) < 1e-9)
        for i in 0..<ErrorState.count where i != ErrorState.yaw { #expect(abs(change[i]) < 1e-12) }
    }

    @Test("a hard gate leaves an outlier out, a soft one bounds its influence")
    func gates() {
        let hard = InnovationGate(limit: 3, rule: .reject)
        let soft = InnovationGate(limit: 3, rule: .soften)
        #expect(hard.enlargement(normalizedInnovationSquared: 8.9, dimensions: 1) == 1)
        #expect(hard.enlargement(normalizedInnovationSquared: 9.1, dimensions: 1) == nil)
        #expect(soft.enlargement(normalizedInnovationSquared: 8.9, dimensions: 1) == 1)
        #expect(soft.enlargement(normalizedInnovationSquared: 900, dimensions: 1) == 10)
        #expect(soft.enlargement(normalizedInnovationSquared: 2700, dimensions: 3) == 10)
    }

    @Test("the block propagation is the dense F·P·Fᵀ of its own transition", arguments: UInt64(1)...6)
    func dense(seed: UInt64) {
        var random = Seeded(seed)
        var filter = Fixture.filter(&random)
        let before = Fixture.covariance(&random)
        func propagated(_ p: Covariance) -> Covariance {
            var copy = filter
            copy.covariance = p
            copy.propagate(
                to: InertialSample(
                    time: Fixture.time(0.005), rate: copy.inertial.rate, force: copy.inertial.force))
            copy.propagateCovariance()
            return copy.covariance
        }
        filter.gnss.errorStandardDeviation = Vector3(2, 2, 4)
        let noise = propagated(Covariance())
        var transition = Covariance()
        for j in 0..<ErrorState.count {
            var unit = Covariance()
            unit[j, j] = 1
            let column = propagated(unit) - noise
            for i in 0..<ErrorState.count { transition[i, j] = column[i, j] / column[j, j].squareRoot() }
        }
        let expected = transition * before * transition.transpose + noise
        let result = propagated(before)
        for i in 0..<ErrorState.count {
            for j in 0..<ErrorState.count { #expect(abs(result[i, j] - expected[i, j]) < 1e-9) }
        }
    }
}
