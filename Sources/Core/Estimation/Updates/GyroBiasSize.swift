import Geometry
import Glibc
import Model

/// Adaptive prior for the gyroscope bias of an uncalibrated sensor. It also estimates the quality of the sensor.
///
/// Gravity determines the bias about the horizontal axes within seconds, but the bias about the vertical axis stays
/// unobserved without rest or a good field. Either the sensor is as delivered, or the system that reads it has
/// corrected the bias of all axes. So if two axes are off by no more than 0.3 °/s, the third axis is unlikely to be off
/// by 3 °/s.
///
/// Equations: docs/filter.md (98), (99).
package struct GyroBiasPrior: Sendable, Codable {
    /// Inverse of the prior variance that the filter uses, per axis; nil if the bias is known from another source.
    /// Unit: s²/rad².
    private var information: Double?
    /// Variance of the bias of a sensor as delivered, per axis. Unit: rad²/s².
    private let delivered: Double

    /// - Parameter standardDeviation: standard deviation at the start, per axis. Unit: rad/s.
    package init(standardDeviation: Double) {
        delivered = standardDeviation * standardDeviation
        information = standardDeviation > Self.calibrated ? 1 / delivered : nil
    }

    /// Ends the adaptation, because another source has determined or invalidated the bias.
    mutating func end() { information = nil }

    /// Returns the information per axis that the prior gains from the current estimate of the bias. If an axis
    /// contradicts the evidence of the other axes, the gain is negative and no further gain follows. Unit: s²/rad².
    ///
    /// - Parameters:
    ///   - bias: estimate that started from a prior with zero mean. Unit: rad/s.
    ///   - covariance: covariance of the estimate. Unit: rad²/s².
    ///   - mayGrow: whether the gain may be positive.
    package mutating func gain(bias: Vector3, covariance: Matrix<3, 3>, mayGrow: Bool = true) -> Double? {
        guard let information, mayGrow || gained > 0,
            let probability = probabilityOfCorrection(bias, covariance, information)
        else { return nil }
        if probability < 0.5, gained > 0 {
            defer { end() }
            return -gained
        }
        guard mayGrow, max(covariance[0, 0], covariance[1, 1], covariance[2, 2]) > Self.corrected else { return nil }
        let gain = 1 / (probability * Self.corrected + (1 - probability) * delivered) - information
        guard probability > Self.likely, gain > Self.minimumGain * information else { return nil }
        self.information = information + gain
        return gain
    }

    /// Sum of the gains. Unit: s²/rad².
    package var gained: Double { information.map { max(0, $0 - 1 / delivered) } ?? 0 }

    /// Limits the gain of an axis so that its variance stays below the variance of a sensor as delivered. Unit of the
    /// gain: s²/rad².
    package func bounded(_ gain: Double, variance: Double) -> Double {
        max(gain, min(0, 1 / delivered - 1 / variance))
    }

    /// Standard deviation of an axis after the gained information, which is only an assumption, is removed. Unit:
    /// rad/s.
    func withoutGains(_ standardDeviation: Double) -> Double {
        let variance = standardDeviation * standardDeviation
        return (1 / (1 / variance + bounded(-gained, variance: variance))).squareRoot()
    }

    /// Probability that the system corrects the bias of the sensor; ½ before any evidence.
    private func probabilityOfCorrection(
        _ bias: Vector3, _ covariance: Matrix<3, 3>, _ information: Double
    ) -> Double? {
        guard let inverse = covariance.inverse,
            let yes = Self.evidence(inverse * bias, inverse, replacing: information, by: Self.corrected),
            let no = Self.evidence(inverse * bias, inverse, replacing: information, by: delivered)
        else { return nil }
        return 1 / (1 + exp(no - yes))
    }

    /// Log-likelihood of the measurements that the estimate contains, if the prior had another variance.
    private static func evidence(
        _ vector: Vector3, _ inverse: Matrix<3, 3>, replacing information: Double, by variance: Double
    ) -> Double? {
        let posterior = inverse + (1 / variance - information) * .identity
        let determinant = posterior.determinant
        guard determinant > 0, let covariance = posterior.inverse else { return nil }
        return 0.5 * (vector.dot(covariance * vector) - log(variance * variance * variance * determinant))
    }

    /// Variance per axis of the bias that remains if the system corrects the sensor. Unit: rad²/s² ((0.15 °/s)²).
    private static let corrected = 6.8e-6
    /// Probability of a corrected sensor above which the prior gains information.
    private static let likely = 0.9
    /// Initial standard deviation above which a sensor counts as uncalibrated. Unit: rad/s (1 °/s).
    private static let calibrated = 0.017
    /// Smallest gain that is applied, as a share of the present information. Smaller gains are not worth the cost of an
    /// update.
    private static let minimumGain = 0.1
}

/// Update of the gyroscope bias with the size that its better known axes suggest.
extension ErrorStateKalmanFilter {
    /// Applies the gain of the prior as if a bias of zero had been measured. With fixes the motion itself determines
    /// the bias, and without a field a larger bias of the vertical axis would stay unnoticed. Therefore the gain can
    /// only be negative in both cases.
    mutating func learnGyroBiasSize() {
        let mayGrow = !rules.measuresMotion && hasFieldForYaw()
        guard mayGrow || gyroBiasPrior.gained > 0, settings.parts.contains(.gyroBiasSize) else { return }
        let first = ErrorState.gyroBias
        var known = Matrix<3, 3>()
        for i in 0..<3 {
            for j in 0..<3 { known[i, j] = covariance.rows[first + i][first + j] }
        }
        guard let gain = gyroBiasPrior.gain(bias: state.gyroBias, covariance: known, mayGrow: mayGrow) else { return }
        propagateCovariance()
        for i in 0..<3 {
            let bounded = gyroBiasPrior.bounded(gain, variance: covariance.rows[first + i][first + i])
            guard bounded != 0 else { continue }
            let bias: InlineArray<3, Double> = [state.gyroBias.x, state.gyroBias.y, state.gyroBias.z]
            fuse(first + i, -bias[i], variance: 1 / bounded, cause: .rest)
        }
    }

    /// Whether the field has corrected the yaw recently. `mutating` avoids a copy of the filter.
    private mutating func hasFieldForYaw() -> Bool {
        guard let last = magnetics.lastCorrection, !heading.field.isRefuted else { return false }
        return state.time.seconds(since: last) < Self.lately
    }

    /// Age up to which a correction of the yaw by the field counts as recent. Unit: seconds.
    private static let lately = 10.0
}
