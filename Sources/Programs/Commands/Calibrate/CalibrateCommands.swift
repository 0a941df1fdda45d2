import Calibration
import Configuration
import WaymarkClient

/// `waymark calibrate KIND` for one of the kinds.
protocol CalibrateCommand: Command {
    static var subject: Waymark.CalibrationKind { get }
}

extension CalibrateCommand {
    static var word: String { "calibrate \(subject)" }

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let request = try CalibrateRequest(options, command: Self.self)
        let outcome =
            try request.from.map { try OfflineCalibration(subject, request, path: $0).run() }
            ?? DaemonCalibration(subject, request).run()
        return outcome.accepted ? .done : .failed
    }
}

/// The gyroscope's bias and noise, at rest.
enum CalibrateGyroCommand: CalibrateCommand {
    static let subject = Waymark.CalibrationKind.gyro

    static let syntax: Syntax = syntax(
        "Calibrate the gyroscope: leave the board at rest for half a minute.",
        options: CalibrateOptions.everywhere + CalibrateOptions.offline + [CalibrateOptions.gyroScale],
        notes: CalibrateOptions.notes)
}

/// The accelerometer from poses, and the gyroscope from the rotations between them.
enum CalibrateAccelCommand: CalibrateCommand {
    static let subject = Waymark.CalibrationKind.accel

    static let syntax: Syntax = syntax(
        "Calibrate the accelerometer: hold the board still in ten orientations.",
        options: CalibrateOptions.everywhere + CalibrateOptions.offline
            + [CalibrateOptions.gravity, CalibrateOptions.gyroScale, CalibrateOptions.faces, CalibrateOptions.turn],
        notes: CalibrateOptions.notes)
}

/// Hard and soft iron, from rotations through all directions.
enum CalibrateMagCommand: CalibrateCommand {
    static let subject = Waymark.CalibrationKind.mag

    static let syntax: Syntax = syntax(
        "Calibrate the magnetometer: rotate the board through all directions.",
        options: CalibrateOptions.everywhere + CalibrateOptions.offline
            + [CalibrateOptions.field, CalibrateOptions.dip],
        notes: CalibrateOptions.notes)
}

/// Mount matrix: orientation of the board on its wearer.
enum CalibrateMountCommand: CalibrateCommand {
    static let subject = Waymark.CalibrationKind.mount

    static let syntax: Syntax = syntax(
        "Calibrate the mount matrix: stand still, then walk 10 m straight ahead.",
        options: CalibrateOptions.everywhere + CalibrateOptions.offline
            + [CalibrateOptions.gravity, CalibrateOptions.accelScale, CalibrateOptions.gyroScale],
        notes: CalibrateOptions.notes)
}

/// The noise of gyroscope and accelerometer, measured over hours.
enum CalibrateNoiseCommand: CalibrateCommand {
    static let subject = Waymark.CalibrationKind.noise

    static let syntax: Syntax = syntax(
        "Measure sensor noise (Allan deviation): leave the board at rest for hours.",
        options: CalibrateOptions.everywhere + [CalibrateOptions.seconds, CalibrateOptions.hours, CalibrateOptions.svg]
            + CalibrateOptions.offline + [CalibrateOptions.accelScale, CalibrateOptions.gyroScale],
        notes: CalibrateOptions.notes)
}
