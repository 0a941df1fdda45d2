import Geometry
import Model

/// What a calibration leaves of a bias: what was not known of it on that day, and what has changed since, with another
/// temperature or whatever else.
///
/// By the same law as a warm start of any age, for nobody says how old a calibration is.
///
/// Equation: docs/filter.md (60).
package struct CalibrationPrior: Sendable {
    /// Of the bias that is left. Frame and unit: those of the corrected values, before the mount.
    package let covariance: Matrix<3, 3>

    /// Nil where the calibration does not say how well it knows the bias, and for the mount, which has none.
    package init?(_ calibration: SensorCalibration, _ settings: EstimatorSettings) {
        guard calibration.biasDeviation != .zero else { return nil }
        let prior: WarmPrior
        switch calibration.sensor {
        case .gyroscope: prior = .gyroBias(settings)
        case .accelerometer: prior = .accelerometerBias(settings)
        case .magnetometer: prior = .hardIron(settings, norm: settings.initial.fieldForHardIron)
        case .mount: return nil
        }
        let known = calibration.biasDeviation
        var covariance = Matrix<3, 3>()
        for (i, deviation) in [known.x, known.y, known.z].enumerated() {
            let settled = prior.settledDeviation(deviation)
            covariance[i, i] = settled * settled
        }
        self.covariance = covariance
    }

    /// Standard deviation of an axis, on average.
    var deviation: Double { ((covariance[0, 0] + covariance[1, 1] + covariance[2, 2]) / 3).squareRoot() }
}

extension SensorCorrections {
    /// The settings with what the calibrations in force leave unknown in the place of what a sensor never calibrated does.
    package var filterSettings: EstimatorSettings {
        func left(_ sensor: SensorCalibration.Sensor) -> Double? {
            self[sensor].flatMap { CalibrationPrior($0, settings) }?.deviation
        }
        var result = settings
        if let deviation = left(.gyroscope) { result.initial.gyroBiasDeviation = deviation }
        if let deviation = left(.accelerometer) { result.initial.accelerometerBiasDeviation = deviation }
        if let deviation = left(.magnetometer) {
            let share = deviation / settings.initial.fieldForHardIron
            result.initial.hardIronFraction = share
            result.magneticCalibration.hardIronDeviation = share
        } else if self[.magnetometer] == nil {
            result.initial.hardIronFraction = settings.initial.uncalibratedHardIronFraction
            result.magneticCalibration.hardIronDeviation = settings.initial.uncalibratedHardIronFraction
        }
        return result
    }
}
