import Calibration
import Options
import WaymarkClient

/// `waymark calibrate KIND` for one of the kinds.
protocol CalibrateCommand: Command {
    static var subject: CalibrationSubject { get }
}

extension CalibrateCommand {
    static var word: String { "calibrate \(subject.rawValue)" }

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let wish = try CalibrateWish(options, command: Self.self)
        let outcome =
            try wish.from.map { try OfflineCalibration(subject, wish, path: $0).run() }
            ?? LiveCalibration(subject, wish).run()
        return outcome.accepted ? .done : .failed
    }
}

/// The gyroscope's bias and noise, at rest.
enum CalibrateGyroCommand: CalibrateCommand {
    static let subject = CalibrationSubject.gyro

    static let syntax: Syntax = syntax(
        "Calibrates the gyroscope: lay the board still for half a minute.",
        options: CalibrateOptions.everywhere + CalibrateOptions.offline + [CalibrateOptions.gyroScale],
        notes: CalibrateOptions.notes)
}

/// The accelerometer by poses, and the gyroscope by the moves between them.
enum CalibrateAccelCommand: CalibrateCommand {
    static let subject = CalibrationSubject.accel

    static let syntax: Syntax = syntax(
        "Calibrates the accelerometer: hold the board still in ten poses.",
        options: CalibrateOptions.everywhere + CalibrateOptions.offline
            + [CalibrateOptions.gravity, CalibrateOptions.gyroScale, CalibrateOptions.faces, CalibrateOptions.turn],
        notes: CalibrateOptions.notes)
}

/// Hard and soft iron, by all directions.
enum CalibrateMagCommand: CalibrateCommand {
    static let subject = CalibrationSubject.mag

    static let syntax: Syntax = syntax(
        "Calibrates the magnetometer: turn the board through all directions.",
        options: CalibrateOptions.everywhere + CalibrateOptions.offline + [CalibrateOptions.field],
        notes: CalibrateOptions.notes)
}

/// How the board sits on its wearer.
enum CalibrateMountCommand: CalibrateCommand {
    static let subject = CalibrationSubject.mount

    static let syntax: Syntax = syntax(
        "Learns how the board is worn: stand still, then walk 10 m straight ahead.",
        options: CalibrateOptions.everywhere + CalibrateOptions.offline
            + [CalibrateOptions.gravity, CalibrateOptions.accelScale, CalibrateOptions.gyroScale],
        notes: CalibrateOptions.notes)
}

/// The noise of gyroscope and accelerometer, in hours.
enum CalibrateNoiseCommand: CalibrateCommand {
    static let subject = CalibrationSubject.noise

    static let syntax: Syntax = syntax(
        "Measures the sensors' noise: leave the board alone for hours.",
        options: CalibrateOptions.everywhere + [CalibrateOptions.seconds, CalibrateOptions.hours, CalibrateOptions.svg]
            + CalibrateOptions.offline + [CalibrateOptions.accelScale, CalibrateOptions.gyroScale],
        notes: CalibrateOptions.notes)
}
