import BoardHandling
import Calibration
import Geometry
import Glibc
import Model
import Simulation

/// A consumer board turned by hand, as magnetometers are calibrated, and what a fit of it is really worth.
struct TurnedBoard {
    static let degree = Double.pi / 180
    static let everywhere = 180.0

    var board: HandledBoard

    /// - Parameter tilt: to all sides. Unit: degrees.
    init(tilt: Double, seed: UInt64, seconds: Double = 30, rate: Int = 50, noise: Double = 0.6) {
        var errors = HandledErrors.typical(seed: seed)
        // The result is relative to axes and scale of the accelerometer, which its own calibration corrects.
        errors.accelerometer.matrix = .identity
        // White, at 50 Hz.
        errors.magnetometer.noiseDensity = noise / 50.0.squareRoot()
        board = HandledBoard(
            .turning(maximumTilt: tilt * Self.degree, seconds: seconds), errors: errors, seed: seed,
            tremor: 1 * Self.degree)
        board.inertialRate = 50
        board.magneticRate = rate
    }

    /// Soft iron without a rotation, the part that can be found without an accelerometer.
    mutating func makeSymmetric() {
        let matrix = board.errors.magnetometer.matrix
        let eigen = SymmetricEigen(matrix.transpose * matrix)
        board.errors.magnetometer.matrix = eigen?.mapped { $0.squareRoot() } ?? .identity
    }

    enum Sensors: CaseIterable {
        case fieldAlone, withForce, withForceAndRate
    }

    func session(
        _ sensors: Sensors = .withForceAndRate, settings: CalibrationSettings = CalibrationSettings()
    ) -> MagnetometerSession {
        var session = MagnetometerSession(settings: settings)
        for measurement in board.measurements() {
            switch measurement {
            case .specificForce where sensors == .fieldAlone: continue
            case .angularRate where sensors != .withForceAndRate: continue
            default: session.feed(measurement)
            }
        }
        return session
    }

    /// RMS over the level headings. Unit: radians.
    func headingError(_ fit: SensorFit) -> Double {
        let (errors, north) = (board.errors.magnetometer, board.site.fieldENU)
        let headings = 24
        let squares = (0..<headings).map { index in
            let turn = Rotation3.aboutZ(2 * .pi * Double(index) / Double(headings))
            let level = turn * .about(Vector3(1, 0, 0), by: .pi / 2)
            let measured = errors.matrix * (level.inverse * north) + errors.bias
            let field = level * (fit.correction * (measured - fit.bias))
            let error = Angle.wrapped(atan2(field.y, field.x) - atan2(north.y, north.x))
            return error * error
        }
        return (squares.reduce(0, +) / Double(headings)).squareRoot()
    }
}
