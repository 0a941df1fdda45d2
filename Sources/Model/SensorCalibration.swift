import Geometry

/// How the values of one sensor are put right from an instant on: `true = correction · (measured − bias)`.
///
/// Frame: body axes, as the sources deliver them. Units: those of the sensor's samples (rad/s, m/s², microtesla).
@frozen
public struct SensorCalibration: Hashable, Sendable {
    @frozen
    public enum Sensor: UInt8, Hashable, Sendable, CaseIterable {
        case gyroscope
        case accelerometer
        case magnetometer
        /// The board as a whole: `correction` is the rotation from the axes of the sources to those of the body, and comes
        /// after the corrections of the single sensors.
        case mount
    }

    /// When it was put in force.
    public var time: BootTime
    public var sensor: Sensor
    /// Scale, skew and soft iron; the identity changes nothing.
    public var correction: Matrix<3, 3>
    /// What the sensor shows for nothing; with the magnetometer, hard iron.
    public var bias: Vector3
    /// Of the bias, per axis, once it has been applied. Zero where it is not known.
    public var biasDeviation: Vector3

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

    /// The measured value put right.
    @inlinable
    @inline(__always)
    public func applied(to measured: Vector3) -> Vector3 { correction * (measured - bias) }
}
