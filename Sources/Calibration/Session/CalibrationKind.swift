/// What can be calibrated by itself; the names are those of the commands.
public enum CalibrationKind: String, Hashable, Sendable, CaseIterable {
    /// Held still: the gyroscope's bias and noise.
    case gyroscope = "gyro"
    /// Still in at least six poses: the accelerometer, and the gyroscope by the moves between them.
    case accelerometer = "accel"
    /// Turned through the sphere: hard and soft iron.
    case magnetometer = "mag"
    /// Still, then a straight walk: from the board's axes to the body's.
    case mount
    /// Still for hours: the noise of gyroscope and accelerometer by Allan's deviation.
    case noise
}
