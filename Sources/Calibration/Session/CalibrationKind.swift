/// Kind of calibration; the raw values are the names of the subcommands of `waymark calibrate`.
public enum CalibrationKind: String, Hashable, Sendable, CaseIterable {
    /// Board at rest: bias and noise of the gyroscope.
    case gyroscope = "gyro"
    /// At least six still poses: accelerometer, and scale and axes of the gyroscope from the moves between them.
    case accelerometer = "accel"
    /// Rotation through all directions: hard and soft iron of the magnetometer.
    case magnetometer = "mag"
    /// A stand and a straight walk: rotation from the board's axes to the body's.
    case mount
    /// Hours at rest: noise of gyroscope and accelerometer by the Allan deviation.
    case noise
}
