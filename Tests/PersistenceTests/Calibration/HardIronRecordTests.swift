import Calibration
import Documents
import Geometry
import Model
import Persistence
import Testing

@Suite("A hard iron that was found while the board was worn")
struct HardIronRecordTests {
    private let offset = Vector3(1.5, -2.5, 0.75)
    private let standardDeviation = Vector3(0.1, 0.2, 0.3)
    /// Rotation by 90° about y.
    private let board = Matrix(Vector3(0, 0, 1), Vector3(0, 1, 0), Vector3(-1, 0, 0))

    @Test("is the residual field after the active calibration")
    func left() throws {
        var known = CalibrationRecord(time: 1, origin: .calibrate, kind: .magnetometer, residualUnit: "µT")
        known.fit = SensorFit(
            sensor: .magnetometer,
            correction: Matrix(Vector3(1.1, 0.02, 0), Vector3(0.01, 0.9, -0.03), Vector3(0, 0.05, 1.05)),
            bias: Vector3(10, -20, 30))
        known.predictedHeadingError = 0.01
        let made = CalibrationRecord(
            hardIron: offset, standardDeviation: standardDeviation, over: known, board: board, mount: nil,
            seconds: 700,
            version: "1")
        let measured = Vector3(33, -12, 7)
        let time = BootTime(nanoseconds: 0)
        let before = board * (try #require(known.calibration(at: time)).applied(to: measured))
        let after = board * (try #require(made.calibration(at: time)).applied(to: measured))
        // A few roundings of numbers of a hundred.
        #expect((after - (before - offset)).norm < 1e-12)
        #expect(made.origin == .online && made.predictedHeadingError == 0.01 && made.seconds == 700)
        #expect(made.fit?.correction == known.fit?.correction)
    }

    @Test("stands alone without an active calibration")
    func alone() {
        let made = CalibrationRecord(
            hardIron: offset, standardDeviation: standardDeviation, over: nil, board: .identity,
            mount: SensorMount([1, 0, 0, 0, 1, 0, 0, 0, 1]),
            seconds: 700, version: "1")
        #expect(made.fit == SensorFit(sensor: .magnetometer, bias: offset, biasStandardDeviation: standardDeviation))
        #expect(made.flaw == nil)
    }
}

@Suite("Which sensors deliver")
struct SensorPresenceTests {
    private func rate(_ milliseconds: Int64) -> Measurement {
        .angularRate(AngularRateSample(time: BootTime(nanoseconds: milliseconds * 1_000_000), rate: .zero))
    }

    private func force(_ milliseconds: Int64) -> Measurement {
        .specificForce(SpecificForceSample(time: BootTime(nanoseconds: milliseconds * 1_000_000), force: .zero))
    }

    @Test("a sensor appears with its first sample, and with the first after a silence or of another clock")
    func appears() {
        var presence = SensorPresence()
        let samples = [
            force(0), rate(0), rate(5), force(5), rate(205), rate(406), rate(5), .clock(BootTime(nanoseconds: 0)),
            rate(.min / 1_000_000),
        ]
        let appeared = samples.map { presence.notes($0) }
        #expect(appeared == [true, true, false, false, false, true, true, false, true])
        #expect(presence.count(of: .gyroscope) == 6 && presence.count(of: .accelerometer) == 2)
        #expect(presence.count(of: .mount) == 2 && presence.count(of: .magnetometer) == 0)
    }
}
