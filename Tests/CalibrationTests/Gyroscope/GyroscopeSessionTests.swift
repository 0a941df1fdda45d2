import Calibration
import Geometry
import Glibc
import Model
import Simulation
import Testing

@Suite("The gyroscope's bias at rest")
struct GyroscopeSessionTests {
    /// A board with white noise and a bias that wanders, and what is done to it.
    struct Board {
        var rate = 200.0
        var bias = Vector3(0.02, -0.013, 0.004)
        /// Unit: rad/√s.
        var randomWalk = 1.5e-4
        /// Unit: rad/s/√s.
        var rateRandomWalk = 0.0
        var gravity = Vector3(0.3, 9.7, -1.2)
        var field = Vector3(10, -40, 20)
        /// Of the board at a time, on top of rest. Units: rad/s, seconds.
        var motion: @Sendable (Double) -> Vector3 = { _ in .zero }
        /// What becomes of a sample of the gyroscope; nil: it does not come.
        var change: @Sendable (Double, Vector3) -> Vector3? = { $1 }
        var scale = 1.0

        /// Feeds `seconds` of samples, or until the session is complete; returns the true bias at the end.
        @discardableResult
        func feed(
            _ session: inout GyroscopeSession, seconds: Double, seed: UInt64 = 1, untilComplete: Bool = true
        ) -> (bias: Vector3, seconds: Double) {
            var random = RandomSource(seed: seed)
            func noise(_ standardDeviation: Double) -> Vector3 {
                Vector3(
                    standardDeviation * random.normal(), standardDeviation * random.normal(),
                    standardDeviation * random.normal())
            }
            var (bias, up, north) = (bias, gravity, field)
            for index in 0..<Int(seconds * rate) {
                let seconds = Double(index) / rate
                let time = BootTime(nanoseconds: 5_000_000_000 + Int64((seconds * 1e9).rounded()))
                let turn = motion(seconds)
                bias += noise(rateRandomWalk / rate.squareRoot())
                // In the board's axes the world turns the other way.
                up -= turn.cross(up) / rate
                north -= turn.cross(north) / rate
                let force = up * (gravity.norm / up.norm) + noise(0.02)
                session.feed(.specificForce(SpecificForceSample(time: time, force: scale * force)))
                if index % 4 == 0 {
                    session.feed(.magneticField(MagneticSample(time: time, field: north + noise(0.3))))
                }
                if index % 200 == 0 { session.feed(.clock(time)) }
                let measured = bias + turn + noise(randomWalk * rate.squareRoot())
                if let sample = change(seconds, scale * measured) {
                    session.feed(.angularRate(AngularRateSample(time: time, rate: sample)))
                }
                if untilComplete, session.isComplete { return (bias, seconds) }
            }
            return (bias, seconds)
        }
    }

    private static func result(_ board: Board, seconds: Double = 30, unit: CalibrationSettings.Unit = .standard)
        -> CalibrationResult
    {
        var session = GyroscopeSession(settings: CalibrationSettings(unit: unit))
        board.feed(&session, seconds: seconds, untilComplete: false)
        return session.result()
    }

    @Test("at rest it ends by itself with the bias")
    func rest() throws {
        var session = GyroscopeSession()
        #expect(session.progress.instruction == .waitForSamples)
        let (truth, seconds) = Board().feed(&session, seconds: 90)
        #expect(session.isComplete)
        #expect((10...60).contains(seconds))
        #expect(session.progress.instruction == .done)
        let result = session.result()
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        let fit = try #require(result.fits.first)
        #expect((fit.bias - truth).norm < 4 * fit.biasStandardDeviation.norm)
        #expect(fit.biasStandardDeviation.norm / 3.0.squareRoot() < 3.1e-5)
        #expect(try #require(result.residualRMS) < 0.1 * #require(result.residualRMSBefore))
        for axis in result.noise { #expect(abs((axis.randomWalk ?? 0) / 1.5e-4 - 1) < 0.1) }
        #expect(result.noise.count == 3)
    }

    @Test(
        "the predicted standard deviations and the predicted drift of a minute agree with the errors",
        arguments: [0, 4e-6, 1e-4])
    func predictedErrors(rateRandomWalk: Double) throws {
        var board = Board(rate: 25)
        board.rateRandomWalk = rateRandomWalk
        var (errors, drifts, predicted, standardDeviations) = (0.0, 0.0, 0.0, 0.0)
        let runs = 100
        for seed in 1...UInt64(runs) {
            var session = GyroscopeSession()
            let (truth, _) = board.feed(&session, seconds: 60, seed: seed)
            let result = session.result()
            let fit = try #require(result.fits.first)
            #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
            errors += (fit.bias - truth).squaredNorm / 3
            standardDeviations += fit.biasStandardDeviation.squaredNorm / 3
            // On for a minute, by the same processes.
            var random = RandomSource(seed: seed, stream: 9)
            var (bias, angle) = (truth, Vector3.zero)
            func noise(_ standardDeviation: Double) -> Vector3 {
                Vector3(
                    standardDeviation * random.normal(), standardDeviation * random.normal(),
                    standardDeviation * random.normal())
            }
            for _ in 0..<600 {
                bias += noise(rateRandomWalk * 0.1.squareRoot())
                angle += (bias - fit.bias) * 0.1 + noise(board.randomWalk * 0.1.squareRoot())
            }
            drifts += angle.squaredNorm / 3
            let error = try #require(result.predictedHeadingError)
            predicted += error * error
        }
        let (bias, drift) = ((standardDeviations / errors).squareRoot(), (predicted / drifts).squareRoot())
        #expect((0.7...1.3).contains(bias))
        #expect((0.7...1.3).contains(drift))
    }

    @Test("a knock on the way is named with its time")
    func knock() {
        var board = Board()
        board.motion = { (20.0..<20.4).contains($0) ? Vector3(0, 0.3 * sin(50 * $0), 0.1) : .zero }
        var session = GyroscopeSession()
        board.feed(&session, seconds: 30)
        let result = Self.result(board)
        #expect(result.verdict.refusal == .moved)
        #expect(result.verdict.reason.contains("moved 20 s after the start"), "\(result.verdict.reason)")
    }

    @Test("movement is refused however it goes")
    func moved() {
        let sway = Board(motion: { Vector3(0.02 * sin(3 * $0), 0.03 * sin(2.3 * $0), 0.01 * sin(31 * $0)) })
        let walk = Board(motion: { Vector3(1.2 * sin(6 * $0), 0.8 * sin(12 * $0), 0.4 * sin(5 * $0)) })
        let slow = Board(motion: { (8..<14).contains($0) ? Vector3(0, 0.02, 0) : .zero })
        for board in [sway, walk, slow] {
            let result = Self.result(board)
            #expect(result.verdict.refusal == .moved, "\(result.verdict.reason)")
            var counts = board
            counts.scale = 4000
            #expect(Self.result(counts, unit: .arbitrary).verdict.refusal == .moved)
        }
    }

    @Test("while it moves it says so, and it ends at once")
    func live() {
        var board = Board()
        board.motion = { $0 > 5 ? Vector3(1, 0, 0) : .zero }
        var session = GyroscopeSession()
        let (_, seconds) = board.feed(&session, seconds: 30)
        #expect(seconds < 7)
        #expect(session.progress.instruction == .movesTooMuch)
        #expect(session.result().verdict.refusal == .moved)
    }

    @Test("the board may be put down first")
    func settling() throws {
        var board = Board()
        board.motion = { $0 < 3.3 ? Vector3(sin(7 * $0), 0.4, 0) : .zero }
        var session = GyroscopeSession()
        let (truth, _) = board.feed(&session, seconds: 80)
        let result = session.result()
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        #expect((try #require(result.fits.first).bias - truth).norm < 2e-4)
    }

    @Test("a coarse gyroscope that is put down first repeats no more than its axes do by chance")
    func coarse() {
        var board = Board()
        // Steps of ten noises, and 0.29 steps off their middle: each axis at rest repeats 19 values of 20.
        board.bias = Vector3(0.0258, -0.0142, 0.0058)
        // So quick that no value repeats.
        board.motion = { $0 < 9.5 ? 2 * Vector3(sin(40 * $0), cos(37 * $0), sin(31 * $0)) : .zero }
        board.change = { _, rate in
            0.02 * Vector3((rate.x / 0.02).rounded(), (rate.y / 0.02).rounded(), (rate.z / 0.02).rounded())
        }
        let result = Self.result(board, seconds: 30)
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        #expect(!result.verdict.reason.contains("repeat"), "\(result.verdict.reason)")
    }

    @Test("a turning table is distinguished from a bias by gravity, by the field, or by its speed")
    func table() {
        let leaning = Board(motion: { _ in Vector3(0.01, 0, 0) })
        let up = Board().gravity.normalized!
        let level = Board(motion: { _ in up * 0.02 })
        let quick = Board(motion: { _ in up * 3 })
        for board in [leaning, level, quick] {
            let result = Self.result(board)
            #expect(result.verdict.refusal == .moved, "\(result.verdict.reason)")
            #expect(result.verdict.reason.contains("turned"), "\(result.verdict.reason)")
        }
    }

    @Test("what is wrong with the sensor is named")
    func faults() {
        var board = Board()
        board.change = { $0 > 12 && $0 < 12.02 ? Vector3(.nan, $1.y, $1.z) : $1 }
        #expect(Self.result(board).verdict.refusal == .notFinite)
        board.change = { Vector3($1.x, 0.5, $1.z) }
        #expect(Self.result(board).verdict.refusal == .constantChannel)
        board.change = { $0 > 15 ? nil : $1 }
        let silent = Self.result(board).verdict
        #expect(silent.refusal == .silent)
        #expect(silent.reason.contains("15 s after"), "\(silent.reason)")
        board.change = { $0 > 15 && $0 < 18 ? nil : $1 }
        #expect(Self.result(board).verdict.refusal == .silent)
        board.change = { _, _ in nil }
        #expect(Self.result(board).verdict.refusal == .noSamples)
        #expect(Self.result(Board(), seconds: 6).verdict.refusal == .tooFewSamples)
    }

    @Test("scale and axes of the active calibration stay")
    func present() throws {
        let turned = Matrix(Vector3(1.01, 0.02, 0), Vector3(0, 0.98, 0), Vector3(0, 0, 1.03))
        let present = SensorCalibration(
            time: BootTime(nanoseconds: 0), sensor: .gyroscope, correction: turned, bias: Vector3(0.02, 0, 0))
        var session = GyroscopeSession(settings: CalibrationSettings(present: [present]))
        Board().feed(&session, seconds: 30)
        let result = session.result()
        #expect(try #require(result.fits.first).correction == turned)
        #expect(try #require(result.residualRMS) < #require(result.residualRMSBefore))
    }

    @Test(
        "a board that lay still for seven minutes is known at once",
        .enabled(if: RecordedTable.has("static_mpu6050_7min/imu_raw.csv.gz")), arguments: [true, false])
    func recorded(untilComplete: Bool) throws {
        let table = try RecordedTable("static_mpu6050_7min/imu_raw.csv.gz")
        var session = GyroscopeSession(settings: CalibrationSettings(unit: .arbitrary))
        for measurement in try table.inertialMeasurements() where !(untilComplete && session.isComplete) {
            session.feed(measurement)
        }
        let result = session.result()
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        let (fit, rates) = (try #require(result.fits.first), try table.vectors("gx", "gy", "gz"))
        let mean = rates.reduce(Vector3.zero, +) / Double(rates.count)
        // A count is 0.008°/s.
        #expect((fit.bias - mean).norm < (untilComplete ? 4 : 0.1))
        #expect((0.02...1.5).contains(fit.biasStandardDeviation.norm), "\(fit.biasStandardDeviation)")
    }

    @Test("nothing makes it crash")
    func hostile() {
        var random = RandomSource(seed: 8)
        var session = GyroscopeSession()
        var noise = NoiseSession()
        let numbers = [0, 1, -1, .nan, .infinity, 1e300, -1e300, 1e-300, 1e90]
        for _ in 0..<30_000 {
            func number() -> Double { numbers[Int(random.next() % UInt64(numbers.count))] }
            let nanoseconds = Int64(bitPattern: random.next()) >> Int64(random.next() % 63)
            let time = BootTime(nanoseconds: nanoseconds)
            let vector = Vector3(number(), number(), number())
            for measurement: Measurement in [
                .angularRate(AngularRateSample(time: time, rate: vector)),
                .specificForce(SpecificForceSample(time: time, force: vector)),
                .magneticField(MagneticSample(time: time, field: vector)),
            ] {
                session.feed(measurement)
                noise.feed(measurement)
            }
            _ = (session.progress, noise.progress)
        }
        #expect(!session.result().verdict.isAccepted)
        #expect(!noise.result().verdict.isAccepted)
        #expect(GyroscopeSession().result().verdict.refusal == .noSamples)
        #expect(NoiseSession().result().verdict.refusal == .noSamples)
    }
}
