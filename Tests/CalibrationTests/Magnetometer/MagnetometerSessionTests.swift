import BoardHandling
import Calibration
import Geometry
import Model
import Simulation
import Testing

@Suite("a magnetometer's calibration")
struct MagnetometerSessionTests {
    private func board(_ seed: UInt64 = 1, seconds: Double = 30) -> TurnedBoard {
        TurnedBoard(tilt: TurnedBoard.everywhere, seed: seed, seconds: seconds, rate: 50)
    }

    @Test("ends by itself once the sphere is covered, and says so")
    func endsByItself() {
        var session = MagnetometerSession()
        #expect(session.progress.instruction == .waitForSamples)
        var (fraction, wasTurning) = (0.0, false)
        for measurement in board(seconds: 90).board.measurements() where !session.isComplete {
            session.feed(measurement)
            wasTurning = wasTurning || session.progress.instruction == .turnThroughDirections
            fraction = max(fraction, session.progress.fraction)
        }
        #expect(wasTurning)
        #expect(session.isComplete)
        #expect(session.progress.instruction == .done)
        #expect(session.progress.fraction == 1)
        #expect(session.progress.coverage?.fraction ?? 0 >= 0.8)
        #expect(session.result().verdict.isAccepted)
    }

    @Test("the direction that is missing is in a region that was not seen")
    func missing() throws {
        var session = MagnetometerSession()
        for measurement in TurnedBoard(tilt: 30, seed: 2).board.measurements() { session.feed(measurement) }
        let (missing, coverage) = (try #require(session.progress.missing), try #require(session.progress.coverage))
        #expect(!coverage.contains(region: SphereCoverage.region(of: missing)))
        #expect(!session.isComplete)
    }

    @Test("the corrected field is as long as it is known to be, or as it is measured, or 1")
    func strength() throws {
        let board = board()
        func strength(_ settings: CalibrationSettings) throws -> Double {
            let fit = try #require(board.session(settings: settings).result().fits.first)
            let errors = board.board.errors.magnetometer
            return (fit.correction * (errors.matrix * board.board.site.fieldENU + errors.bias - fit.bias)).norm
        }
        #expect((try strength(CalibrationSettings(fieldStrength: 48.4)) - 48.4).magnitude < 0.3)
        #expect((try strength(CalibrationSettings(unit: .arbitrary)) - 1).magnitude < 0.01)
        let fit = try #require(board.session().result().fits.first)
        #expect((fit.correction.determinant - 1).magnitude < 1e-9)
    }

    @Test("residuals fall, and are reported in the unit of the field")
    func residuals() throws {
        let result = board().session(settings: CalibrationSettings(fieldStrength: 48.4)).result()
        let (after, before) = (try #require(result.residualRMS), try #require(result.residualRMSBefore))
        #expect(result.residualUnit == "µT")
        #expect((0.4...0.9).contains(after))
        #expect(before > 5 * after)
        let counts = board().session(settings: CalibrationSettings(unit: .arbitrary)).result()
        #expect(counts.residualUnit == "1")
        #expect(try #require(counts.residualRMS) < 0.02)
    }

    @Test("the accelerometer has to be calibrated first where the axes are aligned to it, and the reason says so")
    func accelerometerFirst() {
        let advice = "waymark calibrate accel"
        let calibrated = CalibrationSettings(
            present: [SensorCalibration(time: BootTime(nanoseconds: 0), sensor: .accelerometer)])
        let (first, later) = (board().session().result(), board().session(settings: calibrated).result())
        #expect(first.verdict.isAccepted && first.verdict.reason.contains(advice))
        #expect(later.verdict.isAccepted && !later.verdict.reason.contains(advice))
        let fieldAlone = board().session(.fieldAlone).result()
        #expect(fieldAlone.verdict.isAccepted && !fieldAlone.verdict.reason.contains(advice))
    }

    @Test("a gyroscope in degrees per second serves where units are free")
    func degreesPerSecond() throws {
        let board = board(4)
        var session = MagnetometerSession(settings: CalibrationSettings(unit: .arbitrary))
        for measurement in board.board.measurements() {
            guard case .angularRate(var sample) = measurement else {
                session.feed(measurement)
                continue
            }
            sample.rate = sample.rate * (180 / Double.pi)
            session.feed(.angularRate(sample))
        }
        let fit = try #require(session.result().fits.first)
        #expect(Angle.degrees(radians: board.headingError(fit)) < 0.5)
    }

    @Test("a magnet that passes is named, and so is when")
    func magnetPasses() {
        for seed in 1...6 as ClosedRange<UInt64> {
            var board = board(seed)
            board.board.magnets = [MagnetPass(nearest: 12, seconds: 3, fieldENU: Vector3(20, -15, 25))]
            for sensors in TurnedBoard.Sensors.allCases {
                #expect(board.session(sensors).result().verdict.refusal == .disturbed)
            }
        }
    }

    @Test("a short disturbance of a long record is left out, and reported")
    func shortDisturbance() throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            var board = board(seed, seconds: 200)
            board.board.magnets = [MagnetPass(nearest: 90, seconds: 2, fieldENU: Vector3(20, -15, 25))]
            let result = board.session(.withForceAndRate).result()
            #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
            #expect(result.verdict.reason.contains("left out because the field was up to"), "\(result.verdict.reason)")
            let fit = try #require(result.fits.first)
            #expect(Angle.degrees(radians: board.headingError(fit)) < 0.5)
            // The same three seconds are a tenth of half a minute.
            board.board = self.board(seed).board
            board.board.magnets = [MagnetPass(nearest: 12, seconds: 2, fieldENU: Vector3(20, -15, 25))]
            #expect(board.session(.withForceAndRate).result().verdict.refusal == .disturbed)
        }
    }

    @Test("single wild samples are left out without a word")
    func wildSamples() throws {
        let board = board(2)
        var (session, count) = (MagnetometerSession(), 0)
        for measurement in board.board.measurements() {
            guard case .magneticField(var sample) = measurement else {
                session.feed(measurement)
                continue
            }
            count += 1
            if count % 200 == 0 { sample.field += Vector3(300, -200, 100) }
            session.feed(.magneticField(sample))
        }
        let result = session.result()
        let fit = try #require(result.fits.first)
        #expect(Angle.degrees(radians: board.headingError(fit)) < 0.5)
    }

    @Test("a sensor that falls silent half-way is named")
    func silent() {
        var session = MagnetometerSession()
        for measurement in board().board.measurements() {
            if case .magneticField(let sample) = measurement, sample.time.seconds > 15 { continue }
            session.feed(measurement)
        }
        #expect(session.progress.instruction == .waitForSamples)
        #expect(session.result().verdict.refusal == .silent)
    }

    private func refusal(_ change: (Vector3) -> Vector3) -> CalibrationVerdict.Refusal? {
        var session = MagnetometerSession()
        for measurement in board().board.measurements() {
            guard case .magneticField(var sample) = measurement else {
                session.feed(measurement)
                continue
            }
            sample.field = change(sample.field)
            session.feed(.magneticField(sample))
        }
        return session.result().verdict.refusal
    }

    @Test("dead, clipped and broken channels are named")
    func channels() {
        #expect(refusal { Vector3($0.x, 12, $0.z) } == .constantChannel)
        #expect(refusal { Vector3(min($0.x, 20), $0.y, $0.z) } == .saturated)
        #expect(refusal { $0.x > 30 ? Vector3(.nan, $0.y, $0.z) : $0 } == .notFinite)
    }

    @Test("without samples, with few, and with a board that lies still, nothing is accepted")
    func tooLittle() {
        #expect(MagnetometerSession().result().verdict.refusal == .noSamples)
        #expect(board(seconds: 2.5).session(.fieldAlone).result().verdict.isAccepted == false)
        var session = MagnetometerSession()
        for measurement in HandledBoard(.still(seconds: 20), errors: .typical(seed: 1)).measurements() {
            session.feed(measurement)
        }
        #expect(session.result().verdict.isAccepted == false)
    }

    @Test("what no sensor says does no harm")
    func hostile() {
        var session = MagnetometerSession()
        let values = [Double.infinity, -.infinity, .nan, 1e300, -1e300, 0, Double.leastNonzeroMagnitude]
        for index in 0..<2000 {
            let value = values[index % values.count]
            let vector = Vector3(value, Double(index % 3), values[(index / 7) % values.count])
            let time = BootTime(nanoseconds: index % 5 == 0 ? .max - Int64(index) : Int64(index) * 10_000_000)
            session.feed(.magneticField(MagneticSample(time: time, field: vector)))
            session.feed(.specificForce(SpecificForceSample(time: time, force: vector)))
            session.feed(.angularRate(AngularRateSample(time: time, rate: vector)))
            _ = session.progress
        }
        #expect(session.result().verdict.isAccepted == false)
    }

    @Test("an hour on the table does not drive out the minute of turning")
    func longRest() throws {
        let board = board(5)
        var session = MagnetometerSession()
        var last = BootTime(nanoseconds: 0)
        var field = Vector3.zero
        for measurement in board.board.measurements() {
            session.feed(measurement)
            last = measurement.time
        }
        let errors = board.board.errors.magnetometer
        field = errors.matrix * board.board.truth(at: board.board.seconds).field + errors.bias
        var random = RandomSource(seed: 9)
        for index in 1...60_000 {
            let time = BootTime(nanoseconds: last.nanoseconds + Int64(index) * 50_000_000)
            let noise = Vector3(random.normal(), random.normal(), random.normal()) * 0.5
            session.feed(.magneticField(MagneticSample(time: time, field: field + noise)))
        }
        let result = session.result()
        let fit = try #require(result.fits.first)
        #expect(result.samples > 60_000)
        #expect(Angle.degrees(radians: board.headingError(fit)) < 0.8)
    }
}
