import Geometry
import Model

/// The nominal state, around which the error state is small.
package struct NavigationState: Hashable, Sendable {
    package var time: BootTime
    package var rotationENUFromBody: Rotation3
    /// Frame: ENU. Unit: m/s.
    package var velocity = Vector3.zero
    /// Frame: ENU at the origin. Unit: metres.
    package var position = Vector3.zero
    /// Frame: body. Unit: rad/s.
    package var gyroBias = Vector3.zero
    /// Frame: body. Unit: m/s².
    package var accelerometerBias = Vector3.zero
    /// Frame: ENU. Unit: metres.
    package var gnssError = Vector3.zero
    /// Frame: body. Unit: microtesla.
    package var hardIron = Vector3.zero
    /// Clockwise. Unit: radians.
    package var magneticOffset = 0.0
    /// Frame: ENU. Unit: m/s.
    package var gnssVelocityError = Vector3.zero
    /// Natural logarithm of the true length of a step against the modelled one.
    package var stepScale = 0.0
    /// Of the walking direction against the board's, clockwise. Unit: radians.
    package var walkingDirection = 0.0
    /// By how much the receiver's velocity is older than its epoch says. Unit: seconds.
    package var velocityDelay = 0.0
    /// Of the pressure's height above the ellipsoidal one. Unit: metres.
    package var pressureOffset = 0.0

    package init(time: BootTime, rotationENUFromBody: Rotation3) {
        self.time = time
        self.rotationENUFromBody = rotationENUFromBody
    }

    /// Puts an error into the state, `R ← exp(δθ)·R` and sums elsewhere.
    ///
    /// Equations: docs/filter.md (1), (2).
    package mutating func inject(_ error: Jacobian<1>) {
        func part(_ offset: Int) -> Vector3 {
            Vector3(error[0, offset], error[0, offset + 1], error[0, offset + 2])
        }
        rotationENUFromBody = Rotation3.exp(part(ErrorState.attitude)) * rotationENUFromBody
        velocity += part(ErrorState.velocity)
        position += part(ErrorState.position)
        gyroBias += part(ErrorState.gyroBias)
        accelerometerBias += part(ErrorState.accelerometerBias)
        gnssError += part(ErrorState.gnssError)
        hardIron += part(ErrorState.hardIron)
        magneticOffset += error[0, ErrorState.magneticOffset]
        gnssVelocityError += part(ErrorState.gnssVelocityError)
        stepScale += error[0, ErrorState.stepScale]
        walkingDirection += error[0, ErrorState.walkingDirection]
        velocityDelay += error[0, ErrorState.velocityDelay]
        pressureOffset += error[0, ErrorState.pressureOffset]
    }

    /// No wearer is faster than 1 km/s or farther from the origin than the earth's quadrant.
    package var isOnEarth: Bool { velocity.squaredNorm < 1e6 && position.squaredNorm < 1e14 }

    /// No part of a sum that is finite is infinite, or no number.
    package var isFinite: Bool {
        let turn = rotationENUFromBody.w + rotationENUFromBody.x + rotationENUFromBody.y + rotationENUFromBody.z
        let motion = velocity + position + gyroBias + accelerometerBias
        let aids = gnssError + hardIron + gnssVelocityError
        let rest = magneticOffset + stepScale + walkingDirection + velocityDelay + pressureOffset
        return (turn + motion.x + motion.y + motion.z + aids.x + aids.y + aids.z + rest).isFinite
    }
}
