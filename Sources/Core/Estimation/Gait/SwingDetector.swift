import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Detector of the swing of a leg or an arm about a horizontal axis, with one step per half swing.
///
/// On a thigh the vertical force has two, three or four peaks a stride, caused by the heel strikes, their jolts and the
/// lever arm to the hip; but the thigh swings forwards and backwards exactly once. The axis is perpendicular to the
/// walking direction, and the forward swing is faster.
///
/// Source of both facts: Winter, "Biomechanics and motor control of human movement", 4th edition, 2009.
package struct SwingDetector: Sendable, Codable {
    private var smoother = ForceSmoother()
    /// Fading means of the products of the horizontal angular rates. Frame: ENU. Unit: rad²/s².
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
    /// Motion accumulated by the caller at the last change of direction.
    private var start = StepMotion()
    /// Motion over the half swing before `start`.
    private var motionBefore = StepMotion()
    /// Integral of the angular rate since the last evaluation. Unit: radians.
    private var turned = Vector3.zero
    /// Duration of the integral `turned`. Unit: seconds.
    private var passed = 0.0
    /// Whether the board swings as on a walking leg.
    package private(set) var isActive = false

    package init() {}

    /// Interval of the evaluations: a half swing takes half a second. Unit: seconds.
    private static let interval = 0.04
    /// Time constant of the fading means. Unit: seconds.
    private static let memory = 1.5
    /// Share of the RMS rate beyond which the direction counts as changed.
    private static let threshold = 0.3
    /// Least RMS rate: an amplitude of 12° in a slow walk. Unit: rad/s.
    private static let minimumRate = 0.8
    /// Largest ratio of the mean squares about the two principal axes.
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
    /// - Returns: whether the direction of the swing has changed, at which `cut` ends a step.
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

    /// Updates the axis of the largest mean square, using the double angle.
    private mutating func follow(_ rate: Vector3, over interval: Double) {
        let share = min(1, interval / Self.memory)
        eastSquare += share * (rate.x * rate.x - eastSquare)
        northSquare += share * (rate.y * rate.y - northSquare)
        product += share * (rate.x * rate.y - product)
        let angle = 0.5 * atan2(2 * product, eastSquare - northSquare)
        let new = Vector3(cos(angle), sin(angle), 0)
        axis = new.dot(axis) < 0 ? -new : new
    }

    /// Step that ends at the change of direction just detected, while the board swings as on a leg. The motion of the
    /// step is the motion over the stride that ends at the same time.
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

    /// Adjusts the detector to a caller that has subtracted the part `first` from its motion.
    mutating func rebase(after first: StepMotion) { start = start.since(first) }

    /// Counts a peak of the vertical force.
    mutating func notePeak() { newPeaks += 1 }

    /// Least number of peaks of the vertical force in two strides: each heel strike causes one, whereas a swinging hand
    /// causes only one for each swing back and forth.
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
        // A rotation about the axis to the right moves the lower end forwards.
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
