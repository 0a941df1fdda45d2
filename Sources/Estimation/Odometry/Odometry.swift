import Geodesy
import Geometry
import Measurements

/// The façade of the estimator: measurements in, poses and corrections out.
///
/// Pure: it knows no clock, file or socket, and the same measurements give the same bytes.
public struct Odometry: ~Copyable {
    public let settings: EstimatorSettings
    public internal(set) var counters = MeasurementCounters()

    var input: MeasurementInput
    var localizer: FixLocalizer
    /// Nil before the first inertial sample.
    var running: RunningOdometry?
    var generation: UInt32 = 1
    var lastPoseTime: BootTime?
    var announcer: FrameAnnouncer
    var plausibility = SensorPlausibility()
    package internal(set) var corrections: SensorCorrections
    /// With which a filter begins: what the calibrations in force leave unknown is in them.
    var filterSettings: EstimatorSettings
    /// Of a warm start, until the first inertial step takes it, and what became of it.
    var prepared: WarmStart?
    var warmReport: WarmStartReport?
    let magneticModel: (any GeomagneticModel)?
    /// The clock was set back since the last inertial step.
    var hasSteppedBack = false

    /// - Parameter magneticModel: tells declination, inclination and strength of the field; without one the heading
    ///   stays magnetic.
    public init(
        settings: EstimatorSettings = EstimatorSettings(),
        magneticModel: (any GeomagneticModel)? = WorldMagneticModel.wmm2025
    ) {
        self.settings = settings
        corrections = SensorCorrections(settings)
        filterSettings = corrections.filterSettings
        input = MeasurementInput(settings: settings)
        localizer = FixLocalizer(model: magneticModel, settings: settings)
        self.magneticModel = magneticModel
        announcer = FrameAnnouncer(settings: settings.scene)
    }

    /// What the monitor of the axes read last; nil until the body has moved under satellites.
    public var headingMonitor: HeadingReading? { running?.timeline.monitor.reading }

    /// The published alignment at the newest inertial step, which is announced only now and then; nil before the first.
    public var alignment: SceneAlignment? {
        @inline(__always) get { running?.scene.published }
    }

    /// What it has still to go to its target: a turn, and a shift over ground at the wearer. Units: radians, metres.
    public var remainingSlew: (turn: Double, shift: Double) {
        @inline(__always) get { running?.scene.remaining ?? (0, 0) }
    }

    /// On which alignments count, the same object until its origin moves; nil before the first fix.
    public var plane: LocalTangentPlane? { localizer.plane }

    /// What the heights of positions count from; nil before the first height.
    public var heightKind: GNSSFix.HeightKind? { localizer.heightKind }

    /// Of mean sea level above the ellipsoid, as the receiver told it last; nil is not known. Unit: metres.
    public var geoidSeparation: Double? { localizer.geoidSeparation }

    /// What the steps alone make of the way, to be compared with fixes; nil before the first inertial step.
    public var walkedTrack: WalkedTrack? {
        @inline(__always) get {
            guard var track = running?.timeline.filter.gait.walked else { return nil }
            let isHeadingKnown = running?.timeline.filter.heading.isKnown == true
            track.yaw = isHeadingKnown ? running?.timeline.filter.heading.motion.yaw : nil
            return track
        }
    }

    /// The filter at the newest inertial step, for consistency checks; nil before the first.
    package var filter: ErrorStateKalmanFilter? { running?.timeline.filter }

    /// What keeps the first pose from coming: the inertial sensors, or the one of them that has said nothing yet.
    public var missingBeforePose: LimitingReasons {
        if input.lastForce == nil {
            return input.lastRate == nil ? .noInertialData : [.noInertialData, .noAccelerometerData]
        }
        return input.lastRate == nil ? [.noInertialData, .noGyroscopeData] : .noInertialData
    }

    /// Takes the next measurement in order of arrival.
    ///
    /// - Parameter emit: called for each event before the call returns. Forces that come late release several
    ///   inertial steps at once, hence several poses; their stamps always grow.
    public mutating func feed(_ measurement: Measurement, _ emit: (OdometryEvents) -> Void) {
        // Looked into once: the largest kind of measurement makes a copy of any dear.
        switch measurement {
        case .angularRate(var sample):
            sample.rate = corrections.rate.applied(to: sample.rate)
            guard isTaken(input.admit(sample, &counters)) else { return }
            plausibility.add(sample)
            input.push(sample)
            takeSteps(emit)
        case .specificForce(var sample):
            sample.force = corrections.force.applied(to: sample.force)
            guard isTaken(input.admit(sample, &counters)) else { return }
            plausibility.add(sample)
            input.push(sample)
            takeSteps(emit)
        case .magneticField(var sample):
            sample.field = corrections.field.applied(to: sample.field)
            guard isTaken(input.admit(sample, &counters)) else { return }
            plausibility.add(sample)
            take(sample)
        case .fix(let fix): if isTaken(input.admit(fix, &counters)) { take(fix) }
        case .calibration(let calibration): take(calibration)
        case .clock(let time): if isTaken(input.admit(clock: time, &counters)) { noteSilence(at: time, emit) }
        case .pressure(let sample): if isTaken(input.admit(sample, &counters)) { take(sample) }
        }
    }

    private mutating func isTaken(_ verdict: MeasurementInput.Verdict) -> Bool {
        if verdict == .steppedBack { restartClock() }
        return verdict != .refused
    }

    private mutating func takeSteps(_ emit: (OdometryEvents) -> Void) {
        while let sample = input.pop() { step(sample, emit) }
        counters.heldForces = input.heldForces
    }

    /// The clock was set back: nothing on the old one can be compared with what comes.
    private mutating func restartClock() {
        input.restart()
        lastPoseTime = nil
        guard running != nil else { return }
        // The sensors are the same as a moment ago.
        prepared = learned()
        running = nil
        plausibility = SensorPlausibility()
        hasSteppedBack = true
        generation &+= 1
    }

    private mutating func take(_ sample: MagneticSample) {
        guard running != nil else { return }
        tryWarmStart(against: sample)
        running?.tracking.lastMagnetic = sample.time
        guard !isFromTheFuture(sample.time) else { return counters.fromTheFuture += 1 }
        if running?.insert(sample) == false { counters.tooLate += 1 }
    }

    private mutating func take(_ sample: PressureSample) {
        guard running != nil else { return }
        guard !isFromTheFuture(sample.time) else { return counters.fromTheFuture += 1 }
        let height = StandardAtmosphere.height(pressureHectopascal: sample.pressureHectopascal)
        if running?.insert(PressureHeight(time: sample.time, height: height)) == false { counters.tooLate += 1 }
    }

    private mutating func take(_ fix: GNSSFix) {
        moveOriginIfFar()
        guard let local = localizer.localize(fix) else {
            counters.outOfRange += 1
            return
        }
        guard let now = running?.timeline.filter.state.time else { return }
        guard now.seconds(since: fix.epoch) <= settings.gnss.oldestSeconds else {
            counters.tooLate += 1
            return
        }
        guard !isFromTheFuture(fix.epoch) else { return counters.fromTheFuture += 1 }
        tryWarmStart(against: fix)
        if running?.insert(local) == false { counters.tooLate += 1 }
    }

    /// East, north and up are those of the origin: on a journey it comes along, so that the three stay true.
    private mutating func moveOriginIfFar() {
        guard running?.timeline.filter.gnss.hasPosition == true,
            let here = running?.timeline.filter.state.position, here.norm > settings.scene.originRange,
            localizer.moveOrigin(to: here)
        else { return }
        running?.shift(by: -here)
        announcer.shift(by: -here)
    }

    private func isFromTheFuture(_ time: BootTime) -> Bool {
        guard let now = running?.timeline.filter.state.time else { return false }
        return time.seconds(since: now) > settings.inertial.farthestAheadSeconds
    }

    // MARK: Steps and poses

    /// Takes one inertial sample through filter, scene and monitor.
    private mutating func step(_ sample: InertialSample, _ emit: (OdometryEvents) -> Void) {
        switch running?.step(sample, lastForce: input.lastForce, &counters, &announcer) {
        case nil: begin(sample)
        case .followed: tryWarmStart()
        case .frameLost: generation &+= 1
        case .unsound: return restart(sample)
        }
        // A clock reading may have told this time already, while the sensors were silent.
        guard isNewer(sample.time) else { return }
        lastPoseTime = sample.time
        let context = poseContext
        running?.publish(at: sample.time, context, &localizer, &announcer, emit)
    }

    private mutating func begin(_ sample: InertialSample) {
        var filter = ErrorStateKalmanFilter(first: sample, settings: filterSettings)
        let trial = warm(&filter)
        running = RunningOdometry(filter, first: sample, trial: trial, settings: settings)
        if hasSteppedBack { running?.tracking.lastClockStep = sample.time }
        hasSteppedBack = false
    }

    private mutating func restart(_ sample: InertialSample) {
        counters.restarts += 1
        running?.restart(with: ErrorStateKalmanFilter(first: sample, settings: filterSettings), at: sample.time)
        generation &+= 1
    }

    @inline(__always)
    private var poseContext: RunningOdometry.PoseContext {
        RunningOdometry.PoseContext(generation: generation, implausible: plausibility.reasons)
    }

    /// Holds the last pose while the inertial sensors are silent.
    private mutating func noteSilence(at time: BootTime, _ emit: (OdometryEvents) -> Void) {
        // While one of the two sensors is silent there may be no step to tell that the other is not.
        if let force = input.lastForce { running?.tracking.lastForce = force }
        if let rate = input.lastRate { running?.tracking.lastRate = rate }
        guard running?.tracking.isInertialSilent(at: time) == true, isNewer(time) else { return }
        lastPoseTime = time
        let context = poseContext
        guard let pose = running?.makePose(at: time, isHeld: true, context, &localizer) else { return }
        emit(OdometryEvents(pose: pose, alignment: alignment))
    }

    private func isNewer(_ time: BootTime) -> Bool { lastPoseTime.map { time > $0 } ?? true }
}
