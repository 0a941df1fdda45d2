import Geometry

/// Calibration of one sensor from an instant on: `true = correction · (measured − bias)`.
///
/// Frame: body axes, as the sources deliver them. Units: those of the sensor's samples (rad/s, m/s², microtesla).
@frozen
public struct SensorCalibration: Hashable, Sendable {
    /// Sensor, or frame, to which a calibration applies.
    @frozen
    public enum Sensor: UInt8, Hashable, Sendable, CaseIterable {
        case gyroscope
        case accelerometer
        case magnetometer
        /// The board as a whole: `correction` is the rotation from source axes to body axes, applied after the
        /// corrections of the single sensors.
        case mount
    }

    /// Instant at which it takes effect.
    public var time: BootTime
    /// Calibrated sensor.
    public var sensor: Sensor
    /// Correction matrix: scale, skew and soft iron; the identity by default.
    public var correction: Matrix<3, 3>
    /// Bias, the output for a zero input; hard iron for the magnetometer. Unit: that of the samples.
    public var bias: Vector3
    /// Standard deviation of the bias per axis after the correction; zero if unknown. Unit: that of the samples.
    public var biasDeviation: Vector3

    /// A calibration; by default the identity.
    public init(
        time: BootTime, sensor: Sensor, correction: Matrix<3, 3> = .identity, bias: Vector3 = .zero,
        biasDeviation: Vector3 = .zero
    ) {
        self.time = time
        self.sensor = sensor
        self.correction = correction
        self.bias = bias
        self.biasDeviation = biasDeviation
    }

    /// The corrected value of a measured one.
    @inlinable
    @inline(__always)
    public func applied(to measured: Vector3) -> Vector3 { correction * (measured - bias) }
}
