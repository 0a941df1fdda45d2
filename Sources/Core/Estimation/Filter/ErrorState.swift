import Geometry
import Glibc
import Model

/// Layout of the error state: the index of the first element of each part. A new state needs a line here, in
/// `NavigationState` and in `GainMask` (all of whose bits are in use), a process noise in
/// `ErrorStateKalmanFilter+Covariance`, and its columns in the Jacobians of the measurements that observe it.
/// The attitude error is global, in ENU axes, `R_true = exp(δθ)·R`: its third component is the yaw error.
/// Equation: docs/filter.md (1).
package enum ErrorState {
    /// Attitude error. Frame: ENU. Unit: radians.
    package static let attitude = 0
    /// Velocity of the inertial sensor. Frame: ENU. Unit: m/s.
    package static let velocity = 3
    /// Position of the inertial sensor. Frame: ENU at the origin. Unit: metres.
    package static let position = 6
    /// Bias of the gyroscope. Frame: body. Unit: rad/s.
    package static let gyroBias = 9
    /// Bias of the accelerometer. Frame: body. Unit: m/s².
    package static let accelerometerBias = 12
    /// Slowly varying error of the GNSS positions. Frame: ENU. Unit: metres.
    package static let gnssError = 15
    /// Hard iron of the magnetometer. Frame: body. Unit: microtesla.
    package static let hardIron = 18
    /// Azimuth of the local field minus the model azimuth, clockwise. Unit: radians.
    package static let magneticOffset = 21
    /// Slowly varying error of the GNSS velocities. Frame: ENU. Unit: m/s.
    package static let gnssVelocityError = 22
    /// Natural logarithm of the ratio of true to modelled step length.
    package static let stepScale = 25
    /// Azimuth of the walking direction minus the azimuth of the board's forward direction, clockwise. Unit: radians.
    package static let walkingDirection = 26
    /// Latency of the GNSS velocity relative to the fix epoch. Unit: seconds.
    package static let velocityDelay = 27
    /// Pressure height minus ellipsoidal height. Unit: metres.
    package static let pressureOffset = 28
    /// Scale-factor error of the gyroscope, as the share by which each measured rate is too large. Frame: body.
    package static let gyroScale = 29
    package static let count = 32

    /// Yaw error, the third component of `attitude`. Unit: radians.
    package static let yaw = attitude + 2
}

/// Covariance of the error state. It is symmetric to the last bit.
package typealias Covariance = Matrix<32, 32>
/// Jacobian of a measurement, which has one or several components, with respect to the error state.
package typealias Jacobian<let Rows: Int> = Matrix<Rows, 32>

/// Set of the states that a measurement may correct. All others are consider states (Schmidt): their values do not
/// change, but their uncertainty is taken into account.
package struct GainMask: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Returns the mask of `count` successive states. The default is the three states of a vector.
    package static func states(_ offset: Int, count: Int = 3) -> GainMask {
        GainMask(rawValue: (UInt32.max >> UInt32(32 - count)) << UInt32(offset))
    }

    package static let all = states(0, count: ErrorState.count)
    package static let tilt = states(ErrorState.attitude, count: 2)
    package static let yaw = states(ErrorState.yaw, count: 1)
    package static let velocity = states(ErrorState.velocity)
    package static let position = states(ErrorState.position)
    package static let gyroBias = states(ErrorState.gyroBias)
    package static let accelerometerBias = states(ErrorState.accelerometerBias)
    package static let gnssError = states(ErrorState.gnssError)
    package static let hardIron = states(ErrorState.hardIron)
    package static let magneticOffset = states(ErrorState.magneticOffset, count: 1)
    package static let stepScale = states(ErrorState.stepScale, count: 1)
    package static let walkingDirection = states(ErrorState.walkingDirection, count: 1)
    package static let velocityDelay = states(ErrorState.velocityDelay, count: 1)
    package static let pressureOffset = states(ErrorState.pressureOffset, count: 1)
    package static let gyroScale = states(ErrorState.gyroScale)
    /// States that a single fix may correct, because it measures the position, but neither motion nor attitude.
    package static let place: GainMask = [.position, .gnssError]

    /// Whether the mask contains a state.
    @inlinable
    package func allows(_ state: Int) -> Bool { rawValue >> UInt32(state) & 1 == 1 }

    package var count: Int { rawValue.nonzeroBitCount }

    /// Indices of the states in the mask, ascending.
    @inline(__always)
    package var indices: Indices { Indices(rest: rawValue) }

    package struct Indices: Sequence, IteratorProtocol {
        fileprivate var rest: UInt32

        @inline(__always)
        package mutating func next() -> Int? {
            guard rest != 0 else { return nil }
            defer { rest &= rest &- 1 }
            return rest.trailingZeroBitCount
        }
    }
}

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
    /// Scale-factor error of the gyroscope, as the share by which each measured rate is too large. Frame: body.
    package var gyroScale = Vector3.zero

    package init(time: BootTime, rotationENUFromBody: Rotation3) {
        self.time = time
        self.rotationENUFromBody = rotationENUFromBody
    }

    /// Corrects the angular rate of a gyroscope sample for bias and scale-factor errors. Frame: body. Unit: rad/s.
    @inline(__always)
    package func rate(_ sample: Vector3) -> Vector3 {
        let unbiased = sample - gyroBias
        return unbiased - unbiased.scaled(by: gyroScale)
    }

    /// Injects an error state: `R ← exp(δθ)·R` for the attitude, addition for all other states.
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

    /// Whether velocity and position are possible. No wearer is faster than 1 km/s, or farther from the origin than a
    /// quarter of the earth's circumference.
    package var isOnEarth: Bool { velocity.squaredNorm < 1e6 && position.squaredNorm < 1e14 }

    /// Whether every component is finite. A sum is finite only if all its terms are.
    package var isFinite: Bool {
        let turn = rotationENUFromBody.w + rotationENUFromBody.x + rotationENUFromBody.y + rotationENUFromBody.z
        let motion = velocity + position + gyroBias + accelerometerBias
        let aids = gnssError + hardIron + gnssVelocityError + gyroScale
        let rest = magneticOffset + stepScale + walkingDirection + velocityDelay + pressureOffset
        return (turn + motion.x + motion.y + motion.z + aids.x + aids.y + aids.z + rest).isFinite
    }
}

/// Gravity, earth rotation and magnetic field at a location on earth.
package struct Site: Hashable, Sendable, Codable {
    /// Normal gravity. Unit: m/s².
    package var gravity: Double
    /// Rotation of the earth. Frame: ENU. Unit: rad/s.
    package var earthRate: Vector3
    /// Magnetic field according to the model; nil without a model.
    package var field: GeomagneticField?
    /// Whether an earlier run ended at this location and no fix has confirmed it yet.
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
