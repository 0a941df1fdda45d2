import Geometry
import Model

/// Uncertainty of a bias after calibration: the uncertainty of the calibration itself, plus later changes with
/// temperature and age.
///
/// Because the age of a calibration is unknown, all slow changes are assumed to be complete. The random walk is left
/// out.
///
/// Equation: docs/filter.md (60).
package struct CalibrationPrior: Sendable {
    /// Covariance of the remaining bias. Frame and unit: those of the corrected values, before the mount.
    package let covariance: Matrix<3, 3>

    /// Creates the prior of a calibration; nil if the calibration states no standard deviation of the bias. A mount
    /// never states one.
    package init?(_ calibration: SensorCalibration, _ settings: EstimatorSettings) {
        guard calibration.biasStandardDeviation != .zero else { return nil }
        let prior: WarmPrior
        switch calibration.sensor {
        case .gyroscope: prior = .gyroBias(settings)
        case .accelerometer: prior = .accelerometerBias(settings)
        case .magnetometer: prior = .hardIron(settings, norm: settings.initial.fieldForHardIron)
        case .mount: return nil
        }
        let known = calibration.biasStandardDeviation
        var covariance = Matrix<3, 3>()
        for (i, standardDeviation) in [known.x, known.y, known.z].enumerated() {
            let settled = prior.settledStandardDeviation(standardDeviation)
            covariance[i, i] = settled * settled
        }
        self.covariance = covariance
    }

    /// Mean standard deviation per axis.
    var standardDeviation: Double { ((covariance[0, 0] + covariance[1, 1] + covariance[2, 2]) / 3).squareRoot() }
}

extension SensorCorrections {
    /// Settings for the filter: the residual standard deviations of the active calibrations replace the values for
    /// uncalibrated sensors.
    package var filterSettings: EstimatorSettings {
        func left(_ sensor: SensorCalibration.Sensor) -> Double? {
            self[sensor].flatMap { CalibrationPrior($0, settings) }?.standardDeviation
        }
        var result = settings
        if let standardDeviation = left(.gyroscope) { result.initial.gyroBiasStandardDeviation = standardDeviation }
        if let standardDeviation = left(.accelerometer) {
            result.initial.accelerometerBiasStandardDeviation = standardDeviation
        }
        if let standardDeviation = left(.magnetometer) {
            let share = standardDeviation / settings.initial.fieldForHardIron
            result.magneticCalibration.hardIronStandardDeviation = share
        } else if self[.magnetometer] == nil {
            result.magneticCalibration.hardIronStandardDeviation = settings.initial.uncalibratedHardIronFraction
        }
        return result
    }
}
