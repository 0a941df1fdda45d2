import Geometry
import Model

/// Sets and resets the heading with the magnetometer.
extension ErrorStateKalmanFilter {
    /// Sets the heading for the first time. Its correlation with tilt and hard iron is kept, so that the heading is
    /// corrected when they become better known.
    mutating func beginHeading(_ measured: Vector3) {
        resetCovariance(ErrorState.magneticOffset, standardDeviation: fieldOffsetStandardDeviation)
        rotateYaw(by: magneticYawModel(measured).innovation)
        takeYaw(measured, cause: .magnetometer)
        heading.status = .unconfirmed(site?.field == nil ? .magnetic : .geographic)
        updateRegime()
    }

    /// Sets the heading again after the correction of the magnetometer has changed, if the magnetometer is the
    /// heading's only source so far. Position and velocity stay.
    mutating func renewHeading(_ measured: Vector3) {
        heading.renew()
        influence.cause = .calibration
        turnBody(by: magneticYawModel(measured).innovation)
        takeYaw(measured, cause: .calibration)
    }

    private mutating func takeYaw(_ measured: Vector3, cause: FrameCause) {
        resetCovariance(ErrorState.yaw, standardDeviation: settings.initial.unknownYawStandardDeviation)
        let model = magneticYawModel(measured)
        let standardDeviation = settings.initial.magneticYawStandardDeviation
        apply(
            Self.scalarUpdate(
                model.innovation, model.jacobian, variance: standardDeviation * standardDeviation, mask: .yaw,
                gate: nil,
                cause: cause))
    }
}

/// Decides whether the magnetometer may correct the yaw. It may not after motion under satellites has contradicted it.
///
/// A contradicted field is used again once it has agreed with the yaw for long enough.
package struct FieldTrust: Sendable, Codable {
    /// Whether motion has contradicted the field.
    package private(set) var isRefuted = false
    private var agreesSince: BootTime?

    /// Time for which a contradicted field must agree before it is used again. Unit: seconds.
    private static let agreementSeconds = 30.0
    /// Standard deviation of the direction of an undisturbed field. Unit: radians.
    private static let directionStandardDeviation = 0.1
    /// Number of standard deviations of the innovation up to which the field agrees with the yaw.
    private static let gate = 2.0

    mutating func refute() {
        self = FieldTrust()
        isRefuted = true
    }

    /// Returns whether a sample may correct the yaw. A contradicted field must first agree for long enough.
    ///
    /// - Parameters:
    ///   - innovation: innovation of the yaw that the field measures. Unit: radians.
    ///   - standardDeviation: standard deviation of the yaw. Unit: radians.
    mutating func allows(innovation: Double, standardDeviation: Double, at time: BootTime) -> Bool {
        guard isRefuted else { return true }
        let spread =
            (standardDeviation * standardDeviation + Self.directionStandardDeviation * Self.directionStandardDeviation)
            .squareRoot()
        guard innovation.magnitude < Self.gate * spread else {
            agreesSince = nil
            return false
        }
        guard agreesSince.lasting(at: time) >= Self.agreementSeconds else { return false }
        self = FieldTrust()
        return true
    }
}
