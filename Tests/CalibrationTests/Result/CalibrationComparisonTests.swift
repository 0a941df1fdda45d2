import Calibration
import Geometry
import Model
import Simulation
import Testing

@Suite("A new calibration against the active one")
struct CalibrationComparisonTests {
    /// Errors in degrees.
    private func result(
        _ residual: Double?, before: Double?, heading: Double? = nil, tilt: Double? = nil
    ) -> CalibrationResult {
        var result = CalibrationResult(kind: .magnetometer, verdict: .accepted("fine"), residualUnit: "µT")
        (result.residualRMS, result.residualRMSBefore) = (residual, before)
        result.predictedHeadingError = heading.map { $0 * .pi / 180 }
        result.predictedTiltError = tilt.map { $0 * .pi / 180 }
        return result
    }

    private func present(
        _ residual: Double?, heading: Double? = nil, tilt: Double? = nil
    ) -> CalibrationComparison.Present {
        CalibrationComparison.Present(
            residualRMS: residual, predictedHeadingError: heading.map { $0 * .pi / 180 },
            predictedTiltError: tilt.map { $0 * .pi / 180 })
    }

    private func objection(_ result: CalibrationResult, _ present: CalibrationComparison.Present?) -> String? {
        CalibrationComparison.objection(to: result, present: present)
    }

    @Test("without an active one there is nothing to be worse than")
    func first() { #expect(objection(result(9, before: 1, heading: 9), nil) == nil) }

    @Test("one of few directions does not replace one of many that is still valid")
    func fewDirections() throws {
        // On its own samples it leaves less, as it always does.
        let poor = result(0.3, before: 0.5, heading: 1.1)
        let text = try #require(objection(poor, present(0.4, heading: 0.3)))
        #expect(
            text == "its predicted error is 1.1° in the heading, that of the active calibration 0.3°, "
                + "and that one is still valid")
    }

    @Test("it does where the other one has become wrong")
    func wrong() {
        #expect(objection(result(0.3, before: 5, heading: 1.1), present(0.4, heading: 0.3)) == nil)
    }

    @Test("a fit that leaves nothing, for want of poses, does not make a good one look wrong")
    func nothingLeft() {
        var exact = CalibrationResult(kind: .accelerometer, verdict: .accepted("fine"), residualUnit: "m/s²")
        (exact.residualRMS, exact.residualRMSBefore) = (1e-9, 0.003)
        exact.predictedTiltError = 0.05 * .pi / 180
        exact.predictedHeadingError = 0.001 * .pi / 180
        // 0.01° of gravity are 0.0017 m/s².
        let good = present(1e-9, heading: 1, tilt: 0.01)
        #expect(objection(exact, good)?.contains("in the tilt") == true)
        exact.residualRMSBefore = 0.004
        #expect(objection(exact, good) == nil)
    }

    @Test("of two that are about as good the newer one counts")
    func equal() {
        #expect(objection(result(0.4, before: 0.45, heading: 0.35), present(0.4, heading: 0.3)) == nil)
        #expect(objection(result(0.4, before: 0.4, heading: 0.2), present(0.4, heading: 0.3)) == nil)
    }

    @Test("one with which a session ends by itself is kept, unless it is much worse")
    func good() {
        var accel = CalibrationResult(kind: .accelerometer, verdict: .accepted("fine"), residualUnit: "m/s²")
        (accel.residualRMS, accel.residualRMSBefore) = (0.004, 0.006)
        accel.predictedTiltError = 0.14 * .pi / 180
        #expect(objection(accel, present(0.004, tilt: 0.05)) == nil)
        #expect(objection(accel, present(0.004, tilt: 0.03)) != nil)
        accel.predictedTiltError = 0.2 * .pi / 180
        #expect(objection(accel, present(0.004, tilt: 0.05)) != nil)
        #expect(objection(result(0.3, before: 0.4, heading: 0.28), present(0.3, heading: 0.1)) == nil)
        #expect(objection(result(0.3, before: 0.4, heading: 0.4), present(0.3, heading: 0.2)) != nil)
    }

    @Test("calibrated anew and anew, each time until the session ends by itself, a board takes nearly every one")
    func again() throws {
        var present: CalibrationResult?
        var refused = 0
        for seed in 1...30 as ClosedRange<UInt64> {
            var board = Handled.board(poses: 24, seed: seed, rate: 25)
            board.errors = .typical(seed: 5)
            var settings = CalibrationSettings()
            settings.present = (present?.fits ?? []).map {
                SensorCalibration(
                    time: BootTime(nanoseconds: 0), sensor: $0.sensor, correction: $0.correction, bias: $0.bias)
            }
            var session = AccelerometerSession(settings: settings)
            for measurement in board.measurements() where !session.isComplete { session.feed(measurement) }
            let result = session.result()
            try #require(result.verdict.isAccepted)
            let old = present.map {
                CalibrationComparison.Present(
                    residualRMS: $0.residualRMS, predictedHeadingError: $0.predictedHeadingError,
                    predictedTiltError: $0.predictedTiltError)
            }
            if objection(result, old) == nil { present = result } else { refused += 1 }
        }
        // Some turn out so well that most others are much worse.
        #expect(refused <= 3)
    }

    @Test("a bias that has gone away is found in a short rest, however noisy its parts")
    func bias() {
        var gyro = CalibrationResult(kind: .gyroscope, verdict: .accepted("still"), residualUnit: "rad/s")
        // 0.005 °/s/√Hz over half seconds and 10 s, against a rest of a minute.
        gyro.residualRMS = 1.2e-4
        gyro.predictedHeadingError = 0.1 * .pi / 180
        let old = present(1.2e-4, heading: 0.055)
        gyro.residualRMSBefore = 1.25e-4
        #expect(objection(gyro, old)?.contains("still valid") == true)
        gyro.residualRMSBefore = 1.7e-4
        #expect(objection(gyro, old) == nil)
    }

    @Test("the tilt counts where no heading is predicted")
    func tilt() {
        #expect(objection(result(0.001, before: 0.001, tilt: 0.5), present(0.001, tilt: 0.1)) != nil)
        #expect(objection(result(0.001, before: 0.2, tilt: 0.5), present(0.001, tilt: 0.1)) == nil)
    }

    @Test("one that explains its own samples worse than the present one is worse, unless it predicts less")
    func residual() throws {
        let text = try #require(objection(result(0.5, before: 0.4), present(nil)))
        #expect(text == "over these samples its residual is 0.5 µT, that of the active calibration 0.4 µT")
        #expect(objection(result(0.41, before: 0.4), present(nil)) == nil)
        #expect(objection(result(0.5, before: 0.4, heading: 0.1), present(0.3, heading: 0.3)) == nil)
    }

    @Test("where nothing can be compared the newer one counts")
    func unknown() {
        #expect(objection(result(nil, before: nil), present(nil)) == nil)
        #expect(objection(result(1, before: nil, heading: 1), present(1)) == nil)
    }

    private static let scale = Matrix(Vector3(1.01, 0, 0), Vector3(0, 0.99, 0), Vector3(0, 0, 1))

    private func gyroscope(_ bias: Vector3, _ biasStandardDeviation: Double, _ correctionStandardDeviation: Double)
        -> SensorFit
    {
        var standardDeviation = Matrix<3, 3>()
        for i in 0..<3 { standardDeviation[i, i] = correctionStandardDeviation }
        return SensorFit(
            sensor: .gyroscope, correction: Self.scale, bias: bias, correctionStandardDeviation: standardDeviation,
            biasStandardDeviation: Vector3(biasStandardDeviation, biasStandardDeviation, biasStandardDeviation))
    }

    @Test("a bias alone keeps the active scale and skew, and their uncertainties")
    func completed() {
        var gyro = CalibrationResult(kind: .gyroscope, verdict: .accepted("still"), residualUnit: "rad/s")
        gyro.fits = [SensorFit(sensor: .gyroscope, bias: Vector3(1, 2, 3))]
        let known = gyroscope(Vector3(7, 7, 7), 1, 0.01)
        let done = gyro.completed(with: [SensorFit(sensor: .accelerometer), known])
        #expect(done.fits[0].correction == Self.scale && done.fits[0].bias == Vector3(1, 2, 3))
        #expect(done.fits[0].correctionStandardDeviation == known.correctionStandardDeviation)
        #expect(gyro.completed(with: []) == gyro)
    }

    @Test("poses in a hand keep the bias of a rest, unless it has gone away")
    func besides() {
        let rest = gyroscope(Vector3(0.01, 0, 0), 1e-5, 0)
        var accel = CalibrationResult(kind: .accelerometer, verdict: .accepted("fine"), residualUnit: "m/s²")
        let moves = gyroscope(Vector3(0.0105, 0, 0), 5e-4, 0.002)
        accel.fits = [SensorFit(sensor: .accelerometer), moves]
        let done = accel.completed(with: [rest])
        #expect(done.fits[1].bias == rest.bias && done.fits[1].biasStandardDeviation == rest.biasStandardDeviation)
        // A correction of unknown uncertainty is not kept.
        #expect(done.fits[1].correctionStandardDeviation == moves.correctionStandardDeviation)
        #expect(done.fits[0] == accel.fits[0])
        accel.fits[1].bias = Vector3(0.02, 0, 0)
        #expect(accel.completed(with: [rest]) == accel)
    }

    @Test("a few moves do not replace the scale that many have determined")
    func fewMoves() {
        var accel = CalibrationResult(kind: .accelerometer, verdict: .accepted("fine"), residualUnit: "m/s²")
        var few = gyroscope(.zero, 1e-4, 0.01)
        few.correction[0, 1] = 0.01
        accel.fits = [few]
        let many = gyroscope(.zero, 1e-4, 0.001)
        #expect(accel.completed(with: [many]).fits[0].correction == Self.scale)
        accel.fits[0].correction[0, 1] = 0.1
        #expect(accel.completed(with: [many]) == accel)
    }
}
