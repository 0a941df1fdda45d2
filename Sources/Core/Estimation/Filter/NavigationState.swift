import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Nominal state; the error state holds its small errors.
package struct NavigationState: Hashable, Sendable, Codable {
    package var time: BootTime
    package var rotationENUFromBody: Rotation3
    /// Velocity of the inertial sensor. Frame: ENU. Unit: m/s.
    package var velocity = Vector3.zero
    /// Position of the inertial sensor. Frame: ENU at the origin. Unit: metres.
    package var position = Vector3.zero
    /// Bias of the gyroscope. Frame: body. Unit: rad/s.
    package var gyroBias = Vector3.zero
    /// Bias of the accelerometer. Frame: body. Unit: m/s².
    package var accelerometerBias = Vector3.zero
    /// Slowly varying error of GNSS positions. Frame: ENU. Unit: metres.
    package var gnssError = Vector3.zero
    /// Hard iron of the magnetometer. Frame: body. Unit: microtesla.
    package var hardIron = Vector3.zero
    /// Azimuth of the local field minus the model azimuth, clockwise. Unit: radians.
    package var magneticOffset = 0.0
    /// Slowly varying error of GNSS velocities. Frame: ENU. Unit: m/s.
    package var gnssVelocityError = Vector3.zero
    /// Natural logarithm of the ratio of true to modelled step length.
    package var stepScale = 0.0
    /// Azimuth of the walking direction minus the azimuth of the board's forward direction, clockwise. Unit: radians.
    package var walkingDirection = 0.0
    /// Latency of the GNSS velocity relative to the fix epoch. Unit: seconds.
    package var velocityDelay = 0.0
    /// Pressure height minus ellipsoidal height. Unit: metres.
    package var pressureOffset = 0.0
    /// Scale-factor error of the gyroscope: share by which each measured rate is too large. Frame: body.
    package var gyroScale = Vector3.zero

    package init(time: BootTime, rotationENUFromBody: Rotation3) {
        self.time = time
        self.rotationENUFromBody = rotationENUFromBody
    }

    /// Angular rate of a gyroscope sample, corrected for bias and scale-factor errors. Frame: body. Unit: rad/s.
    @inline(__always)
    package func rate(_ sample: Vector3) -> Vector3 {
        let unbiased = sample - gyroBias
        return unbiased - unbiased.scaled(by: gyroScale)
    }

    /// Injects an error state: `R ← exp(δθ)·R`, and addition for all other states.
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
        gyroScale += part(ErrorState.gyroScale)
    }

    /// Whether velocity and position are possible: no wearer is faster than 1 km/s or farther from the origin than a
    /// quadrant of the earth.
    package var isOnEarth: Bool { velocity.squaredNorm < 1e6 && position.squaredNorm < 1e14 }

    /// Whether every component is finite: a sum is finite only if all its terms are.
    package var isFinite: Bool {
        let turn = rotationENUFromBody.w + rotationENUFromBody.x + rotationENUFromBody.y + rotationENUFromBody.z
        let motion = velocity + position + gyroBias + accelerometerBias
        let aids = gnssError + hardIron + gnssVelocityError + gyroScale
        let rest = magneticOffset + stepScale + walkingDirection + velocityDelay + pressureOffset
        return (turn + motion.x + motion.y + motion.z + aids.x + aids.y + aids.z + rest).isFinite
    }
}

/// Properties of a location on earth: gravity, rotation of the earth, magnetic field.
package struct Site: Hashable, Sendable, Codable {
    /// Normal gravity. Unit: m/s².
    package var gravity: Double
    /// Rotation of the earth. Frame: ENU. Unit: rad/s.
    package var earthRate: Vector3
    /// Magnetic field by the model; nil without a model.
    package var field: GeomagneticField?
    /// Whether the location is the last location of an earlier run, and no fix has confirmed it.
    package var isAssumed = false

    /// Gravity while the position is unknown. Unit: m/s².
    package static let standardGravity = 9.80665

    package init(position: GeodeticPosition, field: GeomagneticField?) {
        let latitude = Angle.radians(degrees: position.latitudeDegrees)
        gravity = Ellipsoid.normalGravity(latitude: latitude, height: position.ellipsoidalHeight)
        earthRate = Vector3(0, cos(latitude), sin(latitude)) * Ellipsoid.rotationRate
        self.field = field
    }
}
