import Geometry

/// What the inertial sensors felt since an instant, summed up so that an earlier part can be taken off again.
package struct StepMotion: Sendable {
    /// Unit: seconds.
    package private(set) var duration = 0.0
    /// The change of velocity since the instant, and its integral. Frame: ENU. Units: m/s, metres.
    package private(set) var velocityChange = Vector3.zero
    package private(set) var displacement = Vector3.zero
    /// Integral of the squared angular rate. Unit: rad²/s.
    private var turning = 0.0
    /// Integrals of the smoothed horizontal and vertical acceleration, and of their squares. Units: m/s, m²/s³.
    private var sum = Vector3.zero
    private var horizontalSquare = 0.0
    private var verticalSquare = 0.0
    /// Integral of up × the body's x axis. Frame: ENU. Unit: seconds.
    private var forward = Vector3.zero

    package init() {}

    mutating func add(
        acceleration: Vector3, smoothed: Vector3, squaredRate: Double, forward: Vector3, over interval: Double
    ) {
        self.forward += forward * interval
        displacement += (velocityChange + acceleration * (interval / 2)) * interval
        velocityChange += acceleration * interval
        duration += interval
        turning += squaredRate * interval
        sum += smoothed * interval
        horizontalSquare += (smoothed.x * smoothed.x + smoothed.y * smoothed.y) * interval
        verticalSquare += smoothed.z * smoothed.z * interval
    }

    /// What remains when counting begins anew after the part `first`.
    func since(_ first: StepMotion) -> StepMotion {
        var result = self
        result.duration -= first.duration
        result.velocityChange -= first.velocityChange
        result.displacement -= first.displacement + first.velocityChange * result.duration
        result.turning -= first.turning
        result.forward -= first.forward
        result.sum -= first.sum
        result.horizontalSquare -= first.horizontalSquare
        result.verticalSquare -= first.verticalSquare
        return result
    }

    /// Mean velocity against the velocity at the begin. Frame: ENU. Unit: m/s.
    var meanVelocityChange: Vector3 { duration > 0 ? displacement / duration : .zero }

    /// Mean of up × the body's x axis. Frame: ENU.
    var meanForward: Vector3 { duration > 0 ? forward / duration : .zero }

    /// Root mean square of the angular rate. Unit: rad/s.
    var rotationRate: Double { duration > 0 ? (max(0, turning) / duration).squareRoot() : 0 }

    /// Ratio of the horizontal to the vertical oscillation.
    var horizontalShare: Double {
        guard duration > 0 else { return 0 }
        let horizontal = horizontalSquare - (sum.x * sum.x + sum.y * sum.y) / duration
        let vertical = verticalSquare - sum.z * sum.z / duration
        return (max(0, horizontal) / max(vertical, 1e-9)).squareRoot()
    }
}
