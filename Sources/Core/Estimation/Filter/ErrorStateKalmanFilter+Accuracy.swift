import Geometry
import Model

/// Accuracies of position, yaw and velocity: from the covariance, plus errors that the covariance does not model.
extension ErrorStateKalmanFilter {
    /// Accuracies of position, yaw and velocity. The yaw accuracy follows from the covariance, even if only the compass
    /// measures the yaw.
    ///
    /// Equations: docs/filter.md (56), (57).
    @inline(__always)
    var accuracy: PoseAccuracy {
        var result = PoseAccuracy(horizontal: nil, vertical: nil, yaw: nil)
        if gnss.hasPosition {
            let p = ErrorState.position
            // The covariance relies on the assumption that the wearer stays in place: it lacks the variance of
            // unnoticed motion.
            let away = unnoticedVariance + rideVariance
            let mean = (covariance.rows[p][p] + covariance.rows[p + 1][p + 1]) / 2
            let doubt = gnss.doubt(state.gnssError)
            let variance = max(0, mean) + gnss.lastingVariance + away + doubt * doubt
            result.horizontal = PoseAccuracy.radius68 * variance.squareRoot()
            result.vertical = standardDeviation(p + 2)
        }
        if rules.hasYaw {
            let yaw = standardDeviation(ErrorState.yaw)
            result.yaw = min(.pi, (yaw * yaw + contradictionVariance).squareRoot())
        }
        addVelocity(&result)
        return result
    }

    /// Position variance from braking and turning of a vehicle without fixes. Unit: m².
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
        let v = ErrorState.velocity
        // While no fixes measure the velocity, it is only an assumption that the wearer stays in place.
        let unnoticed = rules.measuresMotion ? 0 : settings.unaided.unnoticedSpeed
        let consistency = gnss.velocityConsistency
        let mean = (covariance.rows[v][v] + covariance.rows[v + 1][v + 1]) / 2
        accuracy.velocityHorizontal =
            PoseAccuracy.radius68
            * (max(0, mean) * consistency.horizontalFactor * consistency.horizontalFactor + unnoticed * unnoticed)
            .squareRoot()
        accuracy.velocityVertical = standardDeviation(v + 2) * consistency.verticalFactor
    }

    /// Variance of the gyroscope bias, mean over the axes, and standard deviation of the worst axis. Units: (rad/s)²,
    /// rad/s.
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
