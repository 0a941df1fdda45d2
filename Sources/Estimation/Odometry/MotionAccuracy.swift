import Geometry
import Model

/// Accuracy of velocity and angular velocity.
extension PoseAccuracy {
    /// Radius that holds 68 % of a spherical Gaussian, in standard deviations of one axis.
    static let sphere68 = 1.87

    /// - Parameters:
    ///   - rate: angular rate of the body, bias removed. Unit: rad/s.
    ///   - rateNoise: standard deviation per axis of one sample; nil while it is not known. Unit: rad/s.
    ///   - interval: interval between inertial samples. Unit: seconds.
    @inline(__always)
    mutating func describeMotion(
        _ filter: ErrorStateKalmanFilter, rate: Vector3, rateNoise: Double?, interval: Double
    ) {
        let v = ErrorState.velocity
        let b = ErrorState.gyroBias
        // While nothing measures the velocity, that the wearer stays is only an assumption.
        let unnoticed = filter.unaided.isActive ? filter.settings.unaided.unnoticedSpeed : 0
        let consistency = filter.gnss.velocityConsistency
        let mean = (filter.covariance.rows[v][v] + filter.covariance.rows[v + 1][v + 1]) / 2
        velocityHorizontal =
            PoseAccuracy.radius68
            * (max(0, mean) * consistency.horizontalFactor * consistency.horizontalFactor + unnoticed * unnoticed)
            .squareRoot()
        velocityVertical = filter.standardDeviation(v + 2) * consistency.verticalFactor
        let inertial = filter.settings.inertial
        let noise = rateNoise ?? inertial.gyroNoise / max(1e-4, interval).squareRoot()
        let scale = inertial.gyroScaleError * rate.norm
        let bias =
            (filter.covariance.rows[b][b] + filter.covariance.rows[b + 1][b + 1]
                + filter.covariance.rows[b + 2][b + 2]) / 3
        angularVelocity = Self.sphere68 * (max(0, bias) + noise * noise + scale * scale).squareRoot()
    }
}
