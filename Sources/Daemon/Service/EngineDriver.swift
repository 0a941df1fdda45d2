import Engine
import Linux
import Model
import Persistence
import PlanMatching
import Scene
import Sensors

/// Passes the sources' measurements to the engine, and the engine's results to `results`; runs on the reactor's thread.
final class EngineDriver {
    /// Estimator and scene. Every measurement reaches the engine through `feed`, so that recordings get it too.
    var engine: Engine
    private let queues: MeasurementQueues
    private let calibration: CalibrationApplication
    /// Repository of plans, whose worker thread also makes the plans of a route.
    private let plans: PlanRepository
    /// Receives each measurement before the engine does, and then the engine's results.
    weak var results: EngineResults?
    /// Warm start that waits for the first angular rate, because the sensors are known only then.
    private var waiting: WarmStart?
    /// State of the estimator from a recording; it waits for the first measurement after that state.
    private var beginning: RecordedBeginning?
    /// Number of changes of plans or route.
    private var planChanges = 0
    /// Parts of the warm start that were rejected because they belonged to other sensors.
    private(set) var foreign = WarmStart.Parts()
    private(set) var presence = SensorPresence()
    private(set) var poses: UInt64 = 0
    private(set) var poseRate = RateMeter()
    /// Durations from the time stamp of a sample to the publication of its pose.
    private(set) var latency = LatencyHistogram()
    private(set) var inertialSamples: UInt64 = 0
    /// Whether a measurement other than calibrations and clock ticks has reached the engine.
    private(set) var hasMeasured = false

    private var backlog = Backlog(newest: nil)
    /// Reading of the boot clock after the newest pose, or at the start of a drain. Only the steps that make poses take
    /// long, so the clock is not read for other measurements. Unit: nanoseconds.
    private var now: Int64 = 0
    /// When a pose was last delivered to be sent, by the boot clock. Unit: nanoseconds.
    private var lastDelivery: Int64 = 0
    /// Queue that is drained first.
    private var nextQueue = 0

    /// Time for which measurements are processed before clients have their turn. Unit: nanoseconds.
    private static let portion: Int64 = 2_000_000
    /// Time without a sent pose after which even an outdated pose is sent, because all poses are outdated if the
    /// estimator is too slow for its sensors. Unit: nanoseconds.
    private static let maximumSilence: Int64 = 100_000_000
    /// Maximum number of measurements from one queue before the next queue has its turn.
    private static let batch = 64

    /// - Parameter warmStart: state of an earlier run from which the engine may begin.
    init(
        settings: SceneSettings, environment: DaemonEnvironment, warmStart: WarmStart?,
        calibration: CalibrationApplication, plans: PlanRepository
    ) throws(RouteWithoutLength) {
        engine = Engine(settings: settings)
        queues = environment.queues
        beginning = environment.beginning
        waiting = warmStart
        self.calibration = calibration
        self.plans = plans
        for calibration in environment.calibrations { calibrate(calibration) }
        try engine.follow(environment.route)
    }

    var sensors: WarmStart.Sensors { calibration.sensors }

    /// Feeds the waiting measurements to the engine, for a limited time; returns whether no measurement is left.
    @discardableResult
    func drain() -> Bool {
        now = BootClock.nanoseconds
        let end = now + Self.portion
        var empty = 0
        while empty < queues.all.count {
            let queue = queues.all[nextQueue]
            nextQueue = (nextQueue + 1) % queues.all.count
            empty += 1
            backlog = Backlog(newest: queue.newestTime)
            defer { backlog = Backlog(newest: nil) }
            for count in 1...Self.batch {
                guard let measurement = queue.pop() else { break }
                empty = 0
                feed(measurement)
                if count == Self.batch { now = BootClock.nanoseconds }
                guard now < end else {
                    queues.wake.signal()
                    return false
                }
            }
        }
        return true
    }

    private func deliver(_ pose: PoseEstimate, to results: EngineResults?) {
        poses += 1
        let isOutdated = backlog.outdates(pose.time) && now - lastDelivery < Self.maximumSilence
        if !isOutdated { lastDelivery = now }
        results?.poseWasEstimated(pose, isOutdated: isOutdated)
        now = BootClock.nanoseconds
    }

    /// Passes the current time to the engine, so that it notices silent sensors.
    func tick() {
        now = BootClock.nanoseconds
        feed(.clock(BootTime(nanoseconds: now)))
        poseRate.observe(poses, at: Reactor.now)
    }

    func updateCalibrations(at time: BootTime) { calibration.update(at: time) { calibrate($0) } }

    /// Activates a calibration for all later measurements; it is recorded like a measurement, so that a replay applies
    /// it too.
    ///
    /// Calibrations at the start come before the first inertial sample, because learned errors are relative to the
    /// active calibrations.
    private func calibrate(_ calibration: SensorCalibration) { feed(.calibration(calibration)) }

    /// Uses plans for all later measurements; the change is recorded, so that a replay follows it. While a route is
    /// followed, the floor plan that is made of the route is first added to them on a worker thread.
    func use(_ library: PlanLibrary) {
        engine.give(library)
        makePlans()
    }

    /// Follows a route, or none if `plan` is nil. The floor plan that is made of the route is used as soon as it is
    /// ready, and is recorded as other floor plans are.
    func follow(_ plan: RoutePlan?) {
        engine.follow(plan: plan)
        makePlans()
    }

    private func makePlans() {
        planChanges += 1
        let (sources, change) = (engine.planSources, planChanges)
        guard sources.route != nil else { return use(made: sources.library()) }
        plans.perform { _ in
            sources.library()
        } then: { [weak self] result in
            // Only if plans and route have not changed since.
            if let self, case .success(let library) = result, change == planChanges { use(made: library) }
        }
    }

    private func use(made library: PlanLibrary) {
        engine.use(made: library)
        results?.plansWereChanged(to: library)
    }

    /// Continues from the estimator state of a recording, with its times converted to the current clock.
    ///
    /// - Parameter first: first measurement after that state; its time relates the two clocks.
    private func restore(before first: Measurement) {
        if case .clock = first { return }
        guard let beginning = beginning.take() else { return }
        let (shift, overflow) = first.time.nanoseconds.subtractingReportingOverflow(beginning.next.nanoseconds)
        do throws(EstimatorStateProblem) {
            try engine.restore(beginning.state, timeShift: overflow ? .max : shift)
            results?.engineWasRestored(utcOffset: engine.utcOffset)
        } catch {
            Log.warning("the state of the estimator in the recording is not restored: \(error)")
        }
    }

    private func prepare() {
        guard var start = waiting.take() else { return }
        foreign = start.foreign(to: sensors)
        start.remove(foreign)
        engine.prepare(start)
        results?.engineWasPrepared(with: start)
    }

    private func feed(_ measurement: Measurement) {
        if beginning != nil { restore(before: measurement) }
        // A sensor that appears may need another calibration from its first sample on.
        if presence.notes(measurement) { updateCalibrations(at: measurement.time) }
        switch measurement {
        case .angularRate:
            inertialSamples += 1
            hasMeasured = true
            if waiting != nil { prepare() }
        case .calibration, .clock: break
        default: hasMeasured = true
        }
        // While the sensors are silent, a pose has the time of the clock and not of a sample, so it has no latency.
        let isSample = if case .clock = measurement { false } else { true }
        // The weak reference is loaded once.
        let results = results
        results?.measurementArrived(measurement)
        engine.feed(measurement) { pose in
            deliver(pose, to: results)
            if isSample { latency.add(nanoseconds: now - pose.time.nanoseconds) }
        } _: { event in
            switch event {
            case .pose: break
            case .frame(let frame): results?.frameWasEstimated(frame, at: measurement.time)
            case .route(let state): Log.notice("route: \(state)")
            case .readiness: break
            case .scene(let event): results?.sceneEventOccurred(event)
            }
        }
    }
}

/// Passes each measurement, and then the engine's results, to the parts of the daemon that use them, in the order of
/// the calls below.
final class EngineResults {
    private let announcer: StateAnnouncer
    let publisher: PosePublisher
    let ring: PoseRingService
    let scene: SceneService
    let calibrations: CalibrationService
    let recorder: RecordingControl

    init(
        announcer: StateAnnouncer, publisher: PosePublisher, ring: PoseRingService, scene: SceneService,
        calibrations: CalibrationService, recorder: RecordingControl
    ) {
        self.announcer = announcer
        self.publisher = publisher
        self.ring = ring
        ring.newest = { [unowned publisher] in publisher.newest }
        self.scene = scene
        self.calibrations = calibrations
        self.recorder = recorder
    }

    func measurementArrived(_ measurement: Measurement) {
        calibrations.live?.take(measurement)
        recorder.take(measurement)
        if case .fix(let fix) = measurement { publisher.learnUTC(fix) }
    }

    /// Takes the warm start with which the engine begins, before the first inertial sample.
    func engineWasPrepared(with start: WarmStart) { recorder.take(start) }

    func engineWasRestored(utcOffset: Int64?) { publisher.learnUTC(offset: utcOffset) }

    /// Takes the plans that the engine uses for all later measurements.
    func plansWereChanged(to library: PlanLibrary) { recorder.take(library) }

    /// - Parameter isOutdated: whether measurements much newer than the pose are waiting.
    func poseWasEstimated(_ pose: PoseEstimate, isOutdated: Bool) {
        announcer.observe(pose)
        publisher.take(pose)
        // Ring before messages: writing it takes far less time than encoding a message and sending it to all.
        ring.take(pose, utcOffset: publisher.utcOffset, terms: publisher.predictionTerms)
        if isOutdated { publisher.skip(pose.time) } else { publisher.publish(pose.time) }
        recorder.take(pose, sequence: publisher.poseSequence)
    }

    func frameWasEstimated(_ frame: FrameEstimate, at time: BootTime) {
        publisher.publish(frame, at: time)
        ring.writer?.take(frame)
        recorder.take(frame, sequence: publisher.frameSequence)
    }

    func sceneEventOccurred(_ event: TimedEvent) { scene.take(event) }
}
