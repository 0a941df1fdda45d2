import Geometry
import Model

/// Validation of calibrations, which come from files and clients.
extension SensorCalibration {
    /// Largest condition number in the Frobenius norm: sensors differ by a few percent between their axes, and the
    /// identity has 3.
    private static let largestCondition = 100.0
    /// Norms of the matrix: from the counts of a fine converter to those of a coarse one.
    private static let stretches = 1e-9...1e9
    /// Largest deviation of a mount from a rotation, in any element: four decimals in a file.
    private static let rotationTolerance = 1e-3

    /// Whether every element is finite.
    package var isFinite: Bool {
        for i in 0..<3 {
            for j in 0..<3 where !correction[i, j].isFinite { return false }
        }
        return bias.isFinite && biasStandardDeviation.isFinite
    }

    /// Calibration as an estimator with these settings applies it; nil for one that it refuses.
    package func usable(_ settings: EstimatorSettings) -> SensorCalibration? {
        switch sensor {
        case .gyroscope: usable(largest: settings.inertial.largestRate)
        case .accelerometer: usable(largest: settings.inertial.largestForce)
        case .magnetometer, .mount: usable(largest: settings.magnetic.largestField)
        }
    }

    /// Calibration as it can be applied, a mount orthonormalised; nil for an invalid one.
    ///
    /// - Parameter largest: largest value that the sensor may report, and so largest bias. Unit: that of the corrected
    ///   values.
    package func usable(largest: Double) -> SensorCalibration? {
        guard isFinite else { return nil }
        guard min(biasStandardDeviation.x, biasStandardDeviation.y, biasStandardDeviation.z) >= 0,
            biasStandardDeviation.norm <= largest
        else {
            return nil
        }
        return sensor == .mount ? rotation : isConditioned(largest) ? self : nil
    }

    private func isConditioned(_ largest: Double) -> Bool {
        guard let inverse = correction.inverse, Self.stretches.contains(correction.norm) else { return false }
        return correction.norm * inverse.norm <= Self.largestCondition && (correction * bias).norm <= largest
    }

    private var rotation: SensorCalibration? {
        guard bias == .zero, let turn = Rotation3(matrix: correction, tolerance: Self.rotationTolerance) else {
            return nil
        }
        var result = self
        // What is a rotation already keeps each bit.
        if Rotation3(matrix: correction, tolerance: 1e-14) == nil { result.correction = turn.matrix }
        return result
    }

    /// Whether it changes no value and states no standard deviation.
    package var isNothing: Bool { correction == .identity && bias == .zero && biasStandardDeviation == .zero }
}

/// Uncertainty of a bias after calibration: that of the calibration itself, and changes since, by temperature and age.
///
/// It is the same as that of a warm start of any age, because the age of a calibration is unknown.
///
/// Equation: docs/filter.md (60).
package struct CalibrationPrior: Sendable {
    /// Covariance of the remaining bias. Frame and unit: those of the corrected values, before the mount.
    package let covariance: Matrix<3, 3>

    /// Makes the prior of a calibration; nil for one without a standard deviation of its bias, and for the mount, which
    /// has none.
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
    /// Settings with the standard deviations that the active calibrations leave, in place of those of uncalibrated
    /// sensors.
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
            result.initial.hardIronFraction = share
            result.magneticCalibration.hardIronStandardDeviation = share
        } else if self[.magnetometer] == nil {
            result.initial.hardIronFraction = settings.initial.uncalibratedHardIronFraction
            result.magneticCalibration.hardIronStandardDeviation = settings.initial.uncalibratedHardIronFraction
        }
        return result
    }
}
