import Engine
import Estimation
import Linux
import Measurements
import Scene
import Sensors

/// Takes what the sources delivered to the engine, and hands on what comes out; on the reactor's thread.
final class EngineDriver {
    /// What happens with each thing that passes; set before the first measurement.
    struct Outlets {
        var measurement: (Measurement) -> Void
        /// What the engine begins with, before the first inertial sample.
        var warmStart: (WarmStart) -> Void
        var pose: (PoseEstimate) -> Void
        var frame: (FrameEstimate, BootTime) -> Void
        var route: (RouteProgress.State) -> Void
    }

    private var engine: Engine
    private let inlet: Inlet
    private let outlets: Outlets
    /// Until the first angular rate, when the sensors are known.
    private var waiting: WarmStart?
    private let sensors: () -> WarmStart.Sensors
    /// Parts of the warm start that belonged to other sensors.
    private(set) var foreign = WarmStart.Parts()
    private(set) var poses: UInt64 = 0
    private(set) var inertialSamples: UInt64 = 0

    /// So many measurements at one go; then clients have their turn.
    private static let batch = 2048

    var latestPose: PoseEstimate? { engine.pose }
    var latestFrame: FrameEstimate? { engine.frame }
    /// What keeps the first pose from coming.
    var missingBeforePose: LimitingReasons { engine.missingBeforePose }

    var headingMonitor: HeadingReading? { engine.headingMonitor }

    /// - Parameters:
    ///   - warmStart: what the engine may begin with.
    ///   - sensors: which there are by now.
    init(
        engine: consuming Engine, inlet: Inlet, warmStart: WarmStart?,
        sensors: @escaping () -> WarmStart.Sensors, outlets: Outlets
    ) {
        waiting = warmStart
        self.sensors = sensors
        self.engine = engine
        self.inlet = inlet
        self.outlets = outlets
    }

    /// Feeds all that waits.
    func drain() {
        inlet.wake.clear()
        var rest = Self.batch
        for queue in inlet.queues {
            while rest > 0, let measurement = queue.pop() {
                feed(measurement)
                rest -= 1
            }
        }
        if rest == 0 { inlet.wake.signal() }
    }

    /// Lets the engine know what time it is, so that it notices silence.
    func tick() { feed(.clock(BootTime(nanoseconds: BootClock.nanoseconds))) }

    /// What became of the warm start; nil before the engine has begun, and without one.
    var warmStartReport: WarmStartReport? { engine.warmStartReport }

    /// What the next start could begin with; nil while too little is known.
    func learned() -> WarmStart? { engine.learned() }

    func follow(_ route: Route?) throws(RouteWithoutLength) { try engine.follow(route) }

    /// What lies around the wearer; nil until a position is known.
    func ahead(places: [Place], radius: Double, limit: Int) -> [AheadItem]? {
        engine.ahead(places: places, radius: radius, limit: limit)
    }

    private func prepare() {
        guard var start = waiting.take() else { return }
        foreign = start.foreign(to: sensors())
        start.remove(foreign)
        engine.prepare(start)
        outlets.warmStart(start)
    }

    private func feed(_ measurement: Measurement) {
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
            }
        }
    }
}
