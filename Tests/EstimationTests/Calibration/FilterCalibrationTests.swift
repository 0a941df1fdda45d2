import Estimation
import EstimatorFixtures
import Geometry
import Model
import Testing

@Suite("What a filter has learned of a sensor, under another calibration")
struct FilterCalibrationTests {
    private static let seeds = UInt64(1)...20

    /// A change without information on the bias: the same estimates in other coordinates.
    private func silent(
        _ sensor: SensorCalibration.Sensor, _ random: inout Seeded
    ) -> CorrectionChange {
        var matrix = Matrix<3, 3>.identity
        for i in 0..<3 {
            for j in 0..<3 { matrix[i, j] += 0.02 * random.gaussian() }
        }
        return CorrectionChange(
            sensor: sensor, matrix: matrix, offset: random.vector(0.05), residual: 1e8 * .identity)
    }

    @Test("the axes of the body may be others before a step or after it", arguments: seeds)
    func mount(seed: UInt64) {
        var random = Seeded(seed)
        // The scale of an axis says nothing of another axis, and is reset.
        var settings = EstimatorSettings()
        settings.initial.gyroScaleStandardDeviation = 0
        settings.inertial.gyroScaleWalk = 0
        var filter = Fixture.filter(&random, settings: settings)
        filter.covariance = Fixture.covariance(&random)
        filter.state.gyroScale = .zero
        filter.resetCovariance(ErrorState.gyroScale, count: 3, variance: 0)
        let turn = random.rotation()
        let change = CorrectionChange(sensor: .mount, matrix: turn.matrix)
        var (first, then) = (filter, filter)
        first.follow(change, filter.settings)
        for k in 1...30 {
            let sample = InertialSample(
                time: Fixture.time(0.01 * Double(k)), rate: random.vector(1), force: random.vector(10))
            first.propagate(to: change.applied(to: sample))
            then.propagate(to: sample)
        }
        first.propagateCovariance()
        then.propagateCovariance()
        then.follow(change, filter.settings)
        for difference in Fixture.difference(first.state, then.state) { #expect(difference.magnitude < 1e-9) }
        for i in 0..<ErrorState.count {
            for j in 0..<ErrorState.count {
                // The walking direction is reset; its variance has had another time to grow.
                guard i != ErrorState.walkingDirection, j != ErrorState.walkingDirection else { continue }
                #expect((first.covariance[i, j] - then.covariance[i, j]).magnitude < 1e-7)
            }
        }
    }

    @Test("a body that does not turn still has no rate", arguments: seeds)
    func gyroscope(seed: UInt64) {
        var random = Seeded(seed)
        var filter = Fixture.filter(&random)
        let change = silent(.gyroscope, &random)
        let before = filter.state
        filter.follow(change, filter.settings)
        #expect((change.applied(to: before.gyroBias) - filter.state.gyroBias).norm < 1e-6)
        // Nothing else knows of it: the calibration had nothing to say.
        #expect((filter.state.rotationENUFromBody * before.rotationENUFromBody.inverse).log.norm < 1e-6)
    }

    @Test("another scale or other axes of the gyroscope reset what was learned of its scale, another bias does not")
    func gyroscopeScale() {
        var random = Seeded(3)
        var filter = Fixture.filter(&random)
        filter.resetCovariance(ErrorState.gyroScale, count: 3, variance: 1e-6)
        let learned = filter.state.gyroScale
        let bias = CorrectionChange(
            sensor: .gyroscope, matrix: .identity, offset: random.vector(0.01), residual: 1e-6 * .identity)
        filter.follow(bias, filter.settings)
        #expect((filter.state.gyroScale - learned).norm < 1e-9)
        for change in [
            CorrectionChange(sensor: .gyroscope, matrix: 1.02 * .identity, residual: 1e-6 * .identity),
            CorrectionChange(sensor: .mount, matrix: random.rotation().matrix),
        ] {
            var changed = filter
            changed.follow(change, filter.settings)
            #expect(changed.state.gyroScale == .zero)
            #expect(changed.standardDeviation(ErrorState.gyroScale) > 0.009)
        }
    }

    @Test("a body at rest still measures gravity", arguments: seeds)
    func accelerometer(seed: UInt64) throws {
        var random = Seeded(seed)
        var filter = Fixture.filter(&random)
        let change = silent(.accelerometer, &random)
        let before = filter.state
        let gravity = try #require(filter.site).gravity
        let up = before.rotationENUFromBody.inverse * Vector3(0, 0, gravity)
        filter.follow(change, filter.settings)
        let force = change.applied(to: up + before.accelerometerBias) - filter.state.accelerometerBias
        #expect((force - up).norm < 1e-6)
    }

    @Test("a calibration that contradicts is right, and the tilt that came from the bias follows it")
    func contradiction() {
        var random = Seeded(7)
        var filter = Fixture.filter(&random)
        filter.state.rotationENUFromBody = .identity
        filter.state.accelerometerBias = .zero
        let (tilt, bias) = (ErrorState.attitude + 1, ErrorState.accelerometerBias)
        // Levelled with an accelerometer that was thought to be good to 0.05 m/s²: the tilt is as good as that.
        filter.covariance = 1e-6 * .diagonalOnes
        let variance = 0.05 * 0.05
        filter.setVariance(of: bias, count: 3, standardDeviation: 0.05)
        filter.covariance[tilt, tilt] = variance / (9.8 * 9.8) + 1e-8
        filter.covariance[tilt, bias] = variance / 9.8
        filter.covariance[bias, tilt] = variance / 9.8
        // A bias of 0.5 m/s² is found along x.
        let change = CorrectionChange(
            sensor: .accelerometer, matrix: .identity, offset: Vector3(-0.5, 0, 0), residual: 1e-4 * .identity)
        filter.follow(change, filter.settings)
        #expect(filter.state.accelerometerBias.norm < 1e-12)
        #expect((filter.covariance[bias, bias] - 1e-4).magnitude < 1e-12)
        #expect((filter.state.rotationENUFromBody.log.norm - 0.5 / 9.8).magnitude < 1e-3)
    }

    @Test("keeps the covariance symmetric and positive", arguments: seeds, SensorCalibration.Sensor.allCases)
    func covariance(seed: UInt64, sensor: SensorCalibration.Sensor) {
        var random = Seeded(seed)
        var filter = Fixture.filter(&random)
        filter.covariance = Fixture.covariance(&random) + 1e-6 * .diagonalOnes
        let turn = random.rotation().matrix
        let change = CorrectionChange(
            sensor: sensor, matrix: turn, offset: sensor == .mount ? .zero : random.vector(0.3),
            residual: 1e-4 * .identity)
        filter.follow(change, filter.settings)
        #expect(Cholesky(filter.covariance) != nil)
        for i in 0..<ErrorState.count {
            for j in 0..<i { #expect(filter.covariance[i, j] == filter.covariance[j, i]) }
        }
    }

    @Test("a filter that begins under a calibration expects of the bias what calibration and warmth leave")
    func coldStart() throws {
        var odometry = Walk.odometry()
        let known = [
            SensorCalibration(
                time: Fixture.start, sensor: .gyroscope, biasStandardDeviation: Vector3(1e-4, 1e-4, 1e-4)),
            SensorCalibration(
                time: Fixture.start, sensor: .accelerometer, biasStandardDeviation: Vector3(2e-3, 2e-3, 2e-3)),
        ]
        for calibration in known { odometry.feed(.calibration(calibration)) { _ in } }
        for measurement in Walk(seconds: 0.02).measurements() { odometry.feed(measurement) { _ in } }
        let begun = odometry.filter
        let filter = try #require(begun)
        // Floor and change of a warm start of any age: 0.05 °/s and 0.1 °/s, 0.01 and 0.015 m/s².
        #expect((filter.standardDeviation(ErrorState.gyroBias) - 1.954e-3).magnitude < 1e-5)
        #expect((filter.standardDeviation(ErrorState.accelerometerBias) - 0.01803).magnitude < 1e-4)
        #expect(
            filter.settings.magneticCalibration.hardIronStandardDeviation
                == EstimatorSettings().magneticCalibration.hardIronStandardDeviation)
    }

    @Test("what was learned under the active calibrations is taken over, what was learned before them is not")
    func warmStart() {
        let calibration = SensorCalibration(
            time: Fixture.start, sensor: .gyroscope, bias: Vector3(0.01, 0, 0))
        var known = WarmStart()
        known.gyroBias = .init(value: Vector3(0, 1e-3, 0), standardDeviation: Vector3(1e-4, 1e-4, 1e-4))
        known.accelerometerBias = .init(value: Vector3(0, 0, 0.02), standardDeviation: Vector3(0.01, 0.01, 0.01))
        for isFirst in [true, false] {
            var odometry = Walk.odometry()
            if isFirst { odometry.feed(.calibration(calibration)) { _ in } }
            odometry.prepare(known)
            if !isFirst { odometry.feed(.calibration(calibration)) { _ in } }
            for measurement in Walk(seconds: 0.02).measurements() { odometry.feed(measurement) { _ in } }
            let report = odometry.warmStartReport
            #expect(report?.used == (isFirst ? [.gyroBias, .accelerometerBias] : .accelerometerBias))
        }
    }
}
