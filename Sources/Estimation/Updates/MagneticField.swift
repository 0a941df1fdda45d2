import Geodesy
import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// Update by the magnetometer: it corrects the yaw and, where a model gives the whole field, the hard iron. It never
/// corrects the tilt.
extension ErrorStateKalmanFilter {
    /// Applies a sample. The state must be at its time stamp or shortly after.
    package mutating func apply(_ sample: MagneticSample) {
        influence.cause = .magnetometer
        if magnetics.lastSample == nil, !knowsHardIron { scaleHardIron(to: sample.field.norm) }
        let rotation = state.rotationENUFromBody
        let rate = inertial.rate - state.gyroBias
        let age = state.time.seconds(since: sample.time) + (magnetics.calibrator?.delay ?? 0)
        let turned = Rotation3.exp(rate * -age) * sample.field
        magnetics.mean.add(field: rotation * (turned - state.hardIron), rate: rotation * rate, at: sample.time)
        let meant = settings.magnetic.meanSeconds
        let interval = magnetics.lastUse.map { sample.time.seconds(since: $0) } ?? meant
        guard interval >= meant - Self.stampJitter else { return }
        magnetics.lastUse = sample.time
        let mean = magnetics.mean.take()
        let measured = rotation.inverse * mean.field + state.hardIron
        noteReading(measured)
        // A slow or interrupted sensor gains no weight by its silence.
        let span = min(0.1, interval)
        calibrate(measured, rate: rotation.inverse * mean.rate, span: span)
        correctYaw(measured, span: span, at: sample.time)
        learnLikeness()
    }

    /// Jitter of time stamps that is tolerated. Unit: seconds.
    private static let stampJitter = 0.001

    /// Records the field for the slow search for hard iron, which has no influence on this filter.
    private mutating func noteReading(_ measured: Vector3) {
        let tilt = max(deviation(ErrorState.attitude), deviation(ErrorState.attitude + 1))
        let isRiding = !unaided.isActive && state.velocity.horizontalNorm > settings.hardIron.largestSpeed
        let model = confirmedField.flatMap { magnetics.isInMicrotesla($0) ? $0 : nil }
        fieldReading = FieldReading(
            time: state.time, field: measured, rotationENUFromBody: state.rotationENUFromBody,
            levelYaw: heading.motion.yaw,
            isUsable: gait.isWalking(at: state.time, settings: settings.steps) && !isRiding
                && tilt < settings.hardIron.tiltDeviation,
            walked: gait.walked.position, track: gait.walked.number,
            expected: model.map {
                FieldReading.Intensities(
                    horizontal: $0.horizontalIntensity / 1000,
                    upward: -$0.totalIntensity * sin($0.inclination) / 1000)
            })
    }

    private mutating func scaleHardIron(to norm: Double) {
        let deviation = settings.initial.hardIronFraction * norm
        resetCovariance(ErrorState.hardIron, count: 3, variance: deviation * deviation)
    }
}

/// Mean of magnetic samples in the ENU frame, in which an undisturbed field is constant however the body turns.
package struct MagneticMean: Sendable {
    private var field = Vector3.zero
    private var rate = Vector3.zero
    private var count = 0.0
    private var last: BootTime?

    package init() {}

    /// Adds a field with hard iron removed, and an angular rate. Frame: ENU. Units: that of the magnetometer, rad/s.
    mutating func add(field: Vector3, rate: Vector3, at time: BootTime) {
        // In a break the rotation may differ from what was integrated.
        if let last, time.seconds(since: last) > Self.longestBreak { self = MagneticMean() }
        self.field += field
        self.rate += rate
        count += 1
        last = time
    }

    /// Takes the means of field and angular rate, and begins anew.
    mutating func take() -> (field: Vector3, rate: Vector3) {
        let share = 1 / max(1, count)
        let result = (field * share, rate * share)
        self = MagneticMean()
        return result
    }

    /// Longest interval within a mean. Unit: seconds.
    private static let longestBreak = 0.2
}
