import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// Recognises walking, step by step, from the inertial sensors alone.
package struct GaitMonitor: Sendable {
    private var smoother = ForceSmoother()
    private var detector = StepDetector()
    private var swing = SwingDetector()
    private var axis = WalkingAxis()
    /// Axis of the body that stands for its direction, by how the board hangs.
    package private(set) var reference = BoardReference()
    private var swingDirection = GaitDirection()
    private var lineDirection = GaitDirection()
    /// Changes with what is known of the board's direction by posture and gait.
    private var carriage: UInt32 = 0
    private var lastSample: BootTime?
    /// Whether the vertical force, and the swing, changed their direction at the last sample.
    private var (hasPeaked, hasTurned) = (false, false)
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
    package var lineBias = LineBias()
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
    /// - Returns: whether an oscillation may be complete, for `judge`.
    package mutating func add(_ sample: GaitSample, at time: BootTime) -> Bool {
        let interval = interval(to: time)
        lastSample = time
        guard interval > 0 else { return false }
        let smoothed = smoother.add(sample.acceleration, over: interval)
        axis.add(smoothed, over: interval)
        hasPeaked = detector.add(sample, smoothed: smoothed, over: interval, at: time)
        hasTurned = swing.add(sample.rate, over: interval)
        return hasPeaked || hasTurned
    }

    /// The step that the oscillation just complete is, if it is one; apart from `add`, for which the settings would be
    /// copied at each sample.
    ///
    /// - Parameter isAided: the velocity is known and will judge: weaker steps pass.
    package mutating func judge(at time: BootTime, isAided: Bool, settings: EstimatorSettings.Steps) -> Step? {
        guard let candidate = candidate(at: time) else { return nil }
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
        let across = noteBoard(candidate, line: line)
        let length = settings.length(amplitude: candidate.amplitude, duration: candidate.duration)
        noteClearness(of: candidate, isLike: isLike, settings)
        guard counts(candidate, at: time, isAided: isAided, settings) else {
            if !isLike { credit = .zero }
            credit += way(of: candidate, length) * Double(1 + candidate.missed)
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
        step.across = across
        return step
    }

    /// The oscillation just complete: one way of the swing where the board swings as on a leg, else from peak to peak.
    private mutating func candidate(at time: BootTime) -> StepCandidate? {
        let peak = hasPeaked ? cutAtPeak() : nil
        let turn = hasTurned ? swing.cut(detector.motion, at: time) : nil
        return swing.isActive ? turn : peak
    }

    /// The swing is summed up in the same motion, which begins anew at each peak.
    private mutating func cutAtPeak() -> StepCandidate? {
        let (peakBefore, motion) = (detector.peakTime, detector.motionToExtreme)
        let candidate = detector.cut()
        if detector.peakTime != peakBefore { swing.rebase(after: motion) }
        if candidate != nil { swing.notePeak() }
        return candidate
    }

    /// Follows how the board hangs, and what the gait shows of its direction.
    ///
    /// - Returns: mean of the reference axis over the stride of a board that swings; nil of one that hardly does, whose present
    ///   axis follows turns without delay. Frame: ENU.
    private mutating func noteBoard(
        _ candidate: StepCandidate, line: (direction: Vector3, deviation: Double)?
    ) -> Vector3? {
        let axes = candidate.motion.axes / max(candidate.motion.duration, 1e-9)
        // A hand that turns a board about makes a few steps as well.
        guard regular >= Self.leastRegular else { return swing.isActive ? axes.direction(of: reference.axis) : nil }
        if reference.add(axes) == .posture { changePosture() }
        let across = axes.direction(of: reference.axis)
        noteDirection(across: across, line: line)
        return swing.isActive ? across : nil
    }

    /// The board hangs in another way: it is worn ahead, or nothing is known.
    private mutating func changePosture() {
        swingDirection = GaitDirection()
        lineDirection = GaitDirection()
        let source: BoardMount.Source = reference.isAsDesigned ? .design : .nothing
        lineBias = LineBias()
        if mount.source == .design, source == .design { return }
        mount = BoardMount(source: source)
        carriage &+= 1
    }

    /// The swing of a leg shows forward; so does, less surely, the line along which the trunk swings.
    private mutating func noteDirection(across: Vector3, line: (direction: Vector3, deviation: Double)?) {
        let board = atan2(-across.y, across.x) + reference.offset
        if let forward = swing.forward {
            swingDirection.add(azimuth: atan2(forward.x, forward.y) - board)
            if let azimuth = swingDirection.azimuth(isAgainst: mount.source == .design) { take(azimuth, of: .swing) }
        } else if !swing.isActive, let line, axis.lead.magnitude > Self.leastLead {
            let forward = axis.lead > 0 ? line.direction : -line.direction
            lineDirection.add(azimuth: atan2(forward.x, forward.y) - board)
            if let azimuth = lineDirection.azimuth(isAgainst: mount.source == .design) { take(azimuth, of: .line) }
        }
    }

    private mutating func take(_ azimuth: Double, of source: BoardMount.Source) {
        let change = Angle.wrapped(azimuth - mount.azimuth).magnitude
        switch (mount.source, source) {
        case (.satellites, _), (.swing, .line), (.line, .line): return
        // What hangs from a trunk swings to and fro the other way: the line alone turns no board that is worn as designed to
        // its opposite.
        case (.design, .line):
            guard change > Self.leastContradiction, change < .pi - Self.leastContradiction else { return }
        case (.design, _), (.swing, _): guard change > Self.leastTurn else { return }
        default: break
        }
        mount = BoardMount(azimuth: azimuth, source: source)
        carriage &+= 1
    }

    /// Number of similar steps in a row, after the first, that show how the board hangs.
    private static let leastRegular = 2
    /// Least angle between the assumed direction and the one that the gait shows for the gait to count: 60°. Unit: radians.
    private static let leastContradiction = 1.05
    /// The same for the swing of a leg, which is surer: twice what λ holds. Unit: radians.
    private static let leastTurn = 0.6
    /// Least sine of the phase between the accelerations ahead and upwards that tells forwards from backwards.
    private static let leastLead = 0.5

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
        let across = candidate.motion.axes.direction(of: reference.axis)
        let ahead = Rotation2(yaw: -reference.offset) * Vector3(-across.y, across.x, 0)
        return (ahead.normalized ?? .zero) * length
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
            // A leg swings more than it bounces, once a stride.
            && (swing.isActive || candidate.motion.horizontalShare <= settings.largestHorizontalShare)
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
        /// Number of the carriage in which the mount was learned.
        var carriage: UInt32
        var lineBias: LineBias
    }

    var learned: Learned {
        get { Learned(mount: mount, discrepancy: discrepancy, walked: walked, carriage: carriage, lineBias: lineBias) }
        set {
            mount = newValue.mount
            carriage = newValue.carriage
            lineBias = newValue.lineBias
            discrepancy = newValue.discrepancy
            walked = newValue.walked
        }
    }

    /// Takes over what another has seen; keeps what it has learned by its own heading of a board that is carried as before.
    ///
    /// - Returns: whether the board is carried in another way.
    mutating func follow(_ other: GaitMonitor) -> Bool {
        var own = learned
        let isSame = own.carriage == other.carriage
        if !isSame { (own.mount, own.carriage, own.lineBias) = (other.mount, other.carriage, LineBias()) }
        self = other
        learned = own
        return !isSame
    }

    /// A number that changes with what posture and gait show of the board's direction.
    var carriageNumber: UInt32 { carriage }

    /// A step that something better contradicts.
    mutating func refuse() {
        lastStep = nil
        regular = 0
    }

    /// The body's axes are others, and now those that were meant.
    mutating func changeBodyAxes() {
        mount = BoardMount()
        reference = BoardReference()
        swingDirection = GaitDirection()
        lineDirection = GaitDirection()
        carriage &+= 1
    }

    /// ENU has turned: what was summed up in the old one is of no use.
    mutating func interrupt() {
        smoother = ForceSmoother()
        detector.interrupt()
        swing.interrupt()
        axis.clear()
        lastEnd = nil
    }
}
