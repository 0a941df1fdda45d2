import Geometry
import Glibc
import Model

/// Oscillation of the vertical force, from peak to peak. It is a step if it also meets the other criteria.
package struct StepCandidate: Sendable {
    /// Time of the first peak.
    package var start: BootTime
    /// Time of the second peak.
    package var end: BootTime
    /// Duration. Unit: seconds.
    package var duration: Double
    /// Difference between the trough and the later peak of the smoothed vertical force. Unit: m/s².
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
/// An extremum counts once the force has returned from it by a share of the usual amplitude. This rule includes weak
/// steps, excludes ripples and works at any sampling rate.
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

    /// Share of the usual amplitude by which the force must return from an extremum.
    private static let share = 0.3
    /// Smallest return from an extremum that counts; it is above the noise. Unit: m/s².
    private static let minimumReturn = 0.25
    /// Shortest interval between two peaks. No wearer takes five steps a second. Unit: seconds.
    private static let minimumDuration = 0.25
    /// Time without peaks after which the usual amplitude decays. Unit: seconds.
    private static let patience = 1.0

    /// Adds a sample.
    ///
    /// - Parameter smoothed: acceleration, low-passed. Frame: ENU. Unit: m/s².
    /// - Returns: whether a peak has just been detected; if so, call `cut` to end the oscillation. The oscillation
    ///   itself is not returned, because an optional result would be copied at each sample although it is rarely
    ///   present.
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

    /// Ends the oscillation at the peak just detected and returns it; nil if no oscillation has begun. The next
    /// oscillation begins at this peak.
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

/// Second-order Butterworth low-pass filter for vectors. The sampling rate may have any value and may vary.
///
/// The filter is a state-variable filter integrated by the trapezoidal rule, so that its cut-off does not depend on the
/// sampling rate.
///
/// Source: Zavalishin, "The art of VA filter design", 2012, section 4.1.
package struct ForceSmoother: Sendable, Codable {
    private var band = Vector3.zero
    private var low = Vector3.zero
    private var hasBegun = false

    /// Cut-off frequency. It lies above the frequency of steps and below those of heel strikes and of a shaking hand.
    /// Unit: Hz.
    private static let corner = 3.0
    /// Damping coefficient of a Butterworth low-pass filter: √2.
    private static let damping = 1.414_213_562_373_095_1
    /// Upper limit of the gain. It is reached at a sampling rate of 12 Hz, four times the cut-off; at lower rates the
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
        // This approximates the tangent to within 0.3 % at 25 Hz and above. The tangent function would cost more time
        // than the rest of the filter.
        let gain = min(Self.maximumGain, angle * (1 + angle * angle / 3))
        let change = (band + (value - low) * gain) / (1 + gain * (gain + Self.damping))
        let smoothed = low + change * gain
        band = change * 2 - band
        low = smoothed * 2 - low
        return smoothed
    }

    /// Rotates the state of the filter along with the frame.
    package mutating func turn(by turn: Rotation2) {
        band = turn * band
        low = turn * low
    }
}

/// Detects the swing of a leg or an arm about a horizontal axis. Each half swing is one step.
///
/// On a thigh the vertical force has two, three or four peaks a stride, caused by the heel strikes, their jolts and the
/// lever arm to the hip; but the thigh swings forwards and backwards exactly once. The axis is perpendicular to the
/// walking direction, and the forward swing is faster.
///
/// Source of both facts: Winter, "Biomechanics and motor control of human movement", 4th edition, 2009.
package struct SwingDetector: Sendable, Codable {
    private var smoother = ForceSmoother()
    /// Fading means of the squares and the product of the horizontal angular rates. Frame: ENU. Unit: rad²/s².
    private var (eastSquare, product, northSquare) = (0.0, 0.0, 0.0)
    /// Axis about which the board swings, a unit vector. Frame: ENU, horizontal.
    private var axis = Vector3(1, 0, 0)
    /// Fading mean of the squared rate about the axis. Unit: rad²/s².
    private var square = 0.0
    /// Fading mean of the cubed rate about the axis. Unit: rad³/s³.
    private var cube = 0.0
    private var isForth = false
    /// Time of the last change of direction.
    private var lastTurn: BootTime?
    /// Durations of the last half swings, the newest last. Unit: seconds.
    private var ways = InlineArray<4, Double>(repeating: 0)
    /// Number of peaks of the vertical force in each half swing.
    private var peaks = InlineArray<4, Int>(repeating: 0)
    /// Number of peaks since the last change of direction.
    private var newPeaks = 0
    /// Time since the last change of direction. Unit: seconds.
    private var duration = 0.0
    /// Motion that the caller had accumulated at the last change of direction.
    private var start = StepMotion()
    /// Motion over the half swing before `start`.
    private var motionBefore = StepMotion()
    /// Integral of the angular rate since the last evaluation. Unit: radians.
    private var turned = Vector3.zero
    /// Duration of the integral `turned`. Unit: seconds.
    private var passed = 0.0
    /// Whether the board swings as on a walking leg.
    package private(set) var isActive = false

    /// Interval between two evaluations. It is short compared with a half swing of about half a second. Unit: seconds.
    private static let interval = 0.04
    /// Time constant of the fading means. Unit: seconds.
    private static let memory = 1.5
    /// Share of the RMS rate beyond which the direction counts as changed.
    private static let threshold = 0.3
    /// Least RMS rate: an amplitude of 12° in a slow walk. Unit: rad/s.
    private static let minimumRate = 0.8
    /// Largest ratio of the smaller to the larger mean squared rate about the two principal axes.
    private static let maximumRatio = 0.35
    /// Range of the duration of a stride. Unit: seconds.
    private static let strides = 0.75...1.7
    /// Largest ratio of the durations of two successive strides.
    private static let maximumStrideRatio = 1.25
    /// Least RMS rate of a leg: an amplitude of 14° in a slow walk; bags swing less. Unit: rad/s.
    private static let minimumLegRate = 0.95
    /// Least skewness of the rate that distinguishes forwards from backwards.
    private static let minimumSkewness = 0.35

    /// Adds a sample.
    ///
    /// - Parameter rate: angular rate. Frame: ENU. Unit: rad/s.
    /// - Returns: whether the direction of the swing has changed; if so, call `cut` to end a step.
    @inline(__always)
    mutating func add(_ rate: Vector3, over interval: Double) -> Bool {
        turned += rate * interval
        passed += interval
        return passed >= Self.interval && look()
    }

    private mutating func look() -> Bool {
        let interval = passed
        let rate = smoother.add(turned * (1 / interval), over: interval)
        (turned, passed) = (.zero, 0)
        duration += interval
        follow(rate, over: interval)
        let about = axis.dot(rate)
        let share = min(1, interval / Self.memory)
        square += share * (about * about - square)
        cube += share * (about * about * about - cube)
        let needed = Self.threshold * square.squareRoot()
        guard isForth ? about < -needed : about > needed else {
            if duration > Self.strides.upperBound { isActive = false }
            return false
        }
        isForth.toggle()
        return true
    }

    /// Updates the axis about which the mean squared rate is largest, by the double-angle formula.
    private mutating func follow(_ rate: Vector3, over interval: Double) {
        let share = min(1, interval / Self.memory)
        eastSquare += share * (rate.x * rate.x - eastSquare)
        northSquare += share * (rate.y * rate.y - northSquare)
        product += share * (rate.x * rate.y - product)
        let angle = 0.5 * atan2(2 * product, eastSquare - northSquare)
        let new = Vector3(cos(angle), sin(angle), 0)
        axis = new.dot(axis) < 0 ? -new : new
    }

    /// Returns the step that ends at the change of direction just detected; nil unless the board swings as on a leg.
    /// The motion of the step is taken over the whole stride that ends at the same time.
    ///
    /// - Parameter total: motion accumulated by the caller so far.
    mutating func cut(_ total: StepMotion, at time: BootTime) -> StepCandidate? {
        let motion = total.since(start)
        start = total
        ways = [ways[1], ways[2], ways[3], duration]
        duration = 0
        peaks = [peaks[1], peaks[2], peaks[3], newPeaks]
        newPeaks = 0
        let stride = motionBefore.followed(by: motion)
        motionBefore = motion
        let turnBefore = lastTurn
        lastTurn = time
        let wasActive = isActive
        isActive = isWalk
        guard isActive, let turnBefore, stride.duration > 0 else { return nil }
        return StepCandidate(
            start: turnBefore, end: time, duration: stride.duration / 2, amplitude: stride.verticalAmplitude,
            motion: stride, since: StepMotion(), missed: wasActive ? 0 : 3)
    }

    /// Adjusts the detector after the caller has subtracted the part `first` from its motion.
    mutating func rebase(after first: StepMotion) { start = start.since(first) }

    /// Counts a peak of the vertical force.
    mutating func notePeak() { newPeaks += 1 }

    /// Smallest number of peaks of the vertical force in two strides. Each heel strike causes a peak, whereas a
    /// swinging hand causes only one peak each time it swings back and forth.
    private static let minimumPeakCount = 3

    private var isWalk: Bool {
        let (before, now) = (ways[0] + ways[1], ways[2] + ways[3])
        let middle = (eastSquare + northSquare) / 2
        let half = (eastSquare - northSquare) / 2
        let reach = (half * half + product * product).squareRoot()
        return peaks[0] + peaks[1] + peaks[2] + peaks[3] >= Self.minimumPeakCount
            && Self.strides.contains(before) && Self.strides.contains(now)
            && before < now * Self.maximumStrideRatio && now < before * Self.maximumStrideRatio
            && square > Self.minimumRate * Self.minimumRate && middle - reach < Self.maximumRatio * (middle + reach)
    }

    /// Direction of walking, a unit vector; nil while forwards cannot be distinguished from backwards. Frame: ENU,
    /// horizontal.
    package var forward: Vector3? {
        guard isActive, square > Self.minimumLegRate * Self.minimumLegRate else { return nil }
        let skewness = cube / (square * square.squareRoot())
        guard skewness.magnitude > Self.minimumSkewness else { return nil }
        // A rotation about an axis that points to the right moves the lower end of the leg forwards.
        let right = skewness > 0 ? axis : -axis
        return Vector3(-right.y, right.x, 0)
    }

    /// Rotates all directions when the ENU frame is rotated about up.
    mutating func turn(by turn: Rotation2) {
        smoother.turn(by: turn)
        start.turn(by: turn)
        motionBefore.turn(by: turn)
        axis = turn * axis
        turned = turn * turned
        // The products of the rates form a symmetric matrix, whose anisotropic part rotates by twice the angle.
        let middle = (eastSquare + northSquare) / 2
        let parts = turn * (turn * Vector3((eastSquare - northSquare) / 2, product, 0))
        (eastSquare, product, northSquare) = (middle + parts.x, parts.y, middle - parts.x)
    }
}
