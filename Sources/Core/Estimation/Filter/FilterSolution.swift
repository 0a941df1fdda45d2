import Geometry
import Model

/// Quantities of a pose that the filter does not store.
///
/// They are computed together and in place, because each call of a filter function from another module would copy the
/// whole filter.
package struct FilterSolution: Sendable {
    /// Acceleration without gravity; zero while the accelerometer is silent. Frame: ENU. Unit: m/s².
    package let acceleration: Vector3
    /// Angular rate at the newest sample, without its errors. Frame: body. Unit: rad/s.
    package let rate: Vector3
    /// Reference of the heading; `none` while it is unknown.
    package let headingReference: HeadingReference
    package let motion: MotionEstimate
    /// Accuracies of position, yaw and velocity.
    package let accuracy: PoseAccuracy
    /// Variance of the gyroscope bias, averaged over the axes. Unit: (rad/s)².
    package let gyroBiasVariance: Double
    /// Variances of the gyroscope's scale. Frame: body.
    package let gyroScaleVariances: Vector3
    /// Largest standard deviation of the gyroscope bias over the axes. Unit: rad/s.
    package let gyroBiasStandardDeviation: Double
    /// Whether at least two successive positions were beyond the gate.
    package let isGNSSContradicted: Bool
    /// Standard deviation of the receiver's slow error along the less accurate horizontal axis; 0 before the first
    /// position. Unit: metres.
    package let gnssStandardDeviation: Double
    /// Standard deviation of the yaw from the covariance, even if motion has not confirmed the yaw. Unit: radians.
    package let yawAccuracy: Double?
    /// Whether the heading comes from a magnetometer that motion has not confirmed.
    package let isHeadingUnconfirmed: Bool
    /// Time of the newest camera pose that corrected the state.
    package let lastCameraPose: BootTime?
    /// Time of the newest offer of another program that corrected the state.
    package let lastOffer: BootTime?
    /// Whether the magnetometer measures a field that disagrees with the expected field.
    package let isFieldDisturbed: Bool

    /// Lower limit of the accuracy of a yaw that only the compass measures, which may have any error. It is 60°,
    /// because three times this angle is half a turn. Unit: radians.
    ///
    /// Equation: docs/filter.md (57).
    private static let compassAlone = 1.047198
    /// Lower limit of the same accuracy if an earlier run has confirmed the compass. It is 12°, because three times
    /// this angle covers the deflection by a small magnet added since. Unit: radians.
    ///
    /// Equation: docs/filter.md (57).
    private static let compassOfEarlierRun = 0.21

    @inline(__always)
    private static func minimumYaw(_ heading: HeadingKnowledge) -> Double {
        guard heading.isCompassAlone else { return 0 }
        if !heading.isCompassUnconfirmed { return compassOfEarlierRun }
        // Without fixes, only the compass will ever measure the yaw. The accuracy of the compass itself is then more
        // informative than this limit.
        return heading.awaitsMotion ? compassAlone : 0
    }

    /// - Parameter filter: filter to read. It is not changed: a filter that is passed as a value is copied.
    @inline(__always)
    init(_ filter: inout ErrorStateKalmanFilter) {
        acceleration = filter.acceleration
        rate = filter.state.rate(filter.inertial.rate)
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

/// Accuracies of position, yaw and velocity, from the covariance and from errors that the covariance does not model.
extension ErrorStateKalmanFilter {
    /// Accuracies of position, yaw and velocity. Lower limits for a yaw from the compass alone are not applied here.
    ///
    /// Equations: docs/filter.md (56), (57).
    @inline(__always)
    var accuracy: PoseAccuracy {
        var result = PoseAccuracy(horizontal: nil, vertical: nil, yaw: nil)
        if gnss.hasPosition {
            // Without fixes, the covariance assumes that the wearer stays in place, so the variance of unnoticed motion
            // is added.
            let away = unnoticedVariance + rideVariance
            let mean = meanHorizontalVariance(ErrorState.position)
            let doubt = gnss.doubt(state.gnssError)
            let variance = max(0, mean) + gnss.lastingVariance + away + doubt * doubt
            result.horizontal = PoseAccuracy.radius68 * variance.squareRoot()
            result.vertical = standardDeviation(ErrorState.position + 2)
        }
        if rules.hasYaw {
            let yaw = standardDeviation(ErrorState.yaw)
            result.yaw = min(.pi, (yaw * yaw + contradictionVariance).squareRoot())
        }
        addVelocity(&result)
        return result
    }

    /// Variance of each horizontal position component due to unnoticed motion. Unit: m².
    @inline(__always)
    package var unnoticedVariance: Double {
        guard !rules.measuresMotion else { return 0 }
        let away = settings.unaided.unnoticedSpeed * state.time.seconds(since: place.since)
        return away * away + (place.variance?.x ?? 0)
    }

    /// Position variance that arises without fixes because a vehicle may brake or turn. Unit: m².
    @inline(__always)
    private var rideVariance: Double {
        guard rules.isVehicle, let age = gnss.age(at: state.time), age > Self.rideSilence else { return 0 }
        let away = settings.vehicle.distanceShare * gnss.lastSpeed * age
        return away * away
    }

    /// Age of the last fix beyond which `rideVariance` grows. Unit: seconds.
    private static let rideSilence = 1.5

    @inline(__always)
    private func addVelocity(_ accuracy: inout PoseAccuracy) {
        // While no fixes measure the velocity, it is only assumed that the wearer stays in place. So the speed of
        // unnoticed motion is added.
        let unnoticed = rules.measuresMotion ? 0 : settings.unaided.unnoticedSpeed
        let consistency = gnss.velocityConsistency
        let mean = meanHorizontalVariance(ErrorState.velocity)
        accuracy.velocityHorizontal =
            PoseAccuracy.radius68
            * (max(0, mean) * consistency.horizontalFactor * consistency.horizontalFactor + unnoticed * unnoticed)
            .squareRoot()
        accuracy.velocityVertical = standardDeviation(ErrorState.velocity + 2) * consistency.verticalFactor
    }

    /// Variance of the gyroscope bias, averaged over the axes, and standard deviation of the least certain axis. Units:
    /// (rad/s)², rad/s.
    @inline(__always)
    var gyroBiasUncertainty: (variance: Double, worst: Double) {
        let b = ErrorState.gyroBias
        let x = covariance.rows[b][b]
        let y = covariance.rows[b + 1][b + 1]
        let z = covariance.rows[b + 2][b + 2]
        return ((x + y + z) / 3, max(0, max(x, max(y, z))).squareRoot())
    }

    /// Variances of the gyroscope's scale-factor errors.
    @inline(__always)
    var gyroScaleVariances: Vector3 {
        let s = ErrorState.gyroScale
        return Vector3(covariance.rows[s][s], covariance.rows[s + 1][s + 1], covariance.rows[s + 2][s + 2])
    }
}
