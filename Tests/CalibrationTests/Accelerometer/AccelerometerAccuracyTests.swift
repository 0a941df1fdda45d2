import BoardHandling
import Calibration
import Geometry
import Model
import Simulation
import Testing

@Suite("Accelerometer and gyroscope from poses and moves")
struct AccelerometerAccuracyTests {
    @Test(
        "errors are what was predicted, over 100 boards, on a table and in a hand",
        arguments: [(0.0, 12), (0.002, 10), (0.004, 16)])
    func predictedErrors(tremor: Double, poses: Int) throws {
        var (tilt, heading) = ((true: 0.0, predicted: 0.0), (true: 0.0, predicted: 0.0))
        var fitted = 0
        for seed in 1...100 as ClosedRange<UInt64> {
            let board = Handled.board(poses: poses, seed: seed, tremor: tremor, rate: 25)
            let result = Handled.calibrated(board.measurements())
            let fit = try #require(result.fits.first)
            let left = Handled.tiltError(fit, board.errors.accelerometer, gravity: board.site.gravity)
            let predicted = try #require(result.predictedTiltError)
            tilt = (tilt.true + left * left, tilt.predicted + predicted * predicted)
            guard let gyroscope = result.fits.dropFirst().first, let turn = result.predictedHeadingError else {
                continue
            }
            let turned = Handled.headingError(gyroscope, board.errors.gyroscope)
            heading = (heading.true + turned * turned, heading.predicted + turn * turn)
            fitted += 1
        }
        #expect(abs((tilt.predicted / tilt.true).squareRoot() - 1) < 0.3)
        #expect(fitted >= 95)
        #expect(abs((heading.predicted / heading.true).squareRoot() - 1) < 0.3)
        // As good as a wearable needs it.
        #expect((tilt.true / 100).squareRoot() < 0.15 * .pi / 180)
    }

    @Test("six poses do, and the angles between the axes are then as uncertain as the prior")
    func six() throws {
        let board = Handled.board(
            .poses(
                [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)].map(Vector3.init),
                holdSeconds: 2, moveSeconds: 1.5), seed: 4)
        let result = Handled.calibrated(board.measurements())
        #expect(result.verdict.isAccepted)
        #expect(result.verdict.reason.contains("More poses"))
        let predicted = try #require(result.predictedTiltError)
        #expect(predicted > 0.3 * .pi / 180 && predicted < 1 * .pi / 180)
        let fit = try #require(result.fits.first)
        #expect(Handled.tiltError(fit, board.errors.accelerometer, gravity: 9.80665) < 2 * predicted)
    }

    @Test("counts about 32768 come to the same as m/s² and rad/s, also with an axis of the gyroscope turned round")
    func counts() throws {
        let board = Handled.board(poses: 16, seed: 3, rate: 100)
        let samples = board.measurements()
        let standard = Handled.calibrated(samples)
        let offset = Vector3(32768, 33000, -200)
        let counts = Handled.calibrated(
            Handled.changed(
                samples, force: { 417 * $0.force + offset },
                rate: { Vector3(-4778 * $0.rate.y, 4778 * $0.rate.x, -4778 * $0.rate.z) + offset }),
            CalibrationSettings(unit: .arbitrary))
        #expect(counts.verdict.isAccepted)
        let (first, second) = (try #require(standard.fits.first), try #require(counts.fits.first))
        #expect((417 * first.bias + offset - second.bias).norm < 417 * 0.01)
        for row in 0..<3 {
            for column in 0..<3 {
                #expect(abs(417 * second.correction[row, column] - first.correction[row, column]) < 1e-3)
            }
        }
        let turns = try #require(counts.fits.dropFirst().first)
        let expected = try #require(standard.fits.dropFirst().first)
        #expect(abs(-4778 * turns.correction[1, 0] - expected.correction[1, 1]) < 0.01)
        #expect(abs(4778 * turns.correction[0, 1] - expected.correction[0, 0]) < 0.01)
    }

    @Test("any rate from 10 to 1000 Hz does", arguments: [10, 25, 1000])
    func rates(rate: Int) throws {
        let result = Handled.calibrated(Handled.board(poses: 12, seed: 6, tremor: 0.001, rate: rate).measurements())
        #expect(result.verdict.isAccepted)
        #expect(try #require(result.poses) >= 11)
        #expect(try #require(result.predictedTiltError) < 0.2 * .pi / 180)
    }

    @Test("a recording may begin in motion, and have gaps")
    func broken() throws {
        let handling = Handling.nodding(angle: 0.6, seconds: 6) + .poses(count: 14, holdSeconds: 2.5, moveSeconds: 1.5)
        let board = Handled.board(handling, seed: 8, tremor: 0.001)
        let samples = Handled.changed(
            board.measurements(), force: { (20.0...27).contains($0.time.seconds) ? nil : $0.force },
            rate: { (30.0...31).contains($0.time.seconds) ? nil : $0.rate })
        let result = Handled.calibrated(samples)
        #expect(result.verdict.isAccepted)
        let fit = try #require(result.fits.first)
        #expect(Handled.tiltError(fit, board.errors.accelerometer, gravity: 9.80665) < 0.2 * .pi / 180)
    }

    @Test("a converter so coarse that at rest it shows no noise does too")
    func coarse() throws {
        var board = Handled.board(poses: 16, seed: 9, tremor: 0, rate: 50)
        board.errors.accelerometer.noiseDensity = 0.002
        board.errors.accelerometer.quantum = 0.04
        let result = Handled.calibrated(board.measurements())
        #expect(result.verdict.isAccepted)
        let fit = try #require(result.fits.first)
        // A step of 0.04 m/s² leaves 0.012 in each mean.
        #expect(Handled.tiltError(fit, board.errors.accelerometer, gravity: 9.80665) < 0.15 * .pi / 180)
    }

    @Test("a pose in which the board was pushed is left out")
    func outlier() throws {
        let board = Handled.board(poses: 16, seed: 2)
        let pushed = Handled.changed(
            board.measurements(), force: { (22.0...25.5).contains($0.time.seconds) ? 1.02 * $0.force : $0.force })
        let result = Handled.calibrated(pushed)
        #expect(try #require(result.poses) < 16)
        let fit = try #require(result.fits.first)
        #expect(Handled.tiltError(fit, board.errors.accelerometer, gravity: 9.80665) < 0.2 * .pi / 180)
    }

    @Test("the residual before is that of the active calibration")
    func before() throws {
        let board = Handled.board(poses: 12, seed: 5)
        let samples = board.measurements()
        let raw = Handled.calibrated(samples)
        let first = try #require(raw.fits.first)
        #expect(try #require(raw.residualRMSBefore) > 5 * (try #require(raw.residualRMS)))
        let present = SensorCalibration(
            time: BootTime(nanoseconds: 0), sensor: .accelerometer, correction: first.correction, bias: first.bias)
        let again = Handled.calibrated(samples, CalibrationSettings(present: [present]))
        #expect(abs(try #require(again.residualRMSBefore) - (try #require(raw.residualRMS))) < 1e-6)
    }
}
