import Geometry
import Model

/// Validation of calibrations, which come from files and clients.
extension SensorCalibration {
    /// Largest condition number in the Frobenius norm: sensors differ by a few percent between their axes, and the
    /// identity has 3.
    private static let maximumCondition = 100.0
    /// Range of norms of the matrix: from the counts of a fine converter to the counts of a coarse converter.
    private static let stretches = 1e-9...1e9
    /// Largest deviation of any element of a mount from a rotation: the rounding to four decimals in a file.
    private static let rotationTolerance = 1e-3

    package var isFinite: Bool {
        for i in 0..<3 {
            for j in 0..<3 where !correction[i, j].isFinite { return false }
        }
        return bias.isFinite && biasStandardDeviation.isFinite
    }

    /// Calibration as an estimator with these settings applies it; nil if it is refused.
    package func usable(_ settings: IntakeSettings = IntakeSettings()) -> SensorCalibration? {
        switch sensor {
        case .gyroscope: usable(maximum: settings.maximumRate)
        case .accelerometer: usable(maximum: settings.maximumForce)
        case .magnetometer, .mount: usable(maximum: settings.maximumField)
        }
    }

    /// Calibration as it can be applied, with an orthonormalised mount; nil if invalid.
    ///
    /// - Parameter maximum: largest value that the sensor may report, and thus largest bias. Unit: that of the
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
        // Keeps every bit of a matrix that is already a rotation.
        if Rotation3(matrix: correction, tolerance: 1e-14) == nil { result.correction = turn.matrix }
        return result
    }

    /// Whether the calibration changes no value and states no standard deviation.
    package var isNothing: Bool { correction == .identity && bias == .zero && biasStandardDeviation == .zero }
}
