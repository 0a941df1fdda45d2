import Estimation
import Geometry
import Model
import PlanMatching

/// Façade of the estimator. It takes measurements and returns poses and corrections.
///
/// It uses no clock, file or socket: the same measurements give the same bytes.
public struct Odometry: ~Copyable {
    /// Settings of the filter, as given at the start.
    public let settings: EstimatorSettings
    /// Settings of the publication, as given at the start.
    public let publication: PublicationSettings
    /// Settings of the intake, as given at the start.
    public let intake: IntakeSettings
    /// Number of accepted and refused measurements.
    public internal(set) var counters = MeasurementCounters()
    /// Newest pose; nil before the first. It is read here rather than returned by each function on its way, because
    /// every return of a pose copies it.
    public private(set) var pose: PoseEstimate?

    var input: MeasurementInput
    var localizer: FixLocalizer
    /// Estimator; nil before the first inertial sample.
    var running: RunningOdometry?
    var generation: UInt32 = 1
    var lastPoseTime: BootTime?
    var announcer: FrameAnnouncer
    var plausibility = SensorPlausibility()
    /// Active calibrations and the corrections that result from them.
    package internal(set) var corrections: SensorCorrections
    /// Settings with which a filter starts. They include the residual standard deviations of the active calibrations.
    var filterSettings: EstimatorSettings
    /// Warm start; kept until the first inertial step uses it.
    var prepared: WarmStart?
    var warmReport: WarmStartReport?
    let magneticModel: (any GeomagneticModel)?
    var plans = PlanFollower()
    /// Correction that the paths of the plans make to the published position.
    var paths = PathCorrection()
    /// Whether the clock was set back since the last inertial step.
    var hasSteppedBack = false
    /// Statistics of the updates that were made before the clock was set back.
    var updatesBefore = UpdateStatistics()

    /// Creates an estimator that has not yet received any measurement.
    ///
    /// - Parameters:
    ///   - settings: noise models and limits.
    ///   - publication: alignment of the scene frame, and limits of the tracking states.
    ///   - intake: limits of the measurements, and defaults for values that a receiver does not report.
    ///   - magneticModel: model of the magnetic field; without it the heading remains relative to magnetic north.
    public init(
        settings: EstimatorSettings = EstimatorSettings(),
        publication: PublicationSettings = PublicationSettings(),
        intake: IntakeSettings = IntakeSettings(),
        magneticModel: (any GeomagneticModel)? = WorldMagneticModel.wmm2025
    ) {
        self.settings = settings
        self.publication = publication
        self.intake = intake
        corrections = SensorCorrections(settings, intake)
        filterSettings = corrections.filterSettings
        input = MeasurementInput(settings: intake, estimator: settings)
        localizer = FixLocalizer(model: magneticModel, settings: intake)
        self.magneticModel = magneticModel
        announcer = FrameAnnouncer(settings: publication.scene)
    }

    /// Statistics of the updates of the primary filter since the start.
    ///
    /// Each measurement is counted once, with the result of its first application. When it is applied again after a
    /// late measurement, it is not counted again. A measurement that is refused before it reaches the filter is counted
    /// only in `counters`.
    public var updates: UpdateStatistics { running?.timeline.updates ?? updatesBefore }

    /// Trust in each source whose offers have reached the filter; empty before the first offer.
    package var aidTrust: [OfferTrust] { running?.timeline.aidTrust() ?? [] }

    /// Newest reading of the yaw monitor; nil until the body has moved under satellites.
    public var headingMonitor: HeadingReading? { running?.timeline.monitor.reading }

    /// Returns `headingMonitor` without a copy of the estimator.
    mutating func headingReading() -> HeadingReading? { running?.timeline.headingReading() }

    /// Published alignment at the newest inertial step; nil before the first step. It is announced only at intervals.
    public var alignment: SceneAlignment? {
        @inline(__always) get { running?.scene.published }
    }

    /// Rotation and horizontal shift at the wearer that remain between the published alignment and its target. Units:
    /// radians, metres.
    public var remainingSlew: (turn: Double, shift: Double) {
        @inline(__always) get { running?.scene.remaining ?? (0, 0) }
    }

    /// Tangent plane to which alignments refer; nil before the first fix. It is the same object until its origin moves.
    public var plane: LocalTangentPlane? { localizer.plane }

    /// Whether a height is known.
    public var hasHeight: Bool { localizer.hasHeight }

    /// Geoid that the receiver reports.
    public var geoid: ReceiverGeoid { localizer.geoid }

    /// Step track by itself, for comparison with fixes; nil before the first inertial step.
    public var walkedTrack: WalkedTrack? {
        @inline(__always) get {
            guard var track = running?.timeline.filter.gait.walked else { return nil }
            let isHeadingKnown = running?.timeline.filter.rules.hasYaw == true
            track.yaw = isHeadingKnown ? running?.timeline.filter.heading.motion.yaw : nil
            return track
        }
    }

    /// Newest scene frame that was announced; nil before the first.
    public var frame: FrameEstimate? {
        @inline(__always) get { announcer.last }
    }

    /// Filter at the newest inertial step, for consistency checks; nil before the first step.
    package var filter: ErrorStateKalmanFilter? { running?.timeline.filter }

    /// Reason why there is no first pose yet: no inertial sample has arrived, or none from one of the two sensors.
    public var missingBeforePose: LimitingReasons {
        .silence(hasRate: input.rates.latest != nil, hasForce: input.forces.latest != nil)
    }

    /// Replaces the plans in use. Tracking continues on levels that are in both sets.
    public mutating func use(_ library: PlanLibrary) {
        plans.use(library)
        paths.use(library.paths)
    }

    /// Plans in use.
    public var library: PlanLibrary { plans.library }

    /// Most probable plan and level, always with the state `uncertain`; nil while the wearer is not tracked on a plan.
    public var planUse: PlanUse? { plans.use }

    /// Possible positions of the wearer according to the paths; empty without paths.
    public var guesses: [(position: GeodeticPosition, probability: Double, standardDeviation: Double)] {
        guard let plane = localizer.plane, running?.timeline.filter.gnss.hasPosition == true,
            let position = running?.timeline.filter.state.position
        else { return [] }
        return paths.guesses.compactMap { guess in
            let corrected = position + Vector3(guess.correction.x, guess.correction.y, 0)
            return plane.position(ofENU: corrected).map { ($0, guess.probability, guess.deviation) }
        }
    }

    /// Processes the next measurement. Pass measurements in the order of their arrival.
    ///
    /// - Parameter emit: called for each event before the call returns. A late accelerometer sample can complete
    ///   several inertial steps and therefore yield several poses. The times of the poses always increase.
    public mutating func feed(_ measurement: Measurement, _ emit: (OdometryEvents) -> Void) {
        if take(measurement) { emit(OdometryEvents(pose: pose, alignment: alignment)) }
        while let step = step() {
            emit(OdometryEvents(pose: pose, alignment: alignment, frame: step.hasFrame ? frame : nil))
        }
    }

    /// Takes the next measurement, as `feed` does. Call `step` until it returns nil before taking another measurement.
    ///
    /// - Returns: whether the inertial sensors are silent, so that `pose` is the last pose with the time of the clock
    ///   measurement.
    public mutating func take(_ measurement: Measurement) -> Bool {
        // There is only one switch, because a copy of any measurement is as large as the largest kind.
        switch measurement {
        case .angularRate(var sample):
            sample.rate = corrections.rate.applied(to: sample.rate)
            guard isTaken(input.admit(sample, &counters)) else { return false }
            plausibility.add(sample)
            input.assembler.push(sample)
        case .specificForce(var sample):
            sample.force = corrections.force.applied(to: sample.force)
            guard isTaken(input.admit(sample, &counters)) else { return false }
            plausibility.add(sample)
            input.assembler.push(sample)
        case .magneticField(var sample):
            sample.field = corrections.field.applied(to: sample.field)
            guard isTaken(input.admit(sample, &counters)) else { return false }
            plausibility.add(sample)
            take(sample)
        case .fix(let fix): if isTaken(input.admit(fix, &counters)) { take(fix) }
        case .aid(let aid): take(aid)
        case .calibration(let calibration): take(calibration)
        case .clock(let time): if isTaken(input.admit(clock: time, &counters)) { return noteSilence(at: time) }
        case .pressure(let sample): if isTaken(input.admit(sample, &counters)) { take(sample) }
        }
        return false
    }

    private mutating func isTaken(_ verdict: MeasurementInput.Verdict) -> Bool {
        switch verdict {
        case .accepted: return true
        case .refused: return false
        case .steppedBack:
            restartClock()
            return true
        }
    }

    /// Restarts after the clock was set back, because old and new time stamps cannot be compared.
    private mutating func restartClock() {
        input.restart()
        lastPoseTime = nil
        localizer.forgetUTC()
        guard running != nil else { return }
        // The sensors are the same as before, so their learned values are kept. The confirmation of the compass is not
        // kept, because the elapsed time is unknown.
        prepared = learned()
        prepared?.remove(.compass)
        updatesBefore = updates
        running = nil
        beginGeneration()
        plausibility = SensorPlausibility()
        hasSteppedBack = true
    }

    private mutating func take(_ sample: MagneticSample) {
        guard running != nil else { return }
        tryWarmStart(against: sample)
        running?.tracking.lastMagnetic = sample.time
        guard !isFromTheFuture(sample.time) else { return counters.fromTheFuture += 1 }
        if running?.timeline.insert(sample) == false { counters.tooLate += 1 }
    }

    private mutating func take(_ sample: PressureSample) {
        guard running != nil else { return }
        guard !isFromTheFuture(sample.time) else { return counters.fromTheFuture += 1 }
        let height = StandardAtmosphere.height(pressureHectopascal: sample.pressureHectopascal)
        if running?.timeline.insert(PressureHeight(time: sample.time, height: height)) == false {
            counters.tooLate += 1
        }
    }

    private mutating func take(_ fix: GNSSFix) {
        moveOriginIfFar()
        guard let local = localizer.localize(fix) else { return counters.outOfRange += 1 }
        guard let now = running?.timeline.filter.state.time else { return }
        guard now.seconds(since: fix.epoch) <= settings.gnss.oldestSeconds else { return counters.tooLate += 1 }
        guard !isFromTheFuture(fix.epoch) else { return counters.fromTheFuture += 1 }
        tryWarmStart(against: fix)
        let lastFix = running?.tracking.lastFix ?? local.time
        running?.tracking.lastFix = max(lastFix, local.time)
        if running?.timeline.insert(local) == false { counters.tooLate += 1 }
    }

    /// Largest time by which an offer may be ahead of the newest inertial sample. Unit: seconds.
    private static let aheadOfOffers = 1.0

    private mutating func take(_ aid: AidMeasurement) {
        guard let now = running?.timeline.filter.state.time else { return }
        guard now.seconds(since: aid.time) <= settings.gnss.oldestSeconds else { return counters.tooLate += 1 }
        // The time is checked before `admit`, which accepts the poses of a camera only in order. Otherwise a single
        // wrong stamp in the future would make all later poses look old.
        guard aid.time.seconds(since: now) < Self.aheadOfOffers else { return counters.fromTheFuture += 1 }
        guard isTaken(input.admit(aid, &counters)) else { return }
        moveOriginIfFar()
        switch aid.content {
        case .odometry(let pose):
            let pose = CameraPose(pose, source: aid.source, time: aid.time)
            if running?.timeline.insert(pose) == false { counters.tooLate += 1 }
        default:
            guard let offer = localizer.localize(aid) else { return }
            if running?.timeline.insert(offer) == false { counters.tooLate += 1 }
        }
    }

    /// Moves the ENU origin when the wearer has travelled far, so that east, north and up stay local.
    private mutating func moveOriginIfFar() {
        guard running?.timeline.filter.gnss.hasPosition == true,
            let here = running?.timeline.filter.state.position, here.norm > publication.scene.originRange,
            localizer.moveOrigin(to: here)
        else { return }
        running?.shift(by: -here)
        plans.shift(by: -here)
        announcer.shift(by: -here)
    }

    private func isFromTheFuture(_ time: BootTime) -> Bool {
        guard let now = running?.timeline.filter.state.time else { return false }
        return time.seconds(since: now) > intake.maximumAheadSeconds
    }

    // MARK: Steps and poses

    /// Processes the next inertial sample in filter, scene and monitor, and makes `pose`. Returns nil when no sample is
    /// left.
    public mutating func step() -> InertialStep? {
        while let sample = input.assembler.pop() {
            if running == nil {
                begin(sample)
            } else if running?.meets(sample, &counters) == false {
                // After a long gap the rotation is unknown, so the filter is levelled again, in a new frame.
                beginGeneration()
            } else {
                let increment = running?.timeline.step(sample)
                running?.passReadings()
                guard let increment else {
                    restart(sample)
                    continue
                }
                running?.follow(increment, sample, lastForce: input.forces.latest, paths.shift, &announcer)
                if running?.trial?.isDue(at: sample.time) == true { tryWarmStart() }
            }
            if running?.follow(&plans, on: localizer.plane, at: sample.time) == true { paths.forget() }
            running?.follow(&paths, &localizer, at: sample.time)
            // While the sensors were silent, a clock measurement may already have published a pose with this time.
            guard isNewer(sample.time) else { continue }
            lastPoseTime = sample.time
            let context = poseContext
            return running?.publish(&pose, at: sample.time, context, &localizer, &announcer)
        }
        counters.heldForces = input.assembler.held
        return nil
    }

    private mutating func begin(_ sample: InertialSample) {
        var filter = ErrorStateKalmanFilter(first: sample, settings: filterSettings)
        let trial = warm(&filter)
        running = RunningOdometry(
            filter, first: sample, trial: trial, settings: settings, publication: publication, updates: updatesBefore)
        if hasSteppedBack { running?.tracking.lastClockStep = sample.time }
        hasSteppedBack = false
    }

    private mutating func restart(_ sample: InertialSample) {
        counters.restarts += 1
        running?.restart(with: ErrorStateKalmanFilter(first: sample, settings: filterSettings), at: sample.time)
        beginGeneration()
    }

    /// Begins another scene frame, in which no position on plans and paths is known.
    private mutating func beginGeneration() {
        generation &+= 1
        plans.restart()
        paths.restart()
    }

    @inline(__always)
    private var poseContext: RunningOdometry.PoseContext {
        RunningOdometry.PoseContext(
            generation: generation, implausible: plausibility.reasons, correction: paths.shift,
            accuracyRatio: paths.accuracyRatio)
    }

    /// Publishes the last pose again while the inertial sensors are silent; returns whether they are.
    private mutating func noteSilence(at time: BootTime) -> Bool {
        // While one of the two sensors is silent, there may be no step that would record the samples of the other.
        if let force = input.forces.latest { running?.tracking.lastForce = force }
        if let rate = input.rates.latest { running?.tracking.lastRate = rate }
        guard running?.tracking.isInertialSilent(at: time) == true, isNewer(time) else { return false }
        lastPoseTime = time
        let context = poseContext
        running?.hold(&pose, at: time, context, &localizer)
        return true
    }

    private func isNewer(_ time: BootTime) -> Bool { lastPoseTime.map { time > $0 } ?? true }
}

/// Results of one inertial step, apart from `Odometry.pose`, which each step makes.
public struct InertialStep: Hashable, Sendable {
    /// Whether the step has announced `Odometry.frame`.
    public var hasFrame: Bool
}

/// Results of one inertial step. A result that is absent is nil.
public struct OdometryEvents: Sendable {
    /// Pose. There is one at each inertial step, and at each `.clock` while the inertial sensors are silent.
    public var pose: PoseEstimate?
    /// Published alignment of the scene at the time of `pose`, on `Odometry.plane`; nil without a pose.
    public var alignment: SceneAlignment?
    /// Scene frame; present after a change of its target, and while the published alignment follows the target.
    public var frame: FrameEstimate?
}
