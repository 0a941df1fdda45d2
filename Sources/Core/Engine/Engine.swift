import Estimation
import Geometry
import Model
import PlanMatching
import Scene

/// Core of Waymark without input and output. It takes measurements and emits poses, corrections, progress and scene
/// events.
///
/// It is deterministic and uses no clock, file or socket. The same measurements in the same order give the same poses
/// to the last bit, on any thread. Published positions are corrected by the walkable lines of plans and of a route.
public struct Engine: ~Copyable {
    /// Newest correction of the scene frame; nil before the first.
    public private(set) var frame: FrameEstimate?
    /// Progress along the current route; nil without a route.
    public internal(set) var progress: RouteProgress?

    /// Estimator. Only the functions of this engine change it.
    public private(set) var odometry: Odometry
    /// Sources of the plans in use. After a change of the route, the plans in use may not contain its line yet.
    public private(set) var planSources = PlanSources()
    private(set) var history = PoseHistory()
    var composer: SceneComposer
    /// Scene at the newest pose; nil after a change until the scene is composed again.
    var composed: SceneContent?
    private var lastObservation: BootTime?
    private var planWatch = PlanWatch()
    private var universalTime = UniversalTime()
    /// Number of routes followed so far.
    private var routes: UInt64 = 0
    var observer: FrameObserver

    /// Newest pose; nil before the first inertial step.
    public var pose: PoseEstimate? {
        @inline(__always) get { odometry.pose }
    }

    /// Creates an engine around an estimator.
    ///
    /// - Parameter odometry: estimator whose publication settings agree with the scene settings;
    ///   `PublicationSettings(_:)` makes such settings.
    public init(odometry: consuming Odometry, settings: SceneSettings = SceneSettings()) {
        self.odometry = odometry
        observer = FrameObserver(settings: settings.frame)
        composer = SceneComposer(settings: settings)
    }

    /// Creates an engine whose estimator uses the same settings.
    public init(settings: SceneSettings = SceneSettings()) {
        self.init(odometry: Odometry(publication: PublicationSettings(settings.frame)), settings: settings)
    }

    /// Starts from the stored state of an earlier run; see `Odometry.prepare`.
    public mutating func prepare(_ start: WarmStart) { odometry.prepare(start) }

    /// Replaces the plans in use, except the line of the route; see `Odometry.use`.
    public mutating func use(_ library: PlanLibrary) {
        give(library)
        use(made: planSources.library())
    }

    /// Replaces the given plans in `planSources`. They are used only after `use(made:)`.
    public mutating func give(_ library: PlanLibrary) { planSources.given = library }

    /// Replaces the plans in use with plans that were made from `planSources`, possibly on another thread.
    public mutating func use(made library: PlanLibrary) { odometry.use(library) }

    /// Floor plan and level on which the wearer is tracked; nil while the wearer is on no plan.
    public var planUse: PlanUse? { planWatch.evaluated(odometry.planUse) }

    /// Returns the state from which the next run can start; nil while too little has been learned.
    public func learned() -> WarmStart? { odometry.learned() }

    /// Returns the complete state that influences later poses and corrections; nil if it cannot be saved.
    public func estimatorState() -> EstimatorState? {
        var state = odometry.state()
        state?.utcOffset = universalTime.offset
        return state
    }

    /// Replaces the estimator state with a saved one. Call this before the first measurement.
    ///
    /// - Parameter timeShift: offset to add to times in the state to get the times of later measurements. Unit:
    ///   nanoseconds.
    /// - Throws: if the state cannot be restored; the engine is then unchanged.
    public mutating func restore(_ state: EstimatorState, timeShift: Int64 = 0) throws(EstimatorStateProblem) {
        odometry = try odometry.restored(state, timeShift: timeShift)
        guard let offset = state.utcOffset?.subtractingReportingOverflow(timeShift), !offset.overflow else { return }
        universalTime = UniversalTime(offset: offset.partialValue)
    }

    /// UTC minus boot time; nil while unknown. Unit: nanoseconds.
    public var utcOffset: Int64? { universalTime.offset }

    /// Processes the next measurement. Pass measurements in the order of their arrival.
    ///
    /// - Parameter emit: called for each event, in order, before the call returns.
    public mutating func feed(_ measurement: Measurement, _ emit: (EngineEvent) -> Void) {
        feed(measurement, publish: { emit(.pose($0)) }, emit)
    }

    /// Does the same, but passes the poses to a function of their own, because each event is copied at the size of the
    /// largest kind.
    ///
    /// - Parameters:
    ///   - publish: called for each pose.
    ///   - emit: called for each other event, in order with the poses.
    public mutating func feed(
        _ measurement: Measurement, publish: (PoseEstimate) -> Void, _ emit: (EngineEvent) -> Void
    ) {
        // A clock measurement yields a pose only while the inertial sensors are silent.
        if odometry.take(measurement), let pose = odometry.pose {
            history.skip()
            publish(pose)
            observe(pose, emit)
        }
        while let step = odometry.step() {
            guard let pose = odometry.pose else { continue }
            // The pose enters the history before it is published.
            history.add(pose)
            if step.hasFrame, let announced = odometry.frame {
                frame = announced
                emit(.frame(announced))
            }
            publish(pose)
            observe(pose, emit)
            if step.hasFrame { observeFrame(emit) }
        }
        // There is only one switch, because a copy of any measurement is as large as the largest kind.
        switch measurement {
        case .fix(let fix):
            take(fix, emit)
            observeScene(emit)
        case .clock: if isObservationDue { observeScene(emit) }
        default: break
        }
    }

    private mutating func take(_ fix: GNSSFix, _ emit: (EngineEvent) -> Void) {
        guard fix.isInRange else { return }
        observer.add(fix, here: pose?.geodetic)
        universalTime.learn(from: fix)
        updateProgress(emit)
    }

    /// Replaces the route and resets the progress; nil removes the route.
    ///
    /// - Throws: `RouteWithoutLength` for a route without two different vertices; the current route is then kept.
    public mutating func follow(_ route: Route?) throws(RouteWithoutLength) {
        let plan = route.flatMap { RoutePlan($0, settings: composer.settings.route) }
        if let route, plan == nil { throw RouteWithoutLength(id: route.id) }
        follow(plan: plan)
        use(made: planSources.library())
    }

    /// Replaces the route with a prepared route plan and resets the progress; nil removes the route. The floor plans in
    /// use, including the line of the previous route, stay until `use(made:)` replaces them.
    public mutating func follow(plan: RoutePlan?) {
        progress = nil
        composer.routeChanged()
        composed = nil
        planSources.route = plan?.route
        guard let plan else { return }
        routes += 1
        var begun = RouteProgress(plan: plan, sequence: routes)
        begun.apply(composer.settings.route)
        if let pose, let position = pose.geodetic {
            begun.update(position: position, horizontalAccuracy: pose.accuracy.horizontal, at: pose.time)
        }
        progress = begun
    }

    /// Returns route elements and places around the wearer, nearest first; nil until a position is known.
    ///
    /// - Parameters:
    ///   - places: candidate places, in any order.
    ///   - radius: largest straight-line distance. Unit: metres.
    public func ahead(places: some Sequence<Place>, radius: Double, limit: Int) -> [AheadItem]? {
        guard let pose, let position = pose.geodetic else { return nil }
        let heading = pose.headingReference == .trueNorth ? pose.heading : nil
        return Ahead(position: position, heading: heading)
            .items(progress: progress, places: places, radius: radius, limit: limit)
    }

    private mutating func observeFrame(_ emit: (EngineEvent) -> Void) {
        guard let frame, let pose else { return }
        let large = observer.add(
            frame, at: pose.time, monitor: odometry.headingReading(),
            plan: frame.causes.contains(.plan) ? planUse : nil)
        if let large { emit(.scene(TimedEvent(time: pose.time, event: .correction(large)))) }
    }

    private mutating func observe(_ pose: PoseEstimate, _ emit: (EngineEvent) -> Void) {
        guard observer.add(pose, walked: odometry.walkedTrack, remaining: odometry.remainingSlew) else { return }
        emit(.readiness(observer.readiness))
        emit(.scene(TimedEvent(time: pose.time, event: .readiness(observer.readiness))))
    }

    /// Readiness of the scene frame for placements.
    public var readiness: FrameReadiness { observer.readiness }

    /// Corrections of the scene frame during the last ten minutes.
    public var frameHistory: FrameHistory { observer.history }

    /// Returns the yaw correction that follows from comparing fixes with walked displacements, evaluated anew if it is
    /// due; nil until the wearer has walked far enough.
    public mutating func axisCorrection() -> AxisReading? {
        guard let time = pose?.time else { return nil }
        return observer.axisCorrection(at: time)
    }

    /// Position of the wearer, propagated from the best of the last fixes; nil if there is none.
    public var currentPosition: CurrentPosition? {
        guard let map else { return nil }
        let turn = odometry.remainingSlew.turn
        let yaw = pose?.accuracy.yaw.map { ($0 * $0 + turn * turn).squareRoot() }
        return observer.currentPosition(map: map, yawStandardDeviation: yaw)
    }

    /// Viewpoint from which the scene is composed. It is derived from the newest pose and the alignment that is
    /// published with it.
    ///
    /// Nil until a position is known. Its accuracies include the remaining correction of the published alignment.
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
            yawStandardDeviation: pose.accuracy.yaw.map { ($0 * $0 + remaining.turn * remaining.turn).squareRoot() },
            hasHeight: odometry.hasHeight, geoid: odometry.geoid)
    }

    /// Transformation between earth and scene according to the published alignment; nil until a position is known.
    public var map: SceneMap? {
        guard let plane = odometry.plane, let alignment = odometry.alignment, pose?.geodetic != nil else { return nil }
        return SceneMap(plane: plane, alignment: alignment)
    }

    /// Current state of the wearer, the frame and the route; nil before the first pose.
    var moment: SceneMoment? {
        guard let pose else { return nil }
        let utc = universalTime.offset.map { pose.time.seconds + Double($0) * 1e-9 }
        return SceneMoment(
            pose: pose, viewpoint: viewpoint, readiness: readiness, progress: progress, utcSeconds: utc)
    }

    /// Whether a second has passed since the last scene events.
    private var isObservationDue: Bool {
        guard let time = odometry.pose?.time else { return false }
        return lastObservation.map { !(0..<1).contains(time.seconds(since: $0)) } ?? true
    }

    /// Emits scene events: at each fix, and otherwise once a second.
    private mutating func observeScene(_ emit: (EngineEvent) -> Void) {
        guard let moment else { return }
        lastObservation = moment.pose.time
        if let change = planWatch.update(odometry.planUse, at: moment.pose.time) {
            emit(.scene(TimedEvent(time: moment.pose.time, event: .plan(change))))
        }
        for event in composer.observe(moment) { emit(.scene(TimedEvent(time: moment.pose.time, event: event))) }
    }

    private mutating func updateProgress(_ emit: (EngineEvent) -> Void) {
        guard let pose, let position = pose.geodetic, let before = progress?.state else { return }
        let guesses = odometry.guesses.map { guess in
            PositionGuess(
                position: guess.position, probability: guess.probability,
                standardDeviation: guess.standardDeviation)
        }
        progress?.update(
            position: position, horizontalAccuracy: pose.accuracy.horizontal, at: pose.time, guesses: guesses)
        if let after = progress?.state, after != before { emit(.route(after)) }
    }
}

/// Event that a measurement causes.
public enum EngineEvent: Sendable {
    /// New pose. There is one for each inertial step; their times strictly increase.
    case pose(PoseEstimate)
    /// Correction that gives the scene frame a new target.
    case frame(FrameEstimate)
    /// New state of the route, after the wearer left it, returned to it or arrived.
    case route(RouteProgress.State)
    /// New readiness of the frame, after the readiness or its reasons changed.
    case readiness(FrameReadiness)
    /// Scene event, reported once.
    case scene(TimedEvent)
}

/// Error for a route without two different vertices.
public struct RouteWithoutLength: Error, Hashable, Sendable, CustomStringConvertible {
    /// Identifier of the route.
    public let id: String

    /// Error for the route with the given identifier.
    public init(id: String) { self.id = id }

    /// Sentence that names the route and says what it lacks.
    public var description: String { "route \(id) has no length: it needs at least two different vertices" }
}

/// Provides past poses, and pairs clients' fixes with them.
extension Engine {
    /// Range of times for which poses are available, at most the last ten minutes; nil before the first pose.
    public var pastPoses: ClosedRange<BootTime>? { history.available }

    /// Returns the pose at a time in the last ten minutes, as it was published then.
    public func pose(at time: BootTime) throws(PastPoseProblem) -> PastPose { try history.pose(at: time) }

    /// Pairs a client's own fix with the pose at the time of the fix, using the currently published alignment. No pose
    /// or alignment changes.
    public func pair(_ fix: ClientFix, at time: BootTime) throws(PairingProblem) -> (PairedEstimate, PastPose) {
        let past: PastPose
        do throws(PastPoseProblem) { past = try pose(at: time) } catch { throw .noPose(error) }
        guard let viewpoint, let pose else { throw .notLocalized }
        guard past.pose.generation == viewpoint.generation else { throw .otherGeneration(viewpoint.generation) }
        let paired = PairedEstimate(
            fix, pose: past.pose, now: viewpoint, verticalAccuracy: pose.accuracy.vertical,
            settings: sceneSettings.frame)
        guard let paired else { throw .outOfReach }
        return (paired, past)
    }
}

/// Reason why a client's fix cannot be paired with a pose.
public enum PairingProblem: Error, Hashable, Sendable {
    case noPose(PastPoseProblem)
    /// No position is known yet.
    case notLocalized
    /// The scene frame has been reset since the time of the fix.
    case otherGeneration(UInt32)
    /// The client's fix is more than 1000 km from the position of the paired pose.
    case outOfReach
}
