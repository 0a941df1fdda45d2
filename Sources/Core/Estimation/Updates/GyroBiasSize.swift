import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Prior of the gyroscope bias of a sensor without a calibration, which learns how good the sensor is.
///
/// Gravity shows the bias about the horizontal axes within seconds, and nothing the one about the vertical axis for as
/// long as neither rest nor a good field does. But either the sensor is as delivered, or the system that reads it
/// corrects all axes: where two are off by no more than 0.3 °/s, the third is hardly off by 3.
///
/// Equations: docs/filter.md (98), (99).
package struct GyroBiasPrior: Sendable, Codable {
    /// Inverse of the prior's variance, per axis, as the filter has it; nil where something else is known of the bias.
    /// Unit: s²/rad².
    private var information: Double?
    /// Variance of a sensor as delivered, per axis. Unit: rad²/s².
    private let delivered: Double

    /// - Parameter standardDeviation: at the start, per axis. Unit: rad/s.
    package init(standardDeviation: Double) {
        delivered = standardDeviation * standardDeviation
        information = standardDeviation > Self.calibrated ? 1 / delivered : nil
    }

    /// Stops, since the bias is known, or doubted, by something other than the prior.
    mutating func end() { information = nil }

    /// Information that the prior gains by what is now known of the bias, per axis. It is negative, and the last, where
    /// an axis contradicts what the others had shown. Unit: s²/rad².
    ///
    /// - Parameters:
    ///   - bias: estimate, from a prior of zero. Unit: rad/s.
    ///   - covariance: of the estimate. Unit: rad²/s².
    ///   - mayGrow: whether it may be positive.
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
        guard probability > Self.likely, gain > Self.leastGain * information else { return nil }
        self.information = information + gain
        return gain
    }

    /// Sum of the gains. Unit: s²/rad².
    package var gained: Double { information.map { max(0, $0 - 1 / delivered) } ?? 0 }

    /// A gain of an axis whose variance is to stay below that of a sensor as delivered. Unit of the gain: s²/rad².
    package func bounded(_ gain: Double, variance: Double) -> Double {
        max(gain, min(0, 1 / delivered - 1 / variance))
    }

    /// Standard deviation of an axis without what was only assumed of it. Unit: rad/s.
    func withoutGains(_ standardDeviation: Double) -> Double {
        let variance = standardDeviation * standardDeviation
        return (1 / (1 / variance + bounded(-gained, variance: variance))).squareRoot()
    }

    /// Probability that the system corrects the sensor; before any evidence it is as likely as not.
    private func probabilityOfCorrection(
        _ bias: Vector3, _ covariance: Matrix<3, 3>, _ information: Double
    ) -> Double? {
        guard let inverse = covariance.inverse,
            let yes = Self.evidence(inverse * bias, inverse, replacing: information, by: Self.corrected),
            let no = Self.evidence(inverse * bias, inverse, replacing: information, by: delivered)
        else { return nil }
        return 1 / (1 + exp(no - yes))
    }

    /// Logarithm of the likelihood of what the estimate knows beyond its prior, under a prior of another variance.
    private static func evidence(
        _ vector: Vector3, _ inverse: Matrix<3, 3>, replacing information: Double, by variance: Double
    ) -> Double? {
        let posterior = inverse + (1 / variance - information) * .identity
        let determinant = posterior.determinant
        guard determinant > 0, let covariance = posterior.inverse else { return nil }
        return 0.5 * (vector.dot(covariance * vector) - log(variance * variance * variance * determinant))
    }

    /// Variance of a sensor whose system corrects it, per axis. Unit: rad²/s² ((0.15 °/s)²).
    private static let corrected = 6.8e-6
    /// Probability of a correction from which it is counted on.
    private static let likely = 0.9
    /// Standard deviation at the start beyond which a sensor counts as one without a calibration. Unit: rad/s (1 °/s).
    private static let calibrated = 0.017
    /// Least gain, as a share of the information that there is: each gain is an update.
    private static let leastGain = 0.1
}

/// Update of the gyroscope bias by the size that its better known axes show.
extension ErrorStateKalmanFilter {
    /// Applies what the prior gains, as a measurement of zero. With fixes the motion itself shows the bias, and without
    /// a field nothing would show that the vertical axis is the worse one: then it can only lose.
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

    /// Whether a field has corrected the yaw of late. It changes nothing, but must not be handed a copy of the filter.
    private mutating func hasFieldForYaw() -> Bool {
        guard let last = magnetics.lastCorrection, !heading.field.isRefuted else { return false }
        return state.time.seconds(since: last) < Self.lately
    }

    /// Age up to which a correction of the yaw by the field shows that there is one. Unit: seconds.
    private static let lately = 10.0
}
