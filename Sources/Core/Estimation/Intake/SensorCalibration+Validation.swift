import Geometry
import Model

/// Validates calibrations that come from files and clients.
extension SensorCalibration {
    /// Largest accepted condition number of the matrix, in the Frobenius norm. The axes of a sensor differ by a few
    /// percent, and the identity has the condition number 3.
    private static let maximumCondition = 100.0
    /// Range of accepted norms of the matrix: from raw values in counts of a fine converter to those in counts of a
    /// coarse converter.
    private static let stretches = 1e-9...1e9
    /// Largest accepted deviation of an element of a mount from a rotation. It allows for rounding to four decimals in
    /// a file.
    private static let rotationTolerance = 1e-3

    package var isFinite: Bool {
        for i in 0..<3 {
            for j in 0..<3 where !correction[i, j].isFinite { return false }
        }
        return bias.isFinite && biasStandardDeviation.isFinite
    }

    /// Returns the calibration as an estimator with these settings applies it; nil if the estimator refuses it.
    package func usable(_ settings: IntakeSettings = IntakeSettings()) -> SensorCalibration? {
        switch sensor {
        case .gyroscope: usable(maximum: settings.maximumRate)
        case .accelerometer: usable(maximum: settings.maximumForce)
        case .magnetometer, .mount: usable(maximum: settings.maximumField)
        }
    }

    /// Returns the calibration in a form that can be applied: a mount is orthonormalised. Returns nil if the
    /// calibration is invalid.
    ///
    /// - Parameter maximum: largest value that the sensor may report, which also limits the bias. Unit: that of the
    ///   corrected values.
    package func usable(maximum: Double) -> SensorCalibration? {
        guard isFinite else { return nil }
        guard min(biasStandardDeviation.x, biasStandardDeviation.y, biasStandardDeviation.z) >= 0,
            biasStandardDeviation.norm <= maximum
        else {
            return nil
        }
        return sensor == .mount ? rotation : isConditioned(maximum) ? self : nil
    }

    private func isConditioned(_ maximum: Double) -> Bool {
        guard let inverse = correction.inverse, Self.stretches.contains(correction.norm) else { return false }
        return correction.norm * inverse.norm <= Self.maximumCondition && (correction * bias).norm <= maximum
    }

    private var rotation: SensorCalibration? {
        guard bias == .zero, let turn = Rotation3(matrix: correction, tolerance: Self.rotationTolerance) else {
            return nil
        }
        var result = self
        // A matrix that is already a rotation keeps every bit.
        if Rotation3(matrix: correction, tolerance: 1e-14) == nil { result.correction = turn.matrix }
        return result
    }

    /// Whether the calibration changes no value and states no standard deviation.
    package var isNothing: Bool { correction == .identity && bias == .zero && biasStandardDeviation == .zero }
}
