import Geometry
import Model

/// What becomes of the corrected values of the sensors when another calibration is put in force: with the corrections
/// `x = A·(m − c)` before and `x' = A'·(m − c')` from now on,
///
///     x' = J·x + d,   J = A'·A⁻¹,   d = A'·(c − c')
///
/// Equation: docs/filter.md (61).
package struct CorrectionChange: Sendable {
    /// That of the calibration; `mount` for all of them.
    package let sensor: SensorCalibration.Sensor
    /// J; with the mount the rotation from the old body axes to the new ones.
    package let matrix: Matrix<3, 3>
    /// d; zero with the mount.
    package let offset: Vector3
    /// Covariance of what the new calibration leaves of a bias; nil where nobody knows. Frame: body.
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

    /// A value that was corrected as before, as it is corrected now.
    package func applied(to value: Vector3) -> Vector3 { matrix * value + offset }

    package func applied(to sample: AngularRateSample) -> AngularRateSample {
        guard changes(.gyroscope) else { return sample }
        return AngularRateSample(time: sample.time, rate: applied(to: sample.rate))
    }

    package func applied(to sample: SpecificForceSample) -> SpecificForceSample {
        guard changes(.accelerometer) else { return sample }
        return SpecificForceSample(time: sample.time, force: applied(to: sample.force))
    }

    package func applied(to sample: MagneticSample) -> MagneticSample {
        guard changes(.magnetometer) else { return sample }
        return MagneticSample(time: sample.time, field: applied(to: sample.field))
    }

    package func applied(to sample: InertialSample) -> InertialSample {
        var result = sample
        if changes(.gyroscope) { result.rate = applied(to: sample.rate) }
        if changes(.accelerometer) { result.force = applied(to: sample.force) }
        return result
    }

    /// Whether all values stay as they are: the calibration tells only how well the bias is known.
    package var keepsValues: Bool { matrix == .identity && offset == .zero }

    /// Whether the values of a sensor are others now.
    package func changes(_ sensor: SensorCalibration.Sensor) -> Bool { self.sensor == sensor || self.sensor == .mount }
}
