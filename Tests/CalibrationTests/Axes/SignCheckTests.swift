import BoardHandling
import Calibration
import Geometry
import Model
import Testing

@Suite("sign of an accelerometer")
struct SignCheckTests {
    /// Inclination of the field of the simulated site. Unit: radians.
    private static let inclination = 63 * Double.pi / 180
    private static let time = BootTime(nanoseconds: 0)

    /// With a magnetometer that is calibrated.
    private func settings(_ errors: HandledErrors, inclination: Double? = inclination) -> CalibrationSettings {
        CalibrationSettings(
            inclination: inclination,
            present: [
                SensorCalibration(
                    time: Self.time, sensor: .magnetometer, correction: errors.magnetometer.correction,
                    bias: errors.magnetometer.bias)
            ])
    }

    private func inverted(_ measurements: [Measurement]) -> [Measurement] {
        Handled.changed(measurements, force: { -$0.force })
    }

    @Test("is proposed by the poses of an accelerometer's calibration", arguments: 1...4 as ClosedRange<UInt64>)
    func accelerometer(_ seed: UInt64) throws {
        var board = Handled.board(seed: seed)
        board.magneticRate = 25
        let settings = settings(board.errors)
        let right = Handled.calibrated(board.measurements(), settings)
        #expect(right.verdict.isAccepted && right.axes == nil)
        let wrong = Handled.calibrated(inverted(board.measurements()), settings)
        #expect(wrong.axes?.kind == .inverted && wrong.axes?.sensor == .accelerometer && wrong.axes?.sign == -1)
        #expect(wrong.verdict.refusal == .poorFit && wrong.verdict.reason.contains("other sign"))
        // Without a position or a calibrated compass nothing is claimed.
        for unknown in [
            CalibrationSettings(inclination: Self.inclination), self.settings(board.errors, inclination: nil),
        ] {
            let result = Handled.calibrated(inverted(board.measurements()), unknown)
            #expect(result.verdict.isAccepted && result.axes == nil)
        }
        // Nor is it where the sensors have different axes.
        let rotated = Handled.changed(board.measurements(), force: { AxisTurn.all[9].matrix * $0.force })
        #expect(Handled.calibrated(rotated, settings).axes == nil)
    }

    @Test("is distinguished from a board that is worn upside down", arguments: 1...4 as ClosedRange<UInt64>)
    func mount(_ seed: UInt64) throws {
        var walk = MountedWalk(seed: seed) { board in
            board.magneticRate = 25
            board.mount = .about(Vector3(1, 0, 0), by: .pi)
        }
        let settings = settings(walk.board.errors)
        walk.session = MountSession(settings: settings)
        let upsideDown = walk.run()
        #expect(upsideDown.verdict.isAccepted && upsideDown.axes == nil)
        walk.board.mount = .identity
        walk.session = MountSession(settings: settings)
        let wrong = walk.run { $0 = inverted($0) }
        #expect(wrong.axes?.kind == .inverted && !wrong.verdict.isAccepted)
    }
}
