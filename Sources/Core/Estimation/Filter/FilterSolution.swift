import Geometry
import Model

/// What a pose shows of the filter beyond its stored properties.
///
/// It is computed in place and at once, because each call of the filter's functions from another module would copy the
/// whole filter.
package struct FilterSolution: Sendable {
    /// Acceleration without gravity; zero while the accelerometer is silent. Frame: ENU. Unit: m/s².
    package let acceleration: Vector3
    /// Reference of the heading; none while it is unknown.
    package let headingReference: HeadingReference
    /// Most probable motion.
    package let motion: MotionEstimate
    /// Accuracies of position, yaw and velocity.
    package let accuracy: PoseAccuracy
    /// Variance of the gyroscope bias, mean over the axes. Unit: (rad/s)².
    package let gyroBiasVariance: Double
    /// Variances of the gyroscope's scale. Frame: body.
    package let gyroScaleVariances: Vector3
    /// Standard deviation of the gyroscope bias, of the worst axis. Unit: rad/s.
    package let gyroBiasStandardDeviation: Double
    /// Whether successive positions were beyond the gate.
    package let isGNSSContradicted: Bool
    /// Standard deviation of the receiver's slow error, of the worse horizontal axis; 0 before the first position.
    /// Unit: metres.
    package let gnssStandardDeviation: Double
    /// Accuracy of the yaw by the covariance, also where motion has not confirmed it. Unit: radians.
    package let yawAccuracy: Double?
    /// Whether the heading is that of a magnetometer that nothing has confirmed.
    package let isHeadingUnconfirmed: Bool
    /// Time of the newest pose of a camera that corrected the state.
    package let lastCameraPose: BootTime?
    /// Time of the newest other offer that did.
    package let lastOffer: BootTime?
    /// Whether the magnetometer reports a field that is not that of the place.
    package let isFieldDisturbed: Bool

    /// Least accuracy of a yaw by the compass alone, which may be off by any angle: 60°, three of which are half a
    /// turn. Unit: radians.
    ///
    /// Equation: docs/filter.md (57).
    private static let compassAlone = 1.047198
    /// The same where an earlier run has confirmed it: 12°, three of which cover what a small magnet put on since may
    /// turn it by. Unit: radians.
    ///
    /// Equation: docs/filter.md (57).
    private static let compassOfEarlierRun = 0.21

    @inline(__always)
    private static func leastYaw(_ heading: HeadingKnowledge) -> Double {
        guard heading.isCompassAlone else { return 0 }
        if !heading.isCompassUnconfirmed { return compassOfEarlierRun }
        // Where nothing but the compass will ever show the yaw, its own accuracy says more.
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
        if let yaw = accuracy.yaw { accuracy.yaw = max(yaw, Self.leastYaw(filter.heading)) }
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
