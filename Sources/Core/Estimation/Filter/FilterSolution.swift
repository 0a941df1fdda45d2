import Geometry
import Model

/// Quantities of a pose that are not stored properties of the filter.
///
/// They are computed together and in place, because calling the filter's functions from another module would copy the
/// whole filter at each call.
package struct FilterSolution: Sendable {
    /// Acceleration without gravity; zero while the accelerometer is silent. Frame: ENU. Unit: m/s².
    package let acceleration: Vector3
    /// Reference of the heading; `none` while it is unknown.
    package let headingReference: HeadingReference
    /// Most probable motion.
    package let motion: MotionEstimate
    /// Accuracies of position, yaw and velocity.
    package let accuracy: PoseAccuracy
    /// Variance of the gyroscope bias, mean over the axes. Unit: (rad/s)².
    package let gyroBiasVariance: Double
    /// Variances of the gyroscope's scale. Frame: body.
    package let gyroScaleVariances: Vector3
    /// Largest standard deviation of the gyroscope bias over the axes. Unit: rad/s.
    package let gyroBiasStandardDeviation: Double
    /// Whether at least two successive positions were beyond the gate.
    package let isGNSSContradicted: Bool
    /// Standard deviation of the receiver's slow error, of the worse horizontal axis; 0 before the first position.
    /// Unit: metres.
    package let gnssStandardDeviation: Double
    /// Standard deviation of the yaw from the covariance, even if motion has not confirmed the yaw. Unit: radians.
    package let yawAccuracy: Double?
    /// Whether the heading comes from a magnetometer that motion has not confirmed.
    package let isHeadingUnconfirmed: Bool
    /// Time of the newest pose of a camera that corrected the state.
    package let lastCameraPose: BootTime?
    /// Time of the newest offer of another program that corrected the state.
    package let lastOffer: BootTime?
    /// Whether the magnetometer measures a field that disagrees with the expected field.
    package let isFieldDisturbed: Bool

    /// Lower limit of the accuracy of a yaw by the compass alone, which may have any error: 60°, as three times this
    /// angle is half a turn. Unit: radians.
    ///
    /// Equation: docs/filter.md (57).
    private static let compassAlone = 1.047198
    /// Lower limit if an earlier run has confirmed the compass: 12°. Three times this angle covers the deflection by a
    /// small magnet added since. Unit: radians.
    ///
    /// Equation: docs/filter.md (57).
    private static let compassOfEarlierRun = 0.21

    @inline(__always)
    private static func minimumYaw(_ heading: HeadingKnowledge) -> Double {
        guard heading.isCompassAlone else { return 0 }
        if !heading.isCompassUnconfirmed { return compassOfEarlierRun }
        // Where only the compass will ever measure the yaw, its own accuracy is more informative.
        return heading.awaitsMotion ? compassAlone : 0
    }

    @inline(__always)
    init(_ filter: ErrorStateKalmanFilter) {
        acceleration = filter.acceleration
        lastCameraPose = filter.cameraTrust.lastUsed
        lastOffer = filter.offers.lastUsed
        let hasPosition = filter.gnss.hasPosition
        headingReference = filter.heading.reference
        motion = filter.modes.estimate
        var accuracy = filter.accuracy
        yawAccuracy = accuracy.yaw
        if let yaw = accuracy.yaw { accuracy.yaw = max(yaw, Self.minimumYaw(filter.heading)) }
        self.accuracy = accuracy
        gyroScaleVariances = filter.gyroScaleVariances
        (gyroBiasVariance, gyroBiasStandardDeviation) = filter.gyroBiasUncertainty
        isGNSSContradicted = hasPosition && filter.gnss.isContradicted
        gnssStandardDeviation =
            hasPosition ? max(filter.gnss.errorStandardDeviation.x, filter.gnss.errorStandardDeviation.y) : 0
        isHeadingUnconfirmed = filter.heading.isCompassUnconfirmed
        isFieldDisturbed =
            filter.magnetics.lastSample != nil
            && (filter.magnetics.verdict != .good || filter.magnetics.contradictedSince != nil)
    }
}
