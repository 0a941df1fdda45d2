import Geometry
import Model

/// Motion model that one regime uses between measurements. The strapdown mechanisation applies it to the mean and
/// `MotionTransition` to the errors, so that mean and covariance follow the same description.
///
/// With the specific force f, the accelerometer bias b, gravity g and the interval Δ:
///
///     v′ = C·v + D·(∫R·(f − b) dt + g·Δ) + w
///     p′ = p + ½Δ·C·(v + v′) + u
///
/// D is 1 in the axes in which the force drives the velocity, and 0 in the others, where the velocity is a random walk
/// w. C is 0 in the horizontal axes while steps are the source of the motion, and 1 otherwise. If C is 0, w is the
/// velocity of the steps, whose variance is `paceVariance`, and the position moves by the displacements u of the steps.
/// Each step adds its errors to the covariance.
///
/// Equations: docs/filter.md (7), (8), (10), (11).
package struct ProcessModel: Hashable, Sendable {
    package enum HorizontalMotion: UInt8, CaseIterable, Hashable, Sendable {
        /// The specific force, integrated twice.
        case inertial
        /// Fixes. The velocity is a random walk, because the direction of the force is unknown without a heading.
        case fixes
        /// Steps, which set the velocity and whose displacements move the position.
        case steps
    }

    package let horizontal: HorizontalMotion
    /// Whether the accelerometer delivers samples; if it does not, the velocity is a random walk in all axes.
    package let hasForce: Bool
    /// Whether the noise has the larger values for motion without satellites, so that gravity, field and
    /// pseudo-measurements correct attitude and velocity sooner.
    package let isNoiseAssumed: Bool

    package init(horizontal: HorizontalMotion, hasForce: Bool, isNoiseAssumed: Bool) {
        self.horizontal = horizontal
        self.hasForce = hasForce
        self.isNoiseAssumed = isNoiseAssumed
    }

    /// Diagonal elements of D for the horizontal axes and the vertical axis.
    @inline(__always)
    var driven: (horizontal: Double, vertical: Double) {
        (hasForce && horizontal == .inertial ? 1 : 0, hasForce ? 1 : 0)
    }

    /// Variance of each horizontal component of the velocity around the velocity of the steps, because a walker's body
    /// oscillates. Unit: m²/s².
    static let paceVariance = 0.04

    /// Horizontal diagonal elements of C; the vertical element is 1.
    @inline(__always)
    var carried: Double { horizontal == .steps ? 0 : 1 }

    /// `D·x`. Frame: ENU.
    @inline(__always)
    func driven(_ vector: Vector3) -> Vector3 {
        let (level, up) = driven
        return Vector3(level * vector.x, level * vector.y, up * vector.z)
    }
}

/// Noise densities of a process model at one sample.
struct ProcessNoise: Sendable {
    /// White noise of the angular rate, per axis. Unit: rad²/s.
    var gyro: Double
    /// Density of the yaw rate minus the density of the tilt rate: the noise that lets gravity correct the tilt does
    /// not apply to the yaw. Unit: rad²/s.
    var yawExcess: Double
    /// White noise of the specific force, per axis that the force drives. Unit: m²/s³.
    var accelerometer: Double
    /// Random walk of the velocity, per horizontal axis. Unit: m²/s³.
    var horizontalWalk = 0.0
    /// Random walk of the vertical velocity. Unit: m²/s³.
    var verticalWalk = 0.0
}

extension ErrorStateKalmanFilter {
    /// Returns the noise of the current process model at a sample.
    ///
    /// Equation: docs/filter.md (15).
    @inline(__always)
    func processNoise(isGap: Bool) -> ProcessNoise {
        let (inertial, assumed) = (settings.inertial, settings.unaided)
        // The errors of an oscillation cancel, so only the mean rate contributes.
        let turning = settings.parts.contains(.turnNoise) ? rest.meanRate.norm : 0
        var noise: ProcessNoise
        if rules.process.isNoiseAssumed {
            let turn = assumed.turnError * turning
            let gyro = assumed.gyroNoise * assumed.gyroNoise
            noise = ProcessNoise(
                gyro: gyro + turn * turn, yawExcess: assumed.yawNoise * assumed.yawNoise - gyro,
                accelerometer: assumed.accelerometerNoise * assumed.accelerometerNoise)
        } else {
            let turn = inertial.turnError * turning
            let seen = settings.parts.contains(.vibrationNoise) ? rest.vibration : VibrationMeter()
            noise = ProcessNoise(
                gyro: inertial.gyroNoise * inertial.gyroNoise + inertial.gyroVibrationShare * seen.rateDensity
                    + turn * turn,
                yawExcess: 0,
                accelerometer: inertial.accelerometerNoise * inertial.accelerometerNoise
                    + inertial.accelerometerVibrationShare * seen.forceDensity)
        }
        let lost = inertial.gapAccelerometerNoise * inertial.gapAccelerometerNoise
        if isGap {
            noise.gyro = inertial.gapGyroNoise * inertial.gapGyroNoise
            noise.yawExcess = 0
            noise.accelerometer = lost
        }
        if rules.process.horizontal == .fixes {
            noise.horizontalWalk = inertial.unobservedHeadingNoise * inertial.unobservedHeadingNoise
        }
        if !rules.process.hasForce {
            if rules.process.horizontal != .steps { noise.horizontalWalk += lost }
            noise.verticalWalk = lost
        }
        return noise
    }
}

/// Strapdown mechanisation. A sample is the mean over the interval that ends at its time stamp, as the digital filters
/// of MEMS sensors output it.
///
/// If a sample were taken as the value at its time stamp, the integral of a fast rotation would lag by half an
/// interval.
///
/// Source: Solà 2017, equations (261) and (262); coning: Savage, "Strapdown inertial navigation integration algorithm
/// design", J. Guidance 21(1), 1998, equation (31) with two samples.
extension ErrorStateKalmanFilter {
    /// Predicts the state at the time of the next inertial sample.
    ///
    /// Equations: docs/filter.md (3) to (8).
    ///
    /// - Returns: the integrated motion over the interval, free of corrections.
    @discardableResult
    package mutating func propagate(to next: InertialSample) -> InertialIncrement {
        let duration = next.time.seconds(since: state.time)
        guard duration > 0 else { return .none }
        noteForce(isStale: next.isForceStale)
        let rate = state.rate(next.rate)
        let coning = state.rate(inertial.rate).cross(rate) * (duration * duration / 12)
        let turn = Rotation3.exp(rate * duration + coning)
        let matrixBefore = state.rotationENUFromBody.matrix
        state.rotationENUFromBody = state.rotationENUFromBody * turn
        if let site {
            state.rotationENUFromBody = Rotation3.exp(site.earthRate * -duration) * state.rotationENUFromBody
        }
        let matrixAfter = state.rotationENUFromBody.matrix
        let rotation = (duration / 2) * (matrixBefore + matrixAfter)
        let fall = gravityAndRotation * duration
        let impulse = rotation * (next.force - state.accelerometerBias)
        let change = rules.process.driven(impulse + fall)
        if rules.process.horizontal == .steps { walkOn(over: duration) }
        let mean = state.velocity + change * 0.5
        state.position += mean * duration
        state.velocity += change
        let isGap = duration > settings.inertial.gapSeconds
        if isGap {
            // The force during the gap is unknown.
            forceMean = ForceMean()
        } else if rules.process.hasForce {
            forceMean.add(impulse, rateAboutUp: (matrixAfter * rate).z, over: duration)
        }
        state.time = next.time
        accelerationMean.add(change, over: duration)
        accumulate(duration, rotation, rotation.scalingColumns(by: rate), impulse, isGap: isGap)
        heading.motion.add(impulse + fall)
        if isGap || !rules.process.hasForce { heading.motion.interrupt() }
        inertial = next
        return InertialIncrement(turn: turn, displacement: mean * duration, duration: duration)
    }

    /// Changes the regime if the accelerometer has fallen silent or delivers samples again. The change takes effect
    /// from the next sample.
    @inline(__always)
    mutating func noteForce(isStale: Bool) {
        guard isStale == regime.hasForce else { return }
        var next = regime
        next.hasForce = !isStale
        change(to: next)
    }

    /// Gravity, plus the Coriolis acceleration once the position is known. Frame: ENU. Unit: m/s².
    @inline(__always)
    var gravityAndRotation: Vector3 {
        guard let site else { return Vector3(0, 0, -Site.standardGravity) }
        return Vector3(0, 0, -site.gravity) - 2 * site.earthRate.cross(state.velocity)
    }

    /// Acceleration that the newest sample measured, without gravity; zero while the accelerometer is silent. Frame:
    /// ENU. Unit: m/s².
    @inline(__always)
    package var acceleration: Vector3 {
        guard rules.process.hasForce else { return .zero }
        return state.rotationENUFromBody * (inertial.force - state.accelerometerBias) + gravityAndRotation
    }

    /// Accumulates the transition and process noise of one inertial sample until the covariance is next predicted.
    ///
    /// Equation: docs/filter.md (15).
    ///
    /// - Parameters:
    ///   - turns: `∫R·diag(ω) dt`. Unit: radians.
    ///   - impulse: `∫R·(f − b) dt`. Frame: ENU. Unit: m/s.
    mutating func accumulate(
        _ duration: Double, _ rotation: Matrix<3, 3>, _ turns: Matrix<3, 3>, _ impulse: Vector3, isGap: Bool
    ) {
        let noise = processNoise(isGap: isGap)
        pending.duration += duration
        pending.rotation = pending.rotation + rotation
        pending.turns = pending.turns + turns
        pending.force += impulse
        pending.attitudeVariance += noise.gyro * duration
        pending.yawVariance += noise.yawExcess * duration
        pending.forceVariance += noise.accelerometer * duration
        pending.horizontalWalk += noise.horizontalWalk * duration
        pending.verticalWalk += noise.verticalWalk * duration
        if pending.duration >= Self.covarianceInterval { propagateCovariance() }
    }
}

/// Motion over one or several inertial intervals, free of corrections.
package struct InertialIncrement: Sendable {
    /// Rotation from the body axes at the end to the body axes at the beginning.
    package var turn: Rotation3
    /// Displacement. Frame: ENU. Unit: metres.
    package var displacement: Vector3
    /// Length of the interval. Unit: seconds.
    package var duration: Double

    package static let none = InertialIncrement(turn: .identity, displacement: .zero, duration: 0)

    package mutating func add(_ next: InertialIncrement) {
        turn = turn * next.turn
        displacement += next.displacement
        duration += next.duration
    }
}

/// Transition and process noise that the mechanisation accumulates between two predictions of the covariance.
package struct PendingPropagation: Sendable, Codable {
    /// Accumulated time. Unit: seconds.
    package var duration = 0.0
    /// `∫R dt`. Unit: seconds.
    package var rotation = Matrix<3, 3>()
    /// `∫R·diag(ω) dt`. Unit: radians.
    package var turns = Matrix<3, 3>()
    /// `∫R·f dt`. Frame: ENU. Unit: m/s.
    package var force = Vector3.zero
    /// Attitude variance that white noise adds, per axis. Unit: rad².
    package var attitudeVariance = 0.0
    /// Variance added to the yaw variance. It is negative if the noise that lets gravity correct the tilt does not
    /// apply to the yaw. Unit: rad².
    package var yawVariance = 0.0
    /// Velocity variance that white noise of the force adds, per axis that the force drives. Unit: (m/s)².
    package var forceVariance = 0.0
    /// Velocity variance that a random walk adds, per horizontal axis. Unit: (m/s)².
    package var horizontalWalk = 0.0
    /// Variance that a random walk adds to the vertical velocity. Unit: (m/s)².
    package var verticalWalk = 0.0
    /// Time since the slow states were last predicted. Unit: seconds.
    package var slowDuration = 0.0
    /// Horizontal distance since the slow states were last predicted. Unit: metres.
    package var way = 0.0

    /// Resets the sums that a prediction of the motion states has used, and keeps the sums for the slow states.
    mutating func endMotion() {
        let (slow, far) = (slowDuration + duration, way)
        self = PendingPropagation()
        slowDuration = slow
        way = far
    }
}

extension EstimatorSettings {
    /// Noise of the inertial sensors while position or velocity is measured, and limits of gaps in their samples.
    public struct Inertial: Hashable, Sendable {
        /// White noise density of the gyroscope. Raise it to let other measurements correct the attitude sooner.
        /// Unit: rad/s/√Hz. Origin: 0.017 °/s/√Hz, two to three times the noise of usual parts, to cover misalignment
        /// errors.
        public var gyroNoise = 3e-4
        /// White noise density of the accelerometer. Raise it to let other measurements correct the velocity sooner.
        /// Unit: m/s²/√Hz. Origin: 1.5 mg/√Hz, ten times the noise of usual parts, to cover scale and misalignment
        /// errors; a smaller value makes the filter slow and over-confident.
        public var accelerometerNoise = 0.01
        /// Share of the noise variance in the gyroscope's samples that is added to `gyroNoise`. This share is vibration
        /// above the bandwidth of the sensor; the rest is motion, whose errors cancel. Raise it to trust the gyroscope
        /// less while it vibrates. Origin: comparison of yaw and course in a driven car; walks do not depend on this
        /// value.
        public var gyroVibrationShare = 0.12
        /// Share of the noise variance in the accelerometer's samples that is added to `accelerometerNoise`. Raise it
        /// to trust the accelerometer less while it vibrates. Origin: position of a driven car after outages; walks do
        /// not depend on this value.
        public var accelerometerVibrationShare = 0.3
        /// Time without a GNSS velocity after which the mean specific force is used as the direction of gravity. Raise
        /// it to let only velocities correct the tilt for longer. Unit: seconds. Origin: during a walk, the last GNSS
        /// velocity determines the vertical up to this age.
        public var levelAfterSeconds = 3.0
        /// Noise density of the specific force as the direction of gravity, on foot or at rest. Raise it to let the
        /// gyroscope determine the tilt for longer. Unit: m/s²·√s. Origin: recordings with optical ground truth.
        public var levelNoise = 0.6
        /// Noise density of the mean specific force as the direction of gravity, in a vehicle, which accelerates for
        /// seconds at a time. Raise it to let the gyroscope determine the tilt for longer while riding. Unit: m/s²·√s.
        public var ridingLevelNoise = 3.0
        /// Random walk of the gyroscope's bias. Raise it to follow a bias that changes. Unit: rad/s/√s. Origin: 0.017
        /// °/s after an hour, the in-run stability of consumer parts.
        public var gyroBiasWalk = 5e-6
        /// Random walk of the gyroscope's scale. Raise it to follow a scale that changes. Unit: 1/√s. Origin: 0.3 %
        /// after an hour, due to temperature.
        public var gyroScaleWalk = 5e-5
        /// Random walk of the accelerometer's bias. Raise it to follow a bias that changes. Unit: m/s²/√s. Origin: 2 mg
        /// after an hour, the in-run stability of consumer parts.
        public var accelerometerBiasWalk = 3e-4
        /// Attitude error that a turn causes and no state models, as a share of the turn. The error is correlated over
        /// the turn, about a second. Raise it to let other measurements correct the attitude sooner after a turn.
        /// Origin: the amount by which axes are not perpendicular after a factory calibration.
        public var turnError = 1e-3
        /// Longest interval between two samples that does not count as a gap. Raise it to integrate across longer
        /// intervals. Unit: seconds. Origin: ten samples at 100 Hz.
        public var gapSeconds = 0.1
        /// Length of a gap after which attitude and scene frame are lost. Raise it to keep them over longer gaps. Unit:
        /// seconds. Origin: within this time a head can turn to any direction, and the linearisation no longer holds.
        public var lostSeconds = 2.0
        /// Noise density of the angular rate assumed within a gap. Raise it to trust the attitude less after a gap.
        /// Unit: rad/s/√Hz. Origin: half a radian in a second.
        public var gapGyroNoise = 0.5
        /// Noise density of the acceleration assumed within a gap. Raise it to trust the velocity less after a gap.
        /// Unit: m/s²/√Hz. Origin: a walker who stops within a second.
        public var gapAccelerometerNoise = 2.0
        /// Noise density of the horizontal acceleration while fixes arrive and the heading is unknown. It covers the
        /// velocity changes of a walk or a drive. Raise it to follow the receiver's velocity sooner. Unit: m/s²/√Hz.
        public var unobservedHeadingNoise = 0.7
    }
}
