import Estimation
import Geodesy
import Geometry
import Measurements
import Scene

/// The whole of Waymark without the world: measurements in, poses, corrections and progress out.
///
/// Pure: it knows no clock, file or socket. The same measurements in the same order give the same poses to the last bit,
/// on any thread; a route has no influence on them.
public struct Engine: ~Copyable {
    /// The newest; nil before the first inertial step.
    public private(set) var pose: PoseEstimate?
    /// The newest correction of the scene frame; nil before the first.
    public private(set) var frame: FrameEstimate?
    /// On the present route; nil without one.
    public internal(set) var progress: RouteProgress?

    private var odometry: Odometry
    private(set) var history = PoseHistory()
    var composer: SceneComposer
    /// The scene at the newest pose, as long as nothing has changed of it.
    var composed: SceneContent?
    private var lastObservation: BootTime?
    private var universalTime = UniversalTime()
    /// Followed so far.
    private var routes: UInt64 = 0
    var observer: FrameObserver

    /// - Parameter odometry: with the estimator's share of the settings, as `EstimatorSettings(_:)` makes it.
    public init(odometry: consuming Odometry, settings: SceneSettings = SceneSettings()) {
        self.odometry = odometry
        observer = FrameObserver(settings: settings.frame)
        composer = SceneComposer(settings: settings)
    }

    /// With an estimator by the same settings.
    public init(settings: SceneSettings = SceneSettings()) {
        self.init(odometry: Odometry(settings: EstimatorSettings(settings.frame)), settings: settings)
    }

    /// What became of the measurements so far.
    public var counters: MeasurementCounters { odometry.counters }

    /// What became of the warm start; nil without one, and before the first inertial step.
    public var warmStartReport: WarmStartReport? { odometry.warmStartReport }

    /// Begins with what an earlier run has learned, as `Odometry.prepare` says.
    public mutating func prepare(_ start: WarmStart) { odometry.prepare(start) }

    /// What the next start could begin with; nil while too little is known.
    public func learned() -> WarmStart? { odometry.learned() }

    /// One for each sensor that has one in force, in the order of `SensorCalibration.Sensor`.
    public var calibrations: [SensorCalibration] { odometry.calibrations }

    /// What keeps the first pose from coming: the inertial sensors, or the one of them that has said nothing yet.
    public var missingBeforePose: LimitingReasons { odometry.missingBeforePose }

    /// What the monitor of the axes read last; nil until the body has moved under satellites.
    public var headingMonitor: HeadingReading? { odometry.headingMonitor }

    /// What the estimator finds still wrong with the sensors; nil before the first inertial step.
    public var residuals: SensorResiduals? { odometry.residuals }

    /// A hard iron that the board has come to carry, on trial or proven; nil while the calibration in force holds.
    public var hardIronProposal: HardIronProposal? { odometry.hardIronProposal }

    /// What the published alignment has still to go at the wearer: a turn, and a shift over ground. Units: radians, metres.
    public var remainingSlew: (turn: Double, shift: Double) { odometry.remainingSlew }

    /// Takes the next measurement in order of arrival.
    ///
    /// - Parameter emit: called for each event, in order, before the call returns.
    public mutating func feed(_ measurement: Measurement, _ emit: (EngineEvent) -> Void) {
        var newest = pose
        var correction: FrameEstimate?
        Self.feed(measurement, &odometry, &history) { events in
            if let event = events.frame {
                correction = event
                emit(.frame(event))
            }
            if let event = events.pose {
                newest = event
                emit(.pose(event))
            }
        }
        let isNewPose = newest?.time != pose?.time
        pose = newest
        if isNewPose { observePose(emit) }
        if let correction, let pose {
            frame = correction
            if let large = observer.add(correction, at: pose.time, monitor: odometry.headingMonitor) {
                emit(.scene(TimedEvent(time: pose.time, event: .correction(large))))
            }
        }
        if case .fix(let fix) = measurement {
            observer.add(fix, here: pose?.geodetic)
            universalTime.learn(from: fix)
            updateProgress(emit)
        }
        observeScene(after: measurement, emit)
        if case .clock(let time) = measurement { observer.tick(time) }
    }

    /// Keeps each pose before it is told.
    @inline(__always)
    private static func feed(
        _ measurement: Measurement, _ odometry: inout Odometry, _ history: inout PoseHistory,
        _ emit: (OdometryEvents) -> Void
    ) {
        // The passing of time alone gives poses only while the inertial sensors are silent.
        var isHeld = false
        if case .clock = measurement { isHeld = true }
        odometry.feed(measurement) { events in
            if let pose = events.pose {
                if isHeld { history.skip() } else { history.add(pose) }
            }
            emit(events)
        }
    }

    /// Replaces the route as a whole, progress and all; nil takes it away.
    ///
    /// Throws, and keeps the present route, for a route without two different vertices.
    public mutating func follow(_ route: Route?) throws(RouteWithoutLength) {
        guard let route else { return follow(plan: nil) }
        guard let plan = RoutePlan(route, settings: composer.settings.route) else {
            throw RouteWithoutLength(id: route.id)
        }
        follow(plan: plan)
    }

    /// Replaces the route as a whole by one that was laid out before, progress and all; nil takes it away.
    public mutating func follow(plan: RoutePlan?) {
        progress = nil
        composer.routeChanged()
        composed = nil
        guard let plan else { return }
        routes += 1
        var begun = RouteProgress(plan: plan, sequence: routes)
        begun.apply(composer.settings.route)
        if let pose, let position = pose.geodetic {
            begun.update(position: position, horizontalAccuracy: pose.accuracy.horizontal, at: pose.time)
        }
        progress = begun
    }

    /// What lies around the wearer, the nearest first; nil until a position is known.
    ///
    /// - Parameters:
    ///   - places: candidates, in any order.
    ///   - radius: in a straight line, metres.
    public func ahead(places: some Sequence<Place>, radius: Double, limit: Int) -> [AheadItem]? {
        guard let pose, let position = pose.geodetic else { return nil }
        let heading = pose.headingReference == .trueNorth ? pose.heading : nil
        return Ahead(position: position, heading: heading)
            .items(progress: progress, places: places, radius: radius, limit: limit)
    }

    private mutating func observePose(_ emit: (EngineEvent) -> Void) {
        guard let pose else { return }
        let hasChanged = observer.add(pose, walked: odometry.walkedTrack, remaining: odometry.remainingSlew)
        guard hasChanged else { return }
        emit(.readiness(observer.readiness))
        emit(.scene(TimedEvent(time: pose.time, event: .readiness(observer.readiness))))
    }

    /// Whether the frame is good enough to place something in it.
    public var readiness: FrameReadiness { observer.readiness }

    /// The corrections of the scene frame during the last ten minutes.
    public var frameHistory: FrameHistory { observer.history }

    /// What the pairs of fixes and walked offsets say of the axes; nil until enough has been walked.
    public var axisCorrection: AxisReading? { observer.axisReading }

    /// Where the wearer is by the best of the last fixes and the way since; nil while there is none.
    public var currentPosition: CurrentPosition? {
        guard let map else { return nil }
        let turn = odometry.remainingSlew.turn
        let yaw = pose?.accuracy.yaw.map { ($0 * $0 + turn * turn).squareRoot() }
        return observer.currentPosition(map: map, yawDeviation: yaw)
    }

    /// The wearer now, as the scene is composed around: by the newest pose and the published alignment of the same instant.
    ///
    /// Nil until a position is known. Its accuracies count what the published alignment has still to go.
    public var viewpoint: Viewpoint? {
        guard let pose, let map, let position = map.position(ofScene: pose.positionInScene) else { return nil }
        let remaining = odometry.remainingSlew
        return Viewpoint(
            time: pose.time, generation: pose.generation, positionInScene: pose.positionInScene,
            rotationSceneFromBody: pose.rotationSceneFromBody, velocityInScene: pose.velocityInScene, map: map,
            position: position,
            horizontalAccuracy: pose.accuracy.horizontal.map {
                ($0 * $0 + remaining.shift * remaining.shift).squareRoot()
            },
            yawDeviation: pose.accuracy.yaw.map { ($0 * $0 + remaining.turn * remaining.turn).squareRoot() },
            heightKind: odometry.heightKind ?? .unknown, geoidSeparation: odometry.geoidSeparation)
    }

    /// From the earth into the scene by the published alignment of now; nil until a position is known.
    public var map: SceneMap? {
        guard let plane = odometry.plane, let alignment = odometry.alignment, pose?.geodetic != nil else { return nil }
        return SceneMap(plane: plane, alignment: alignment)
    }

    /// The wearer now, and what is known of the frame and the route; nil before the first pose.
    var moment: SceneMoment? {
        guard let pose else { return nil }
        let utc = universalTime.offset.map { pose.time.seconds + Double($0) * 1e-9 }
        return SceneMoment(
            pose: pose, viewpoint: viewpoint, readiness: readiness, progress: progress, utcSeconds: utc)
    }

    /// Looks what has happened with each fix, and once a second without.
    private mutating func observeScene(after measurement: Measurement, _ emit: (EngineEvent) -> Void) {
        switch measurement {
        case .fix: break
        case .clock:
            guard let pose else { return }
            if let last = lastObservation, (0..<1).contains(pose.time.seconds(since: last)) { return }
        default: return
        }
        guard let moment else { return }
        lastObservation = moment.pose.time
        for event in composer.observe(moment) { emit(.scene(TimedEvent(time: moment.pose.time, event: event))) }
    }

    private mutating func updateProgress(_ emit: (EngineEvent) -> Void) {
        guard let pose, let position = pose.geodetic, let before = progress?.state else { return }
        progress?.update(position: position, horizontalAccuracy: pose.accuracy.horizontal, at: pose.time)
        if let after = progress?.state, after != before { emit(.route(after)) }
    }
}

/// What one measurement brought about.
public enum EngineEvent: Sendable {
    /// One for each inertial step; their stamps always grow.
    case pose(PoseEstimate)
    /// A correction gave the scene frame a new target.
    case frame(FrameEstimate)
    /// The wearer left the route, came back to it or arrived.
    case route(RouteProgress.State)
    /// The frame became ready for placements, or is so no more, or the reasons are others.
    case readiness(FrameReadiness)
    /// Something happened in the scene that is told once.
    case scene(TimedEvent)
}

/// A route on which nobody can walk.
public struct RouteWithoutLength: Error, Hashable, Sendable, CustomStringConvertible {
    /// Identifier of the route.
    public let id: String

    /// For the route with an identifier.
    public init(id: String) { self.id = id }

    /// A sentence that names the route and says what to do.
    public var description: String { "route \(id) has no length: it needs at least two different vertices" }
}
