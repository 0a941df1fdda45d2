import Geometry

/// Motion model between measurements, in one regime. The strapdown mechanisation applies it to the mean and
/// `MotionTransition` to the errors, so that mean and covariance follow one description.
///
/// With the specific force f, the accelerometer bias b, gravity g, and an interval Δ:
///
///     v′ = C·v + D·(∫R·(f − b) dt + g·Δ) + w
///     p′ = p + ½Δ·C·(v + v′) + u
///
/// D is 1 in the axes in which the force drives the velocity, and 0 in the others, where the velocity is a random walk
/// w. C is 0 in the horizontal axes while steps are the source of the motion, else 1. With C = 0 the velocity w is the
/// velocity of the steps, known to `paceVariance`, and the position moves by the displacements u of the steps, whose
/// errors are added to the covariance with each step.
///
/// Equations: docs/filter.md (7), (8), (10), (11).
package struct ProcessModel: Hashable, Sendable {
    /// Source of the horizontal motion.
    package enum HorizontalMotion: UInt8, CaseIterable, Hashable, Sendable {
        /// The specific force, integrated twice.
        case inertial
        /// Fixes: the velocity is a random walk, because the direction of the force is unknown without a heading.
        case fixes
        /// Steps: they set the velocity, and their displacements move the position.
        case steps
    }

    package let horizontal: HorizontalMotion
    /// Whether the accelerometer measures; else the velocity is a random walk in all axes.
    package let hasForce: Bool
    /// Whether the noise has the values assumed without satellites, which let gravity, field and pseudo-measurements
    /// correct attitude and velocity sooner.
    package let isNoiseAssumed: Bool

    package init(horizontal: HorizontalMotion, hasForce: Bool, isNoiseAssumed: Bool) {
        self.horizontal = horizontal
        self.hasForce = hasForce
        self.isNoiseAssumed = isNoiseAssumed
    }

    /// Diagonal of D: horizontal and vertical axes.
    @inline(__always)
    var driven: (horizontal: Double, vertical: Double) {
        (hasForce && horizontal == .inertial ? 1 : 0, hasForce ? 1 : 0)
    }

    /// Variance of each horizontal velocity component about the speed of the steps, because a walker oscillates. Unit:
    /// m²/s².
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

/// Noise densities of a process model, at one sample.
struct ProcessNoise: Sendable {
    /// White noise of the angular rate, per axis. Unit: rad²/s.
    var gyro: Double
    /// Density of the yaw rate minus the density of the tilt rate: the noise that allows levelling by gravity does not
    /// apply to the yaw. Unit: rad²/s.
    var yawExcess: Double
    /// White noise of the specific force, per axis driven by the force. Unit: m²/s³.
    var accelerometer: Double
    /// Random walk of the velocity, per horizontal axis. Unit: m²/s³.
    var horizontalWalk: Double
    /// Random walk of the vertical velocity. Unit: m²/s³.
    var verticalWalk: Double
}

extension ErrorStateKalmanFilter {
    /// Noise of the current process model at a sample.
    ///
    /// Equation: docs/filter.md (15).
    @inline(__always)
    func processNoise(isGap: Bool) -> ProcessNoise {
        let (inertial, assumed) = (settings.inertial, settings.unaided)
        // The errors of an oscillation cancel: only the mean rate contributes.
        let turning = settings.parts.contains(.turnNoise) ? rest.meanRate.norm : 0
        var noise: ProcessNoise
        if rules.process.isNoiseAssumed {
            let turn = assumed.turnError * turning
            let gyro = assumed.gyroNoise * assumed.gyroNoise
            noise = ProcessNoise(
                gyro: gyro + turn * turn, yawExcess: assumed.yawNoise * assumed.yawNoise - gyro,
                accelerometer: assumed.accelerometerNoise * assumed.accelerometerNoise,
                horizontalWalk: 0, verticalWalk: 0)
        } else {
            let turn = inertial.turnError * turning
            let seen = settings.parts.contains(.vibrationNoise) ? rest.vibration : VibrationMeter()
            noise = ProcessNoise(
                gyro: inertial.gyroNoise * inertial.gyroNoise + inertial.gyroVibrationShare * seen.rateDensity
                    + turn * turn,
                yawExcess: 0,
                accelerometer: inertial.accelerometerNoise * inertial.accelerometerNoise
                    + inertial.accelerometerVibrationShare * seen.forceDensity,
                horizontalWalk: 0, verticalWalk: 0)
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
