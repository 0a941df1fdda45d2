import BoardHandling
import Calibration
import Geometry
import Model

/// A handled board whose compass has axes of its own.
struct TurnedCompass {
    var board: TurnedBoard
    /// From the axes of the body to those of the compass; a mirror where an axis is inverted.
    var compass: Matrix<3, 3>
    /// From the axes of the body to those of the accelerometer, likewise.
    var accelerometer = Matrix<3, 3>.identity

    /// Errors of uncalibrated parts: a gyroscope's bias of 3°/s, soft iron of 10 % and hard iron beyond the field.
    init(_ compass: Matrix<3, 3>, seed: UInt64, tilt: Double = TurnedBoard.everywhere, seconds: Double = 30) {
        board = TurnedBoard(tilt: tilt, seed: seed, seconds: seconds, rate: 25)
        let errors = HandledErrors.typical(seed: seed)
        board.board.errors.gyroscope.bias = 6 * errors.gyroscope.bias
        board.board.errors.magnetometer.bias = 3 * errors.magnetometer.bias
        for i in 0..<3 {
            for j in 0..<3 {
                let same = i == j ? 1.0 : 0
                board.board.errors.magnetometer.matrix[i, j] = same + 2 * (errors.magnetometer.matrix[i, j] - same)
            }
        }
        self.compass = compass
    }

    func result(
        _ sensors: TurnedBoard.Sensors = .withForceAndRate, settings: CalibrationSettings = CalibrationSettings()
    ) -> CalibrationResult {
        var session = MagnetometerSession(settings: settings)
        for measurement in board.board.measurements() {
            switch measurement {
            case .magneticField(var sample):
                sample.field = compass * sample.field
                session.feed(.magneticField(sample))
            case .specificForce(var sample) where sensors != .fieldAlone:
                sample.force = accelerometer * sample.force
                session.feed(.specificForce(sample))
            case .angularRate where sensors == .withForceAndRate: session.feed(measurement)
            default: continue
            }
        }
        return session.result()
    }

    /// RMS over the level headings of a fit for the axes of the compass. Unit: degrees.
    func headingError(_ fit: SensorFit) -> Double {
        var fit = fit
        fit.correction = fit.correction * compass
        fit.bias = compass.transpose * fit.bias
        return Angle.degrees(radians: board.headingError(fit))
    }
}
