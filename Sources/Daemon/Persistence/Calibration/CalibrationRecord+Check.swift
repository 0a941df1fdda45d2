import Documents
import Estimation
import Geometry
import Model

/// Checks whether a record may be applied to a sensor, because values from a file are not trusted.
extension CalibrationRecord {
    /// Maximum bias of each sensor, larger than that of any usable MEMS part. Units: rad/s, m/s², microtesla.
    private static let maximumBias: [SensorCalibration.Sensor: Double] = [
        .gyroscope: 1, .accelerometer: 5, .magnetometer: 5000, .mount: 0,
    ]
    /// Limits of the scale factor of each axis. Inertial parts are trimmed in the factory. A magnetometer has wider
    /// limits, because a wrong scale in its driver may have to be corrected too.
    private static let scale: [SensorCalibration.Sensor: ClosedRange<Double>] = [
        .gyroscope: 0.5...2, .accelerometer: 0.5...2, .magnetometer: 0.01...100, .mount: 0.99...1.01,
    ]

    /// Maximum condition number of the correction, computed as the product of the Frobenius norms of the matrix and its
    /// inverse. The estimator has the same limit, and ignores a calibration above it.
    private static let maximumCondition = 100.0

    /// Reason why the record may not be applied; nil if it may.
    package var flaw: String? {
        guard let fit else { return "it has nothing to apply" }
        if isOfCounts { return "it is of counts, not of the sensor's units" }
        guard let maximum = Self.maximumBias[fit.sensor], let scale = Self.scale[fit.sensor] else { return nil }
        guard fit.isFinite, fit.bias.norm <= maximum else { return "a bias of \(fit.bias.norm) is beyond any sensor" }
        for column in 0..<3 {
            let length = Vector3(fit.correction[0, column], fit.correction[1, column], fit.correction[2, column]).norm
            guard scale.contains(length) else { return "an axis stretched to \(length) is beyond any sensor" }
        }
        // The axes of a real sensor never lie in one plane.
        let determinant = fit.correction.determinant
        let minimum = scale.lowerBound * scale.lowerBound * scale.lowerBound / 2
        guard determinant >= minimum, let inverse = fit.correction.inverse else {
            return "its axes lie nearly in a plane"
        }
        guard fit.correction.norm * inverse.norm <= Self.maximumCondition else {
            return "its axes are stretched too unequally for any sensor"
        }
        return offsetFlaw(maximum)
    }

    /// Returns the flaw of the bias after it has been corrected as samples are; nil if there is none.
    private func offsetFlaw(_ maximum: Double) -> String? {
        guard let calibration = calibration(at: BootTime(nanoseconds: 0)) else { return nil }
        let bias = (calibration.correction * calibration.bias).norm
        guard bias <= maximum else { return "a bias that comes to \(bias) is beyond any sensor" }
        let standardDeviation = calibration.biasStandardDeviation.norm
        // The mount has no bias, so its standard deviation has no meaning.
        guard calibration.sensor == .mount || standardDeviation <= maximum else {
            return "a bias that is known to \(standardDeviation) is not known at all"
        }
        // A calibration that the estimator refuses must not be reported as active.
        return calibration.usable() == nil ? "it is beyond any sensor" : nil
    }
}
