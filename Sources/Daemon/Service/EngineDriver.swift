import Engine
import Linux
import Model
import Persistence
import PlanMatching
import Scene
import Sensors

/// Passes what the sources delivered to the engine, and hands on what comes out; on the reactor's thread.
final class EngineDriver {
    /// Receivers of measurements and results; set before the first measurement.
    struct Outlets {
        var measurement: (Measurement) -> Void
        /// Called with what the engine begins with, before the first inertial sample.
        var warmStart: (WarmStart) -> Void
        /// Called with the plans that the engine uses from now on.
        var plans: (PlanLibrary) -> Void = { _ in }
        var pose: (PoseEstimate) -> Void
        /// Takes a pose that is outdated when it is made: measurements that are much newer wait already.
        var outdatedPose: (PoseEstimate) -> Void
        var frame: (FrameEstimate, BootTime) -> Void
        var route: (RouteProgress.State) -> Void
        var readiness: (FrameReadiness) -> Void = { _ in }
        var scene: (TimedEvent) -> Void = { _ in }
    }

    /// Estimator and scene. Measurements reach it through `drain` and `calibrate` alone, so that recordings get them
    /// too.
    var engine: Engine
    private let queues: MeasurementQueues
    var outlets: Outlets
    /// Warm start that waits for the first angular rate, when the sensors are known.
    private var waiting: WarmStart?
    /// State of a recorded estimator that waits for the first measurement after it.
    var beginning: RecordedBeginning?
    /// Called with the offset of UTC when that state is restored.
    var restored: (Int64?) -> Void = { _ in }
    /// Makes plans on another thread, and hands them to the reactor's; set before the first change of them.
    var plansWork: (_ work: @escaping @Sendable () -> PlanLibrary, _ then: @escaping (PlanLibrary) -> Void) -> Void = {
        $1($0())
    }
    /// Number of changes of plans or route.
    private var planChanges = 0
    /// Sensors that are there now.
    var sensors: () -> WarmStart.Sensors
    /// Parts of the warm start that belonged to other sensors.
    private(set) var foreign = WarmStart.Parts()
    /// Called for a sensor before its first sample goes to the engine, and before the first after a silence.
    var sensorComes: (BootTime) -> Void = { _ in }
    private(set) var presence = SensorPresence()
    private(set) var poses: UInt64 = 0
    /// Times from the stamps of samples to the publication of their poses.
    private(set) var latency = LatencyHistogram()
    private(set) var inertialSamples: UInt64 = 0
    /// Whether a sensor or the receiver has measured anything that the engine knows of.
    private(set) var hasMeasured = false

    private var backlog = Backlog(newest: nil)
    /// When a pose was last delivered to be sent. Unit: ns, monotonic.
    private var lastDelivery: Int64 = 0
    /// Queue that is drained first.
    private var nextQueue = 0

    /// Time that measurements may take at one go; then clients have their turn. Unit: nanoseconds.
    private static let portion: Int64 = 2_000_000
    /// Time after which even an outdated pose is sent: where the estimator is too slow for its sensors, all of them are
    /// outdated. Unit: nanoseconds.
    private static let longestSilence: Int64 = 100_000_000
    /// Maximum number of measurements of one queue before those of the next.
    private static let batch = 64

    /// - Parameters:
    ///   - warmStart: what the engine may begin with.
    ///   - sensors: which there are by now.
    init(
        engine: consuming Engine, queues: MeasurementQueues, warmStart: WarmStart?,
        sensors: @escaping () -> WarmStart.Sensors, outlets: Outlets
    ) {
        waiting = warmStart
        self.sensors = sensors
        self.engine = engine
        self.queues = queues
        self.outlets = outlets
    }

    /// Feeds what waits, for a limited time; returns whether that was all.
    @discardableResult
    func drain() -> Bool {
        queues.wake.clear()
        let end = Reactor.now + Self.portion
        var empty = 0
        while empty < queues.all.count {
            let (count, isInTime) = drainBatch(of: queues.all[nextQueue], until: end)
            nextQueue = (nextQueue + 1) % queues.all.count
            empty = count == 0 ? empty + 1 : 0
            guard isInTime else {
                queues.wake.signal()
                return false
            }
        }
        return true
    }

    /// Feeds a batch of one queue; returns their number, and whether there is time for more.
    private func drainBatch(of queue: MeasurementQueue, until end: Int64) -> (count: Int, isInTime: Bool) {
        backlog = Backlog(newest: queue.newestTime)
        defer { backlog = Backlog(newest: nil) }
        for count in 0..<Self.batch {
            guard let measurement = queue.pop() else { return (count, true) }
            feed(measurement)
            guard Reactor.now < end else { return (count + 1, false) }
        }
        return (Self.batch, true)
    }

    private func deliver(_ pose: PoseEstimate) {
        let now = Reactor.now
        guard backlog.outdates(pose.time), now - lastDelivery < Self.longestSilence else {
            lastDelivery = now
            return outlets.pose(pose)
        }
        outlets.outdatedPose(pose)
    }

    /// Lets the engine know what time it is, so that it notices silence.
    func tick() { feed(.clock(BootTime(nanoseconds: BootClock.nanoseconds))) }

    /// Activates a calibration from now on; it is recorded like what sensors deliver, and a replay follows it.
    ///
    /// Those of the start belong before the first inertial sample: what is learned counts from the active calibrations.
    func calibrate(_ calibration: SensorCalibration) { feed(.calibration(calibration)) }

    /// Uses plans from now on, between two measurements; they are recorded, and a replay follows them. Beside a route
    /// they are used as soon as they are made.
    func use(_ library: PlanLibrary) {
        engine.give(library)
        makePlans()
    }

    /// Follows a route from now on, or none. Its line is used as soon as it is made, and recorded as the plans are.
    func follow(_ plan: RoutePlan?) {
        engine.follow(plan: plan)
        makePlans()
    }

    private func makePlans() {
        planChanges += 1
        let (sources, change) = (engine.planSources, planChanges)
        guard sources.route != nil else { return use(made: sources.library()) }
        let work: @Sendable () -> PlanLibrary = { sources.library() }
        plansWork(work) { [unowned self] library in
            // Not in place of newer ones.
            if change == planChanges { use(made: library) }
        }
    }

    private func use(made library: PlanLibrary) {
        engine.use(made: library)
        outlets.plans(library)
    }

    /// Goes on where the estimator of a recording was, by the clock of now.
    ///
    /// - Parameter first: first measurement after it, by whose time the clocks are compared.
    private func restore(before first: Measurement) {
        if case .clock = first { return }
        guard let beginning = beginning.take() else { return }
        let (shift, overflow) = first.time.nanoseconds.subtractingReportingOverflow(beginning.next.nanoseconds)
        do throws(EstimatorStateProblem) {
            try engine.restore(beginning.state, timeShift: overflow ? .max : shift)
            restored(engine.utcOffset)
        } catch {
            Log.warning("the state of the estimator in the recording is not restored: \(error)")
        }
    }

    private func prepare() {
        guard var start = waiting.take() else { return }
        foreign = start.foreign(to: sensors())
        start.remove(foreign)
        engine.prepare(start)
        outlets.warmStart(start)
    }

    private func feed(_ measurement: Measurement) {
        if beginning != nil { restore(before: measurement) }
        if presence.notes(measurement) { sensorComes(measurement.time) }
        switch measurement {
        case .angularRate:
            inertialSamples += 1
            hasMeasured = true
            if waiting != nil { prepare() }
        case .calibration, .clock: break
        default: hasMeasured = true
        }
        // While the sensors are silent poses have the stamp of the clock, which is no sample's.
        let isSample = if case .clock = measurement { false } else { true }
        outlets.measurement(measurement)
        engine.feed(measurement) { event in
            switch event {
            case .pose(let pose):
                poses += 1
                deliver(pose)
                if isSample { latency.add(nanoseconds: BootClock.nanoseconds - pose.time.nanoseconds) }
            case .frame(let frame): outlets.frame(frame, measurement.time)
            case .route(let state): outlets.route(state)
            case .readiness(let readiness): outlets.readiness(readiness)
            case .scene(let event): outlets.scene(event)
            }
        }
    }
}
