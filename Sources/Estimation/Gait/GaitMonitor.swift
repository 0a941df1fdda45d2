import Geometry
import Measurements

/// Recognises walking, step by step, from the inertial sensors alone.
package struct GaitMonitor: Sendable {
    private var smoother = ForceSmoother()
    private var detector = StepDetector()
    private var axis = WalkingAxis()
    private var lastSample: BootTime?
    /// Of the last oscillation that may have been a step.
    private var lastDuration = 0.0
    private var lastAmplitude = 0.0
    private var lastEnd: BootTime?
    /// Slow means over the believed steps.
    private var usualDuration = 0.0
    private var usualAmplitude = 0.0
    /// Oscillations in a row that fit each other.
    private var regular = 0
    /// When the last believed step was recognised.
    package private(set) var lastStep: BootTime?
    /// When the vertical force last swung about as much as in walking, step or not.
    private var lastSwing: BootTime?
    /// Slow mean of the normalised squares of the speeds' innovations.
    package var discrepancy = 1.0
    package var mount = BoardMount()
    /// Way of the steps so far that do not count yet. Frame: ENU, by the board's direction. Unit: metres.
    private var credit = Vector3.zero
    /// Clear steps in a row that fit each other; negative after one that is not clear.
    private var clear = -1
    package var walked = WalkedTrack()

    package init() {}

    /// How quickly the usual step follows.
    private static let share = 0.2

    /// Takes the motion up to now.
    ///
    /// - Parameters:
    ///   - acceleration: gravity taken off. Frame: ENU. Unit: m/s².
    ///   - squaredRate: Unit: rad²/s².
    ///   - forward: up × the body's x axis. Frame: ENU.
    /// - Returns: whether an oscillation may be complete, for `judge`.
    package mutating func add(
        acceleration: Vector3, squaredRate: Double, forward: Vector3, at time: BootTime
    ) -> Bool {
        let interval = interval(to: time)
        lastSample = time
        guard interval > 0 else { return false }
        let smoothed = smoother.add(acceleration, over: interval)
        axis.add(smoothed, over: interval)
        return detector.add(
            acceleration: acceleration, smoothed: smoothed, squaredRate: squaredRate, forward: forward, over: interval,
            at: time)
    }

    /// The step that the oscillation just complete is, if it is one; apart from `add`, for which the settings would be
    /// copied at each sample.
    ///
    /// - Parameter isAided: the velocity is known and will judge: weaker steps pass.
    package mutating func judge(at time: BootTime, isAided: Bool, settings: EstimatorSettings.Steps) -> Step? {
        guard let candidate = detector.cut() else { return nil }
        let follows = lastEnd == candidate.start
        let isLike = follows && isNear(candidate, lastDuration, lastAmplitude, settings)
        let isStep = isPossible(candidate, isAided: isAided, settings)
        lastEnd = candidate.end
        lastDuration = candidate.duration
        lastAmplitude = candidate.amplitude
        regular = isStep && isLike ? regular + 1 : 0
        if candidate.amplitude > settings.pauseShare * usualAmplitude { lastSwing = time }
        guard isStep else {
            credit = creditOfFirst(candidate, settings)
            axis.interrupt()
            return nil
        }
        if !isLike { axis.interrupt() }
        let line = axis.add(step: candidate.duration, age: candidate.since.duration)
        let length = settings.length(amplitude: candidate.amplitude, duration: candidate.duration)
        noteClearness(of: candidate, isLike: isLike, settings)
        guard counts(candidate, at: time, isAided: isAided, settings) else {
            if !isLike { credit = .zero }
            credit += way(of: candidate, length)
            return nil
        }
        defer { credit = .zero }
        let owed = credit
        lastStep = time
        let share = usualDuration == 0 ? 1 : Self.share
        usualDuration += share * (candidate.duration - usualDuration)
        usualAmplitude += share * (candidate.amplitude - usualAmplitude)
        var step = Step(
            length: length,
            duration: candidate.duration,
            meanVelocityOffset: candidate.motion.meanVelocityChange - candidate.motion.velocityChange
                - candidate.since.velocityChange,
            axis: line)
        step.credit = owed
        return step
    }

    /// Without satellites nothing but the gait itself tells a walk from a hand that moves: it has to begin clearly, and goes
    /// on with any step.
    private func counts(
        _ candidate: StepCandidate, at time: BootTime, isAided: Bool, _ settings: EstimatorSettings.Steps
    ) -> Bool {
        if isUsual(candidate, at: time, settings) { return true }
        guard !isAided else { return regular >= settings.stepsToBegin }
        let isRecent = lastStep.map { time.seconds(since: $0) < settings.recentSeconds } ?? false
        return clear >= 1 || regular >= settings.regularToBegin || isRecent
    }

    private mutating func noteClearness(
        of candidate: StepCandidate, isLike: Bool, _ settings: EstimatorSettings.Steps
    ) {
        let isClear =
            candidate.amplitude >= settings.clearAmplitude
            && candidate.motion.horizontalShare <= settings.clearHorizontalShare
            && candidate.motion.rotationRate < settings.clearRotationRate
            && candidate.duration > settings.leastClearDuration && candidate.duration < settings.largestClearDuration
        clear = !isClear ? -1 : isLike ? clear + 1 : 0
    }

    private func way(of candidate: StepCandidate, _ length: Double) -> Vector3 {
        (candidate.motion.meanForward.normalized ?? .zero) * length
    }

    /// After a pause no peak tells when the first step began: it ends as a step does, and its duration is the usual one.
    private func creditOfFirst(_ candidate: StepCandidate, _ settings: EstimatorSettings.Steps) -> Vector3 {
        guard candidate.duration > settings.largestDuration,
            candidate.amplitude > settings.leastAmplitudeUnaided,
            candidate.motion.horizontalShare <= settings.largestHorizontalShare
        else { return .zero }
        return way(
            of: candidate, settings.length(amplitude: candidate.amplitude, duration: settings.firstDuration))
    }

    /// Whether an oscillation may be a step at all.
    private func isPossible(
        _ candidate: StepCandidate, isAided: Bool, _ settings: EstimatorSettings.Steps
    ) -> Bool {
        let rate = candidate.motion.rotationRate
        return candidate.duration >= settings.leastDuration && candidate.duration <= settings.largestDuration
            && candidate.amplitude >= (isAided ? settings.leastAmplitude : settings.leastAmplitudeUnaided)
            && candidate.amplitude <= settings.largestAmplitude
            && rate >= settings.leastRotationRate && rate <= settings.largestRotationRate
            && candidate.motion.horizontalShare <= settings.largestHorizontalShare
    }

    /// Whether it is a step of the walk of a short while ago: then one alone counts.
    private func isUsual(_ candidate: StepCandidate, at time: BootTime, _ settings: EstimatorSettings.Steps) -> Bool {
        guard let lastStep, time.seconds(since: lastStep) < settings.memorySeconds else { return false }
        return isNear(candidate, usualDuration, usualAmplitude, settings)
    }

    private func isNear(
        _ candidate: StepCandidate, _ duration: Double, _ amplitude: Double, _ settings: EstimatorSettings.Steps
    ) -> Bool {
        func isNear(_ a: Double, _ b: Double, within ratio: Double) -> Bool { a < b * ratio && b < a * ratio }
        return isNear(candidate.duration, duration, within: settings.largestDurationRatio)
            && isNear(candidate.amplitude, amplitude, within: settings.largestAmplitudeRatio)
    }

    /// Whether the wearer is walking now: the last step is hardly older than a step takes.
    @inline(__always)
    package func isWalking(at time: BootTime, settings: EstimatorSettings.Steps) -> Bool {
        guard let lastStep else { return false }
        return time.seconds(since: lastStep) < settings.pauseRatio * usualDuration
    }

    /// Whether the wearer walked a short while ago and has stopped.
    package func isStanding(at time: BootTime, settings: EstimatorSettings.Steps) -> Bool {
        guard let lastStep, let lastSwing else { return false }
        return time.seconds(since: lastSwing) > settings.pauseRatio * usualDuration
            && time.seconds(since: lastStep) < settings.standingSeconds
    }

    /// Time since the sample before. Unit: seconds; 0 at the first.
    @inline(__always)
    package func interval(to time: BootTime) -> Double { lastSample.map { max(0, time.seconds(since: $0)) } ?? 0 }

    /// What is learned by comparing steps with the velocity, and hence by the heading.
    struct Learned: Sendable {
        var mount: BoardMount
        var discrepancy: Double
        var walked: WalkedTrack
    }

    var learned: Learned {
        get { Learned(mount: mount, discrepancy: discrepancy, walked: walked) }
        set {
            mount = newValue.mount
            discrepancy = newValue.discrepancy
            walked = newValue.walked
        }
    }

    /// Takes over what another has seen; keeps what it has learned by its own heading.
    mutating func follow(_ other: GaitMonitor) {
        let own = learned
        self = other
        learned = own
    }

    /// A step that something better contradicts.
    mutating func refuse() {
        lastStep = nil
        regular = 0
    }

    /// ENU has turned: what was summed up in the old one is of no use.
    mutating func interrupt() {
        smoother = ForceSmoother()
        detector.interrupt()
        axis.clear()
        lastEnd = nil
    }
}
