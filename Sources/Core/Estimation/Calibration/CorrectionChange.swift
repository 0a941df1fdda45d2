import Geometry
import Model

/// Effect of a new calibration on the corrected values of a sensor. With the old correction `x = A·(m − c)` and the new
/// one `x' = A'·(m − c')`,
///
///     x' = J·x + d,   J = A'·A⁻¹,   d = A'·(c − c')
///
/// Equation: docs/filter.md (61).
package struct CorrectionChange: Sendable {
    /// Sensor to which the calibration applies; `mount` changes all sensors.
    package let sensor: SensorCalibration.Sensor
    /// Matrix J; for the mount the rotation from the old body axes to the new axes.
    package let matrix: Matrix<3, 3>
    /// Offset d; zero for the mount.
    package let offset: Vector3
    /// Covariance of the residual bias under the new calibration; nil if unknown. Frame: body.
    package let residual: Matrix<3, 3>?

    package init(
        sensor: SensorCalibration.Sensor, matrix: Matrix<3, 3>, offset: Vector3 = .zero,
        residual: Matrix<3, 3>? = nil
    ) {
        self.sensor = sensor
        self.matrix = matrix
        self.offset = offset
        self.residual = residual
    }

    /// Converts a value from the old correction to the new correction.
    package func applied(to value: Vector3) -> Vector3 { matrix * value + offset }

    package func applied(to sample: InertialSample) -> InertialSample {
        var result = sample
        if changes(.gyroscope) { result.rate = applied(to: sample.rate) }
        if changes(.accelerometer) { result.force = applied(to: sample.force) }
        return result
    }

    /// Whether the calibration changes no value, and only states the residual covariance of the bias.
    package var keepsValues: Bool { matrix == .identity && offset == .zero }

    /// Whether the values of a sensor change.
    package func changes(_ sensor: SensorCalibration.Sensor) -> Bool { self.sensor == sensor || self.sensor == .mount }
}
