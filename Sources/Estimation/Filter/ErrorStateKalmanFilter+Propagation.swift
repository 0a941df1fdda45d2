import Geometry
import Measurements

/// Strapdown mechanisation. A sample is taken as the mean over the interval that ends at its time stamp.
///
/// This is the output of the digital filters of MEMS sensors. If it were taken as the value at the time stamp, the
/// integral of a fast rotation would lag by half an interval.
///
/// Source: Solà 2017, equations (261) and (262); coning: Savage, "Strapdown inertial navigation integration algorithm
/// design", J. Guidance 21(1), 1998, equation (31) with two samples.
extension ErrorStateKalmanFilter {
    /// Predicts the state at the time of the next sample.
    ///
    /// Equations: docs/filter.md (3) to (8).
    ///
    /// - Returns: the motion over the interval as integrated, free of corrections.
    @discardableResult
    package mutating func propagate(to next: InertialSample) -> InertialIncrement {
        let duration = next.time.seconds(since: state.time)
        guard duration > 0 else { return .none }
        let rate = next.rate - state.gyroBias
        let coning = (inertial.rate - state.gyroBias).cross(rate) * (duration * duration / 12)
        let turn = Rotation3.exp(rate * duration + coning)
        let matrixBefore = state.rotationENUFromBody.matrix
        state.rotationENUFromBody = state.rotationENUFromBody * turn
        if let site {
            state.rotationENUFromBody = Rotation3.exp(site.earthRate * -duration) * state.rotationENUFromBody
        }
        let matrixAfter = state.rotationENUFromBody.matrix
        let rotation = (duration / 2) * (matrixBefore + matrixAfter)
        let fall = gravityAndRotation * duration
        // While the accelerometer is silent the velocity is assumed to stay constant.
        let impulse = next.isForceStale ? -fall : rotation * (next.force - state.accelerometerBias)
        let felt = impulse + fall
        // On foot without satellites steps alone determine the horizontal velocity; with an unobserved heading GNSS
        // does.
        let isForceUnused = isHeadingUnobserved || isStepping
        let change = isForceUnused ? Vector3(0, 0, felt.z) : felt
        if isStepping { walkOn(over: duration) }
        let mean = state.velocity + change * 0.5
        state.position += mean * duration
        state.velocity += change
        forceMean.add(impulse, rateAboutUp: (matrixAfter * rate).z, over: duration)
        state.time = next.time
        accelerationMean.add(change, over: duration)
        accumulate(
            duration, rotation, isForceUnused ? .zero : impulse, isStale: next.isForceStale,
            isGap: duration > settings.inertial.gapSeconds)
        heading.motion.add(felt)
        if next.isForceStale || duration > settings.inertial.gapSeconds { heading.motion.interrupt() }
        inertial = next
        return InertialIncrement(turn: turn, displacement: mean * duration, duration: duration)
    }

    /// Updates the detectors of rest and steps with the sample to which the state was predicted.
    @inline(__always)
    package mutating func finish(_ sample: InertialSample) {
        rest.add(sample, settings: settings.rest)
        followGait(sample)
    }

    /// Whether fixes come while the heading is unknown. The direction of the horizontal specific force is then unknown:
    /// a linear filter would attribute it to tilt and bias, so the receiver alone determines the velocity.
    @inline(__always)
    package var isHeadingUnobserved: Bool { !heading.isKnown && gnss.hasPosition && !unaided.isActive }

    /// Gravity, with the Coriolis acceleration once the position is known. Frame: ENU. Unit: m/s².
    @inline(__always)
    var gravityAndRotation: Vector3 {
        guard let site else { return Vector3(0, 0, -Site.standardGravity) }
        return Vector3(0, 0, -site.gravity) - 2 * site.earthRate.cross(state.velocity)
    }

    /// Acceleration by the newest sample, without gravity; zero while the accelerometer is silent. Frame: ENU. Unit:
    /// m/s².
    @inline(__always)
    package var acceleration: Vector3 {
        guard !inertial.isForceStale else { return .zero }
        return state.rotationENUFromBody * (inertial.force - state.accelerometerBias) + gravityAndRotation
    }

    /// Accumulates transition and process noise of one inertial sample until the next prediction of the covariance.
    ///
    /// Equation: docs/filter.md (15).
    mutating func accumulate(
        _ duration: Double, _ rotation: Matrix<3, 3>, _ impulse: Vector3, isStale: Bool, isGap: Bool
    ) {
        let noise = settings.inertial
        var (gyro, accelerometer) = noiseDensity
        if isGap { gyro = noise.gapGyroNoise * noise.gapGyroNoise }
        if isGap || isStale { accelerometer = noise.gapAccelerometerNoise * noise.gapAccelerometerNoise }
        // The scale-factor error of an oscillation cancels: only the mean rate contributes.
        let scaleError = unaided.isActive ? settings.unaided.gyroScaleError : noise.gyroScaleError
        let scale = scaleError * rest.meanRate.norm
        pending.duration += duration
        pending.rotation = pending.rotation + rotation
        pending.force += impulse
        pending.attitudeVariance += (gyro + scale * scale) * duration
        if unaided.isActive {
            let assumed = settings.unaided
            let turning = assumed.yawScaleError * rest.meanRate.norm
            pending.yawVariance +=
                (assumed.yawNoise * assumed.yawNoise + turning * turning - gyro - scale * scale) * duration
        }
        pending.velocityVariance += accelerometer * duration
        // The vertical is known without a heading.
        if isHeadingUnobserved {
            pending.unobservedHeadingVariance += noise.unobservedHeadingNoise * noise.unobservedHeadingNoise * duration
        }
        if pending.duration >= Self.covarianceInterval { propagateCovariance() }
    }

    /// Squared noise densities of gyroscope and accelerometer. Units: rad²/s, m²/s³.
    @inline(__always)
    private var noiseDensity: (gyro: Double, accelerometer: Double) {
        let (noise, assumed) = (settings.inertial, settings.unaided)
        guard !unaided.isActive else {
            return (assumed.gyroNoise * assumed.gyroNoise, assumed.accelerometerNoise * assumed.accelerometerNoise)
        }
        let seen = rest.vibration
        return (
            noise.gyroNoise * noise.gyroNoise + noise.gyroVibrationShare * seen.rateDensity,
            noise.accelerometerNoise * noise.accelerometerNoise
                + noise.accelerometerVibrationShare * seen.forceDensity
        )
    }
}
