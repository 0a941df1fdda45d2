import Calibration
import Configuration
import WaymarkClient

extension Command {
    private typealias Own = CalibrateOptions

    static let calibrateGyro = calibrate(
        .gyro, "Calibrate the gyroscope: leave the board at rest for half a minute.", Own.offline + [Own.gyroScale])

    static let calibrateAccel = calibrate(
        .accel, "Calibrate the accelerometer: hold the board still in ten orientations.",
        Own.offline + [Own.gravity, Own.gyroScale, Own.faces, Own.turn])

    static let calibrateMag = calibrate(
        .mag, "Calibrate the magnetometer: rotate the board through all directions.",
        Own.offline + [Own.field, Own.dip])

    static let calibrateMount = calibrate(
        .mount, "Calibrate the mount matrix: stand still, then walk 10 m straight ahead.",
        Own.offline + [Own.gravity, Own.accelScale, Own.gyroScale])

    static let calibrateNoise = calibrate(
        .noise, "Measure sensor noise (Allan deviation): leave the board at rest for hours.",
        [Own.seconds, Own.hours, Own.svg] + Own.offline + [Own.accelScale, Own.gyroScale])

    private static func calibrate(
        _ subject: Waymark.CalibrationKind, _ summary: String,
        _ own: @autoclosure @escaping @Sendable () -> [any OptionDeclaration]
    ) -> Command {
        Command("calibrate \(subject)", summary, options: Own.everywhere + own(), notes: Own.notes) { options in
            try Own.check(options)
            let outcome =
                try options[Own.from].map { try OfflineCalibration(subject, options, path: $0).run() }
                ?? DaemonCalibration(subject, options).run()
            return outcome.accepted ? .done : .failed
        }
    }
}
