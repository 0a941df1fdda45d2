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

    /// Estimator and scene. Measurements reach it through `drain` and `calibrate` alone, so that recordings get them too.
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

    /// Activates a calibration from now on; it is recorded like what sensors deliver, and a replay follows it.
    ///
    /// Those of the start belong before the first inertial sample: what is learned counts from the active calibrations.
    func calibrate(_ calibration: SensorCalibration) { feed(.calibration(calibration)) }

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
