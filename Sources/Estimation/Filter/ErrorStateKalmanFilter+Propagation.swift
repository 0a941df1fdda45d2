import Geometry
import Model

/// Strap-down integration of samples that are means over the interval that ends at their stamp.
///
/// That is what the filters of MEMS parts deliver. Taken for values at the stamp, they would turn a fast body late by
/// half an interval.
///
/// Source: Solà 2017, equations (261) and (262); coning: Savage, "Strapdown inertial navigation integration algorithm
/// design", J. Guidance 21(1), 1998, equation (31) with two samples.
extension ErrorStateKalmanFilter {
    /// Carries the state on to the time of `next`.
    ///
    /// Equations: docs/filter.md (3) to (8).
    ///
    /// - Returns: the motion over the interval as integrated, without any correction.
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
        // Without an accelerometer the velocity is thought to stay.
        let impulse = next.isForceStale ? -fall : rotation * (next.force - state.accelerometerBias)
        let felt = impulse + fall
        // On foot without satellites the steps alone tell the horizontal velocity; with an unknown heading, the fixes.
        let isForceUnused = isAstray || isStepping
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

    /// What looks at the inertial sample up to which the state was carried.
    @inline(__always)
    package mutating func finish(_ sample: InertialSample) {
        rest.add(sample, settings: settings.rest)
        followGait(sample)
    }

    /// Among fixes with an unknown heading nobody knows which way a horizontal force pushes: a linear filter would take it
    /// for tilt and bias, so the velocity is left to the receiver.
    @inline(__always)
    package var isAstray: Bool { !heading.isKnown && gnss.hasPosition && !unaided.isActive }

    /// Gravity, and the Coriolis acceleration where the place is known. Frame: ENU. Unit: m/s².
    @inline(__always)
    var gravityAndRotation: Vector3 {
        guard let site else { return Vector3(0, 0, -Site.standardGravity) }
        return Vector3(0, 0, -site.gravity) - 2 * site.earthRate.cross(state.velocity)
    }

    /// As the accelerometer felt it last, without gravity; zero while it is silent. Frame: ENU. Unit: m/s².
    @inline(__always)
    package var acceleration: Vector3 {
        guard !inertial.isForceStale else { return .zero }
        return state.rotationENUFromBody * (inertial.force - state.accelerometerBias) + gravityAndRotation
    }

    /// Sums up what the covariance needs of a step.
    ///
    /// Equation: docs/filter.md (15).
    mutating func accumulate(
        _ duration: Double, _ rotation: Matrix<3, 3>, _ impulse: Vector3, isStale: Bool, isGap: Bool
    ) {
        let noise = settings.inertial
        var (gyro, accelerometer) = noiseDensity
        if isGap { gyro = noise.gapGyroNoise * noise.gapGyroNoise }
        if isGap || isStale { accelerometer = noise.gapAccelerometerNoise * noise.gapAccelerometerNoise }
        // To and fro cancels: what counts is the mean rate.
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
        // Which way is up is known without a heading.
        if isAstray { pending.astrayVariance += noise.astrayNoise * noise.astrayNoise * duration }
        if pending.duration >= Self.covarianceInterval { propagateCovariance() }
    }

    /// Squared densities of the noise of the inertial sensors. Units: rad²/s, m²/s³.
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
