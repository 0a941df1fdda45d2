import Geometry
import Model

/// One oscillation of the vertical force, from a peak to the next: a step, if the rest agrees.
package struct StepCandidate: Sendable {
    /// Of the peaks at its begin and its end.
    package var start: BootTime
    package var end: BootTime
    /// Unit: seconds.
    package var duration: Double
    /// From the trough to the later peak of the smoothed vertical force. Unit: m/s².
    package var amplitude: Double
    /// Between the two peaks.
    package var motion: StepMotion
    /// From the later peak until now, when it was recognised.
    package var since: StepMotion
    /// Number of steps like it that came before it and were not seen.
    package var missed = 0
}

/// Cuts the vertical force into oscillations at its peaks.
///
/// A turning point counts when the force has come back from it by a share of the usual amplitude: weak steps count
/// as well, ripples do not, and no rate of sampling is assumed.
package struct StepDetector: Sendable {
    private var isRising = true
    /// The outermost value since the last turning point, and the motion up to it.
    private var extreme = 0.0
    private var extremeTime = BootTime(nanoseconds: 0)
    private(set) var motionToExtreme = StepMotion()
    private var trough = 0.0
    /// Amplitude of the oscillation that ended at the last peak. Unit: m/s².
    private var amplitude = 0.0
    private var hasBegun = false
    private var hasPeak = false
    /// Of the last peak that counted.
    private(set) var peakTime = BootTime(nanoseconds: 0)
    /// Since that peak.
    private(set) var motion = StepMotion()
    /// Slow mean. Unit: m/s².
    private var usualAmplitude = 0.0

    package init() {}

    /// What the force has to come back by: a share of the usual amplitude, and more than noise. Unit: m/s².
    private static let share = 0.3
    private static let leastReturn = 0.25
    /// Peaks closer than this are one: nobody makes five steps a second. Unit: seconds.
    private static let leastDuration = 0.25
    /// Without peaks the usual amplitude fades. Unit: seconds.
    private static let patience = 1.0

    /// - Parameters:
    ///   - smoothed: acceleration, low-passed. Frame: ENU. Unit: m/s².
    /// - Returns: whether a peak has just been recognised, at which `cut` ends an oscillation. That itself, most of the
    ///   time nil, would be copied at each sample.
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
        let needed = max(Self.leastReturn, Self.share * usualAmplitude)
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

    /// The oscillation that the peak just recognised ends, if there is one; the next begins there.
    mutating func cut() -> StepCandidate? {
        let isFirst = !hasPeak
        guard isFirst || motionToExtreme.duration >= Self.leastDuration else { return nil }
        let candidate = StepCandidate(
            start: peakTime, end: extremeTime, duration: motionToExtreme.duration, amplitude: amplitude,
            motion: motionToExtreme, since: motion.since(motionToExtreme))
        hasPeak = true
        peakTime = extremeTime
        motion = candidate.since
        usualAmplitude = usualAmplitude == 0 ? amplitude : usualAmplitude + Self.share * (amplitude - usualAmplitude)
        return isFirst ? nil : candidate
    }

    /// Forgets the oscillation under way, whose motion is of another frame.
    mutating func interrupt() {
        hasPeak = false
        motion = StepMotion()
        motionToExtreme = StepMotion()
    }
}
