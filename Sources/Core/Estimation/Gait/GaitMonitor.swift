import Geometry
import Glibc
import Model

/// Detects walking from the inertial sensors alone, step by step.
///
/// The queries that the filter makes at each sample or tick are `mutating`, although they change nothing. This avoids
/// copying the monitor.
package struct GaitMonitor: Sendable, Codable {
    private var smoother = ForceSmoother()
    private var detector = StepDetector()
    private var swing = SwingDetector()
    private var axis = WalkingAxis()
    package private(set) var reference = BoardReference()
    private var swingDirection = GaitDirection()
    private var lineDirection = GaitDirection()
    /// Counter that is incremented whenever posture or gait changes the board's direction.
    package private(set) var carriage: UInt32 = 0
    private var lastSample: BootTime?
    /// Whether the last sample completed a peak of the vertical force, and a turning point of the swing.
    private var (hasPeaked, hasTurned) = (false, false)
    /// Duration of the last oscillation. Unit: seconds.
    private var lastDuration = 0.0
    /// Amplitude of the last oscillation. Unit: m/s².
    private var lastAmplitude = 0.0
    /// End of the last oscillation.
    private var lastEnd: BootTime?
    /// Slow mean of the durations of accepted steps. Unit: seconds.
    private var usualDuration = 0.0
    /// Slow mean of the amplitudes of accepted steps. Unit: m/s².
    private var usualAmplitude = 0.0
    /// Slow mean of the ratio of horizontal to vertical oscillation over successive similar oscillations.
    private var usualShare = 0.0
    /// Number of successive similar oscillations.
    private var regular = 0
    /// Time at which the last accepted step was detected.
    package private(set) var lastStep: BootTime?
    /// Time of the last oscillation of the vertical force that was as large as in walking, even if it was not a step.
    private var lastSwing: BootTime?
    /// Slow mean of the normalised innovation squared of step speeds.
    package var discrepancy = 1.0
    package var mount = BoardMount()
    package var lineBias = LineBias()
    /// Displacement by steps that are detected but not yet accepted. Frame: ENU, along the board's direction. Unit:
    /// metres.
    private var credit = Vector3.zero
    /// Number of successive similar clear steps.
    private var clear = 0
    package var walked = WalkedTrack()

    package init() {}

    /// Weight of a step in the means of duration and amplitude.
    private static let share = 0.2

    /// Adds an inertial sample.
    ///
    /// - Returns: whether an oscillation may be complete; if so, call `detectStep`.
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

    /// Returns the step that ends with the oscillation just completed; nil if the oscillation is not a step. The method
    /// is separate from `add` so that the settings are not copied at each sample.
    ///
    /// - Parameter isAided: whether the velocity is known and will check the step; if so, weaker steps are accepted.
    package mutating func detectStep(
        at time: BootTime, isAided: Bool, settings: GaitSettings, parts: EstimatorParts = .all
    ) -> Step? {
        guard let candidate = candidate(at: time, parts) else { return nil }
        let follows = lastEnd == candidate.start
        let isLike = follows && isNear(candidate, lastDuration, lastAmplitude, settings.alike)
        let isSteady = follows && isNear(candidate, lastDuration, lastAmplitude, settings.steady)
        noteShare(candidate, isLike: isLike, settings)
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
        let isLined = parts.contains(.walkingAxis)
        let line = isLined ? axis.add(step: candidate.duration, age: candidate.since.duration) : nil
        let across = noteBoard(candidate, line: line, parts)
        let length = settings.length(amplitude: candidate.amplitude, duration: candidate.duration)
        noteClearness(of: candidate, isLike: isLike, isSteady: isSteady, settings)
        guard counts(candidate, at: time, isAided: isAided, settings) else {
            if !isLike { credit = .zero }
            credit += displacement(of: candidate, length) * Double(1 + candidate.missed)
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

    /// Returns the oscillation just completed. It is a half swing of a leg if the board swings with the leg; otherwise
    /// it lasts from peak to peak.
    private mutating func candidate(at time: BootTime, _ parts: EstimatorParts) -> StepCandidate? {
        let peak = hasPeaked ? cutAtPeak() : nil
        let isTurn = hasTurned && parts.contains(.swingDetector)
        let turn = isTurn ? swing.cut(detector.motion, at: time) : nil
        return swing.isActive ? turn : peak
    }

    /// Ends an oscillation at a peak. The accumulated motion, which the swing detector uses too, restarts at each peak.
    private mutating func cutAtPeak() -> StepCandidate? {
        let (peakBefore, motion) = (detector.peakTime, detector.motionToExtreme)
        let candidate = detector.cut()
        if detector.peakTime != peakBefore { swing.rebase(after: motion) }
        if candidate != nil { swing.notePeak() }
        return candidate
    }

    /// Updates the posture, and the walking direction that the gait indicates.
    /// - Returns: mean of the reference axis over the stride of a swinging board; nil for a steady board, whose current
    ///   axis follows turns without delay. Frame: ENU.
    private mutating func noteBoard(
        _ candidate: StepCandidate, line: Step.Axis?, _ parts: EstimatorParts
    ) -> Vector3? {
        let axes = candidate.motion.axes / max(candidate.motion.duration, 1e-9)
        // Turning a board over in the hand looks like a few steps, so the posture is used only after several regular
        // steps.
        guard regular >= Self.minimumRegularCount else {
            return swing.isActive ? axes.direction(of: reference.axis) : nil
        }
        if parts.contains(.boardReference), reference.add(axes) { changePosture() }
        let across = axes.direction(of: reference.axis)
        if parts.contains(.gaitDirection) { noteDirection(across: across, line: line) }
        return swing.isActive ? across : nil
    }

    /// Handles a change of posture. If the new posture is as designed, the board is assumed to face ahead; otherwise
    /// its direction is unknown.
    private mutating func changePosture() {
        swingDirection = GaitDirection()
        lineDirection = GaitDirection()
        let source: BoardMount.Source = reference.isAsDesigned ? .design : .nothing
        lineBias = LineBias()
        if mount.source == .design, source == .design { return }
        mount = BoardMount(source: source)
        carriage &+= 1
    }

    /// Learns the walking direction from the swing of a leg or, less reliably, from the axis along which the trunk
    /// swings.
    private mutating func noteDirection(across: Vector3, line: Step.Axis?) {
        let board = atan2(-across.y, across.x) + reference.offset
        if let forward = swing.forward {
            swingDirection.add(azimuth: atan2(forward.x, forward.y) - board)
            if let azimuth = swingDirection.azimuth(isAgainst: mount.source == .design) { take(azimuth, of: .swing) }
        } else if !swing.isActive, let line, axis.lead.magnitude > Self.minimumLead {
            let forward = axis.lead > 0 ? line.direction : -line.direction
            lineDirection.add(azimuth: atan2(forward.x, forward.y) - board)
            if let azimuth = lineDirection.azimuth(isAgainst: mount.source == .design) { take(azimuth, of: .line) }
        }
    }

    private mutating func take(_ azimuth: Double, of source: BoardMount.Source) {
        let change = Angle.wrapped(azimuth - mount.azimuth).magnitude
        switch (mount.source, source) {
        case (.satellites, _), (.swing, .line), (.line, .line): return
        // A board that hangs from the trunk swings in opposite phase. Therefore the axis alone must not reverse a board
        // that is worn as designed.
        case (.design, .line):
            guard change > Self.minimumContradiction, change < .pi - Self.minimumContradiction else { return }
        case (.design, _), (.swing, _): guard change > Self.minimumTurn else { return }
        default: break
        }
        mount = BoardMount(azimuth: azimuth, source: source)
        carriage &+= 1
    }

    /// Number of successive similar steps, after the first, that determine the posture.
    private static let minimumRegularCount = 2
    /// Smallest angle between the assumed and the observed direction at which the walking axis overrules the design:
    /// 60°. Unit: radians.
    private static let minimumContradiction = 1.05
    /// Same as `minimumContradiction` for the swing of a leg, which is more reliable: two standard deviations of λ.
    /// Unit: radians.
    private static let minimumTurn = 0.6
    /// Smallest sine of the phase between forward and upward acceleration that distinguishes forwards from backwards.
    private static let minimumLead = 0.5

    /// Whether a step is accepted. Without satellites only the gait distinguishes a walk from a moving hand: a walk
    /// must begin with clear steps, and then continues with any step.
    private func counts(
        _ candidate: StepCandidate, at time: BootTime, isAided: Bool, _ settings: GaitSettings
    ) -> Bool {
        if isUsual(candidate, at: time, settings) { return true }
        guard !isAided else { return regular >= settings.stepsToBegin }
        let isRecent = lastStep.map { time.seconds(since: $0) < settings.recentSeconds } ?? false
        return clear >= 2 || regular >= settings.regularToBegin || isRecent
    }

    /// Counts clear steps. A hard tread rotates the board faster than `clearRotationRate`, but equally at each step.
    private mutating func noteClearness(
        of candidate: StepCandidate, isLike: Bool, isSteady: Bool, _ settings: GaitSettings
    ) {
        let shaken = isSteady ? settings.treadRotation * candidate.amplitude : 0
        let isClear =
            candidate.amplitude >= settings.clearAmplitude
            && candidate.motion.horizontalShare <= settings.clearHorizontalShare
            && candidate.motion.rotationRate < max(settings.clearRotationRate, shaken)
            && candidate.duration > settings.minimumClearDuration && candidate.duration < settings.maximumClearDuration
        clear = !isClear ? 0 : isLike ? clear + 1 : 1
    }

    private func displacement(of candidate: StepCandidate, _ length: Double) -> Vector3 {
        let across = candidate.motion.axes.direction(of: reference.axis)
        let ahead = Rotation2(yaw: -reference.offset) * Vector3(-across.y, across.x, 0)
        return (ahead.normalized ?? .zero) * length
    }

    /// Displacement of the first step after a pause. No peak marks its start, so its duration is assumed. It ends with
    /// the candidate, which includes the pause.
    private func creditOfFirst(_ candidate: StepCandidate, _ settings: GaitSettings) -> Vector3 {
        guard candidate.duration > settings.maximumDuration,
            candidate.amplitude > settings.minimumAmplitudeUnaided,
            candidate.motion.horizontalShare <= maximumShare(settings)
        else { return .zero }
        return displacement(
            of: candidate, settings.length(amplitude: candidate.amplitude, duration: settings.firstDuration))
    }

    /// Whether an oscillation is possible as a step.
    private func isPossible(
        _ candidate: StepCandidate, isAided: Bool, _ settings: GaitSettings
    ) -> Bool {
        let rate = candidate.motion.rotationRate
        return candidate.duration >= settings.minimumDuration && candidate.duration <= settings.maximumDuration
            && candidate.amplitude >= (isAided ? settings.minimumAmplitude : settings.minimumAmplitudeUnaided)
            && candidate.amplitude <= settings.maximumAmplitude
            && rate >= settings.minimumRotationRate && rate <= settings.maximumRotationRate
            // The limit does not hold for a swinging leg, whose horizontal acceleration exceeds its vertical
            // acceleration once a stride.
            && (swing.isActive || candidate.motion.horizontalShare <= maximumShare(settings))
    }

    /// Largest ratio of horizontal to vertical oscillation of a step. In a bag or on the body the board sways at each
    /// step, and only regularity distinguishes this from a swinging hand.
    private func maximumShare(_ settings: GaitSettings) -> Double {
        let sways = usualShare > settings.swayingShare && usualShare < settings.maximumSwayingShare
        return sways ? settings.maximumSwayingShare : settings.maximumHorizontalShare
    }

    /// Updates the mean horizontal share. Dissimilar oscillations reduce it. The swing of a leg is ignored because it
    /// contains no information about the trunk.
    private mutating func noteShare(_ candidate: StepCandidate, isLike: Bool, _ settings: GaitSettings) {
        guard !swing.isActive else { return }
        let share = isLike ? min(candidate.motion.horizontalShare, 2 * settings.maximumSwayingShare) : 0
        usualShare += (isLike ? Self.share : Self.share / 2) * (share - usualShare)
    }

    /// Whether an oscillation resembles the steps of a recent walk. If so, it is accepted without waiting for similar
    /// steps.
    private func isUsual(_ candidate: StepCandidate, at time: BootTime, _ settings: GaitSettings) -> Bool {
        guard let lastStep, time.seconds(since: lastStep) < settings.memorySeconds else { return false }
        return isNear(candidate, usualDuration, usualAmplitude, settings.alike)
    }

    private func isNear(
        _ candidate: StepCandidate, _ duration: Double, _ amplitude: Double,
        _ maximum: (durationRatio: Double, amplitudeRatio: Double)
    ) -> Bool {
        func isNear(_ a: Double, _ b: Double, within ratio: Double) -> Bool { a < b * ratio && b < a * ratio }
        return isNear(candidate.duration, duration, within: maximum.durationRatio)
            && isNear(candidate.amplitude, amplitude, within: maximum.amplitudeRatio)
    }

    /// Whether the wearer is walking, that is, the last step ended little more than the duration of a step ago.
    @inline(__always)
    package mutating func isWalking(at time: BootTime, settings: GaitSettings) -> Bool {
        guard let lastStep else { return false }
        return time.seconds(since: lastStep) < settings.pauseRatio * usualDuration
    }

    /// Whether the wearer walked recently and has stopped.
    package mutating func isStanding(at time: BootTime, settings: GaitSettings) -> Bool {
        guard let lastStep, let lastSwing else { return false }
        return time.seconds(since: lastSwing) > settings.pauseRatio * usualDuration
            && time.seconds(since: lastStep) < settings.standingSeconds
    }

    /// Time since the previous sample; 0 at the first. Unit: seconds.
    @inline(__always)
    package mutating func interval(to time: BootTime) -> Double {
        lastSample.map { max(0, time.seconds(since: $0)) } ?? 0
    }

    /// State that was learned by comparing steps with the velocity, and therefore depends on the heading.
    package struct Learned: Sendable, Codable {
        var mount: BoardMount
        var discrepancy: Double
        var walked: WalkedTrack
        /// Value of `carriage` for which the mount was learned.
        var carriage: UInt32
        var lineBias: LineBias
    }

    package var learned: Learned {
        get { Learned(mount: mount, discrepancy: discrepancy, walked: walked, carriage: carriage, lineBias: lineBias) }
        set {
            mount = newValue.mount
            carriage = newValue.carriage
            lineBias = newValue.lineBias
            discrepancy = newValue.discrepancy
            walked = newValue.walked
        }
    }

    /// Copies the detections of another monitor. What this monitor learned with its own heading is kept while the
    /// carriage is the same.
    ///
    /// - Returns: whether the carriage has changed.
    package mutating func follow(_ other: GaitMonitor) -> Bool {
        var own = learned
        let isSame = own.carriage == other.carriage
        if !isSame { (own.mount, own.carriage, own.lineBias) = (other.mount, other.carriage, LineBias()) }
        self = other
        learned = own
        return !isSame
    }

    /// Discards a step that better evidence contradicts.
    package mutating func refuse() {
        lastStep = nil
        regular = 0
    }

    /// Resets the mount to the designed forward direction after the body axes have changed.
    package mutating func changeBodyAxes() {
        mount = BoardMount()
        reference = BoardReference()
        swingDirection = GaitDirection()
        lineDirection = GaitDirection()
        carriage &+= 1
    }

    /// Rotates current and earlier steps when the ENU frame is rotated about up, so that they stay valid.
    package mutating func turn(by turn: Rotation2) {
        smoother.turn(by: turn)
        detector.turn(by: turn)
        swing.turn(by: turn)
        axis.turn(by: turn)
        credit = turn * credit
    }
}
