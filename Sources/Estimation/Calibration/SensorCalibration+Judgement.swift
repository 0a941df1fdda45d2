import Geometry
import Model

/// Whether a calibration can be one: nothing is believed because somebody wrote it.
extension SensorCalibration {
    /// Ratio of the largest to the smallest stretch, at the least as Frobenius' norms tell it: sensors differ by percents
    /// between their axes, and the identity has 3.
    private static let largestCondition = 100.0
    /// Of the matrix: from the counts of a fine converter to those of a coarse one.
    private static let stretches = 1e-9...1e9
    /// How far a mount may be from a rotation, element by element: four decimals in a file.
    private static let rotationTolerance = 1e-3

    /// Whether all is a number.
    package var isFinite: Bool {
        for i in 0..<3 {
            for j in 0..<3 where !correction[i, j].isFinite { return false }
        }
        return bias.isFinite && biasDeviation.isFinite
    }

    /// The calibration as an estimator with these settings can put it in force; nil for one that it refuses.
    package func usable(_ settings: EstimatorSettings) -> SensorCalibration? {
        switch sensor {
        case .gyroscope: usable(largest: settings.inertial.largestRate)
        case .accelerometer: usable(largest: settings.inertial.largestForce)
        case .magnetometer, .mount: usable(largest: settings.magnetic.largestField)
        }
    }

    /// The calibration as it can be put in force, a mount brought to a rotation to the last digit; nil for one that can be
    /// none.
    ///
    /// - Parameter largest: what the sensor may show at all, beyond which no bias lies. Unit: that of the corrected values.
    package func usable(largest: Double) -> SensorCalibration? {
        guard isFinite else { return nil }
        guard min(biasDeviation.x, biasDeviation.y, biasDeviation.z) >= 0, biasDeviation.norm <= largest else {
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

    /// Whether it leaves each value as it is, and says nothing of the bias.
    package var isNothing: Bool { correction == .identity && bias == .zero && biasDeviation == .zero }
}
