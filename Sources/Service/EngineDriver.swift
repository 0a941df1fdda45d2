import Engine
import Estimation
import Linux
import Model
import Persistence
import Scene
import Sensors

/// Passes what the sources delivered to the engine, and hands on what comes out; on the reactor's thread.
final class EngineDriver {
    /// Receivers of measurements and results; set before the first measurement.
    struct Outlets {
        var measurement: (Measurement) -> Void
        /// Called with what the engine begins with, before the first inertial sample.
        var warmStart: (WarmStart) -> Void
        var pose: (PoseEstimate) -> Void
        var frame: (FrameEstimate, BootTime) -> Void
        var route: (RouteProgress.State) -> Void
        var readiness: (FrameReadiness) -> Void = { _ in }
        var scene: (TimedEvent) -> Void = { _ in }
    }

    var engine: Engine
    private let queues: MeasurementQueues
    var outlets: Outlets
    /// Warm start that waits for the first angular rate, when the sensors are known.
    private var waiting: WarmStart?
    /// Sensors that are there now.
    var sensors: () -> WarmStart.Sensors
    /// Parts of the warm start that belonged to other sensors.
    private(set) var foreign = WarmStart.Parts()
    /// Called for a sensor before its first sample goes to the engine, and before the first after a silence.
    var sensorComes: (BootTime) -> Void = { _ in }
    private(set) var presence = SensorPresence()
    private(set) var poses: UInt64 = 0
    private(set) var inertialSamples: UInt64 = 0

    /// Maximum number of measurements at one go; then clients have their turn.
    private static let batch = 2048

    var latestPose: PoseEstimate? { engine.pose }
    var latestFrame: FrameEstimate? { engine.frame }
    /// Reasons why there is no pose yet.
    var missingBeforePose: LimitingReasons { engine.missingBeforePose }

    var headingMonitor: HeadingReading? { engine.headingMonitor }

    /// Viewpoint of the wearer now; nil until a position is known.
    var viewpoint: Viewpoint? { engine.viewpoint }
    /// Position by the best of the last fixes and the way since; nil while there is none.
    var currentPosition: CurrentPosition? { engine.currentPosition }
    var readiness: FrameReadiness { engine.readiness }
    /// The corrections of the scene frame during the last ten minutes.
    var frameHistory: FrameHistory { engine.frameHistory }
    /// Correction of the heading from pairs of fixes and the way by the steps alone; nil until enough has been walked.
    var axisCorrection: AxisReading? { engine.axisCorrection }

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

    /// Feeds all that waits.
    func drain() {
        queues.wake.clear()
        var rest = Self.batch
        for queue in queues.all {
            while rest > 0, let measurement = queue.pop() {
                feed(measurement)
                rest -= 1
            }
        }
        if rest == 0 { queues.wake.signal() }
    }

    /// Lets the engine know what time it is, so that it notices silence.
    func tick() { feed(.clock(BootTime(nanoseconds: BootClock.nanoseconds))) }

    /// Result of the warm start; nil before the engine has begun, and without one.
    var warmStartReport: WarmStartReport? { engine.warmStartReport }

    /// State that the next start could begin with; nil while too little is known.
    func learned() -> WarmStart? { engine.learned() }

    func follow(_ route: Route?) throws(RouteWithoutLength) { try engine.follow(route) }

    func follow(plan: RoutePlan?) { engine.follow(plan: plan) }

    /// Progress on the present route; nil without one.
    var progress: RouteProgress? { engine.progress }

    /// Places and maneuvers around the wearer; nil until a position is known.
    func ahead(places: [Place], radius: Double, limit: Int) -> [AheadItem]? {
        engine.ahead(places: places, radius: radius, limit: limit)
    }

    /// Activates a calibration from now on; it is recorded like what sensors deliver, and a replay follows it.
    ///
    /// Those of the start belong before the first inertial sample: what is learned counts from the active calibrations.
    func calibrate(_ calibration: SensorCalibration) { feed(.calibration(calibration)) }

    /// Active calibrations, at most one for each sensor.
    var calibrations: [SensorCalibration] { engine.calibrations }

    /// Remaining errors of the sensors as the estimator finds them; nil before the first inertial step.
    var residuals: SensorResiduals? { engine.residuals }

    /// Change that the tracker of the hard iron proposes; nil while there is none.
    var hardIronProposal: HardIronProposal? { engine.hardIronProposal }

    private func prepare() {
        guard var start = waiting.take() else { return }
        foreign = start.foreign(to: sensors())
        start.remove(foreign)
        engine.prepare(start)
        outlets.warmStart(start)
    }

    private func feed(_ measurement: Measurement) {
        if presence.notes(measurement) { sensorComes(measurement.time) }
        if case .angularRate = measurement {
            inertialSamples += 1
            if waiting != nil { prepare() }
        }
        outlets.measurement(measurement)
        engine.feed(measurement) { event in
            switch event {
            case .pose(let pose):
                poses += 1
                outlets.pose(pose)
            case .frame(let frame): outlets.frame(frame, measurement.time)
            case .route(let state): outlets.route(state)
            case .readiness(let readiness): outlets.readiness(readiness)
            case .scene(let event): outlets.scene(event)
            }
        }
    }
}
