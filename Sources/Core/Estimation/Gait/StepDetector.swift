import Geometry
import Model

/// Oscillation of the vertical force, from peak to peak: a step, if the other criteria agree.
package struct StepCandidate: Sendable {
    /// Time of the first peak.
    package var start: BootTime
    /// Time of the second peak.
    package var end: BootTime
    /// Duration. Unit: seconds.
    package var duration: Double
    /// Difference from the trough to the later peak of the smoothed vertical force. Unit: m/s².
    package var amplitude: Double
    /// Motion between the two peaks.
    package var motion: StepMotion
    /// Motion from the later peak until its detection.
    package var since: StepMotion
    /// Number of earlier similar steps that were not detected.
    package var missed = 0
}

/// Divides the vertical force into oscillations at its peaks.
///
/// An extremum counts once the force has returned from it by a share of the usual amplitude: this includes weak steps,
/// excludes ripples, and assumes no sampling rate.
package struct StepDetector: Sendable, Codable {
    private var isRising = true
    /// Extreme value since the last valid extremum.
    private var extreme = 0.0
    private var extremeTime = BootTime(nanoseconds: 0)
    /// Motion up to the extreme value.
    private(set) var motionToExtreme = StepMotion()
    private var trough = 0.0
    /// Amplitude of the oscillation that ended at the last peak. Unit: m/s².
    private var amplitude = 0.0
    private var hasBegun = false
    private var hasPeak = false
    /// Time of the last valid peak.
    private(set) var peakTime = BootTime(nanoseconds: 0)
    /// Motion since the last valid peak.
    private(set) var motion = StepMotion()
    /// Slow mean of the amplitudes. Unit: m/s².
    private var usualAmplitude = 0.0

    package init() {}

    /// Share of the usual amplitude by which the force must return from an extremum.
    private static let share = 0.3
    /// Least return from an extremum, above noise. Unit: m/s².
    private static let minimumReturn = 0.25
    /// Least interval between two peaks: no wearer makes five steps a second. Unit: seconds.
    private static let minimumDuration = 0.25
    /// Time without peaks after which the usual amplitude decays. Unit: seconds.
    private static let patience = 1.0

    /// Adds a sample.
    ///
    /// - Parameter smoothed: acceleration, low-passed. Frame: ENU. Unit: m/s².
    /// - Returns: whether a peak has just been detected, at which `cut` ends an oscillation. The oscillation itself is
    ///   not returned, because it is rarely present and would be copied at each sample.
    @inline(__always)
    mutating func add(_ sample: GaitSample, smoothed: Vector3, over interval: Double, at time: BootTime) -> Bool {
        motion.add(sample, smoothed: smoothed, over: interval)
        let force = smoothed.z
        guard hasBegun else {
            hasBegun = true
            extreme = force
            trough = force
            extremeTime = time
            return false
        }
        if motion.duration > Self.patience { usualAmplitude *= max(0, 1 - interval / Self.patience) }
        let needed = max(Self.minimumReturn, Self.share * usualAmplitude)
        guard isRising else {
            extreme = min(extreme, force)
            if force > extreme + needed {
                trough = extreme
                isRising = true
                mark(force, time)
            }
            return false
        }
        if force > extreme { mark(force, time) }
        guard force < extreme - needed else { return false }
        isRising = false
        amplitude = extreme - trough
        extreme = force
        return true
    }

    private mutating func mark(_ force: Double, _ time: BootTime) {
        extreme = force
        extremeTime = time
        motionToExtreme = motion
    }

    /// Ends an oscillation at the peak just detected and returns it; nil if none has begun. The next oscillation begins
    /// there.
    mutating func cut() -> StepCandidate? {
        let isFirst = !hasPeak
        guard isFirst || motionToExtreme.duration >= Self.minimumDuration else { return nil }
        let candidate = StepCandidate(
            start: peakTime, end: extremeTime, duration: motionToExtreme.duration, amplitude: amplitude,
            motion: motionToExtreme, since: motion.since(motionToExtreme))
        hasPeak = true
        peakTime = extremeTime
        motion = candidate.since
        usualAmplitude = usualAmplitude == 0 ? amplitude : usualAmplitude + Self.share * (amplitude - usualAmplitude)
        return isFirst ? nil : candidate
    }

    /// Rotates all vectors when the ENU frame is rotated about up.
    mutating func turn(by turn: Rotation2) {
        motion.turn(by: turn)
        motionToExtreme.turn(by: turn)
    }
}

/// Inertial sample for the detection of steps.
package struct GaitSample: Sendable {
    /// Acceleration: specific force without gravity. Frame: ENU. Unit: m/s².
    package var acceleration: Vector3
    /// Angular rate. Frame: ENU. Unit: rad/s.
    package var rate: Vector3
    package var rotationENUFromBody: Matrix<3, 3>

    package init(acceleration: Vector3, rate: Vector3, rotationENUFromBody: Matrix<3, 3> = .identity) {
        self.acceleration = acceleration
        self.rate = rate
        self.rotationENUFromBody = rotationENUFromBody
    }
}

/// Second-order Butterworth low-pass filter of vectors, at any sampling rate, even if it is irregular.
///
/// A state-variable filter integrated by the trapezoidal rule: its cut-off does not depend on the sampling rate.
///
/// Source: Zavalishin, "The art of VA filter design", 2012, section 4.1.
package struct ForceSmoother: Sendable, Codable {
    private var band = Vector3.zero
    private var low = Vector3.zero
    private var hasBegun = false

    package init() {}

    /// Cut-off frequency, between steps and the higher frequencies of heel strikes and a shaking hand. Unit: Hz.
    private static let corner = 3.0
    /// Damping coefficient of a Butterworth low-pass filter: √2.
    private static let damping = 1.414_213_562_373_095_1
    /// Upper limit of the gain: its value at a sampling rate of 12 Hz, four times the cut-off. At lower rates the
    /// tangent diverges.
    private static let maximumGain = 1.0

    /// Filters the next value.
    ///
    /// - Parameter interval: time since the previous value. Unit: seconds.
    /// - Returns: the smoothed value, in the frame and unit of the input.
    package mutating func add(_ value: Vector3, over interval: Double) -> Vector3 {
        guard hasBegun else {
            hasBegun = true
            low = value
            return value
        }
        let angle = min(1, .pi * Self.corner * interval)
        // Approximates the tangent to 0.3 % at 25 Hz and above; the tangent function would cost more than the rest of
        // the filter.
        let gain = min(Self.maximumGain, angle * (1 + angle * angle / 3))
        let change = (band + (value - low) * gain) / (1 + gain * (gain + Self.damping))
        let smoothed = low + change * gain
        band = change * 2 - band
        low = smoothed * 2 - low
        return smoothed
    }

    /// Rotates along with the frame.
    package mutating func turn(by turn: Rotation2) {
        band = turn * band
        low = turn * low
    }
}
