import Estimation
import Geometry
import Model
import PlanMatching
import Scene

/// Core of Waymark without input and output: measurements in, poses, corrections, progress and scene events out.
///
/// It is deterministic and uses no clock, file or socket. The same measurements in the same order give the same poses
/// to the last bit, on any thread. Of plans and of a route, the lines along which one walks correct the published
/// positions.
public struct Engine: ~Copyable {
    /// Newest pose; nil before the first inertial step.
    public private(set) var pose: PoseEstimate?
    /// Newest correction of the scene frame; nil before the first.
    public private(set) var frame: FrameEstimate?
    /// Progress along the present route; nil without one.
    public internal(set) var progress: RouteProgress?

    private var odometry: Odometry
    /// What the plans in use are made of, those of the route once they have been made.
    public private(set) var planSources = PlanSources()
    private(set) var history = PoseHistory()
    var composer: SceneComposer
    /// Scene at the newest pose; nil after a change until it is composed again.
    var composed: SceneContent?
    private var lastObservation: BootTime?
    private var planWatch = PlanWatch()
    private var universalTime = UniversalTime()
    /// Number of routes followed so far.
    private var routes: UInt64 = 0
    var observer: FrameObserver

    /// Engine around an estimator.
    ///
    /// - Parameter odometry: estimator whose settings agree with the scene's, as `PublicationSettings(_:)` makes them.
    public init(odometry: consuming Odometry, settings: SceneSettings = SceneSettings()) {
        self.odometry = odometry
        observer = FrameObserver(settings: settings.frame)
        composer = SceneComposer(settings: settings)
    }

    /// Engine with an estimator by the same settings.
    public init(settings: SceneSettings = SceneSettings()) {
        self.init(odometry: Odometry(publication: PublicationSettings(settings.frame)), settings: settings)
    }

    /// Counts of the measurements so far, by result.
    public var counters: MeasurementCounters { odometry.counters }

    /// Results of the filter's updates since the start, for each kind of measurement.
    public var updates: UpdateStatistics { odometry.updates }

    /// Trust in each source of offers of other programs, and what was learned of its accuracy.
    package var aidTrust: [AidTrust] { odometry.aidTrust }

    /// Result of the warm start; nil without one, and before the first inertial step.
    public var warmStartReport: WarmStartReport? { odometry.warmStartReport }

    /// Starts from the state that an earlier run has stored, as `Odometry.prepare` describes.
    public mutating func prepare(_ start: WarmStart) { odometry.prepare(start) }

    /// Uses plans from now on, as `Odometry.use` describes, beside the line of the route.
    public mutating func use(_ library: PlanLibrary) {
        give(library)
        use(made: planSources.library())
    }

    /// Takes other plans as a source of those in use, which `use(made:)` has still to be given.
    public mutating func give(_ library: PlanLibrary) { planSources.given = library }

    /// Uses plans from now on that were made of `planSources`, perhaps on another thread.
    public mutating func use(made library: PlanLibrary) { odometry.use(library) }

    /// Plans that are used, with those that are the line of the route.
    public var library: PlanLibrary { odometry.library }

    /// Floor plan and level on which the wearer is followed; nil while on none.
    public var planUse: PlanUse? { planWatch.evaluated(odometry.planUse) }

    /// State from which the next run can start; nil while too little is known.
    public func learned() -> WarmStart? { odometry.learned() }

    /// Everything that has an influence on later poses and corrections; nil if it cannot be saved.
    public func estimatorState() -> EstimatorState? {
        var state = odometry.state()
        state?.utcOffset = universalTime.offset
        return state
    }

    /// Continues as the estimator of which the state is, in place of the present one; to be called before the first
    /// measurement.
    ///
    /// - Parameter timeShift: what is added to the times of the measurements from here on. Unit: nanoseconds.
    /// - Throws: for a state that cannot be restored; the engine is then as before.
    public mutating func restore(_ state: EstimatorState, timeShift: Int64 = 0) throws(EstimatorStateProblem) {
        odometry = try odometry.restored(state, timeShift: timeShift)
        guard let offset = state.utcOffset?.subtractingReportingOverflow(timeShift), !offset.overflow else { return }
        universalTime = UniversalTime(offset: offset.partialValue)
    }

    /// Offset of UTC from boot time; nil while unknown. Unit: nanoseconds.
    public var utcOffset: Int64? { universalTime.offset }

    /// Active calibrations, in order of `SensorCalibration.Sensor`.
    public var calibrations: [SensorCalibration] { odometry.calibrations }

    /// Reasons why there is no first pose yet: the inertial sensors that have not delivered data.
    public var missingBeforePose: LimitingReasons { odometry.missingBeforePose }

    /// Last reading of the heading monitor; nil until the body has moved with GNSS reception.
    public var headingMonitor: HeadingReading? { odometry.headingMonitor }

    /// Residual sensor errors that the estimator observes; nil before the first inertial step.
    public var residuals: SensorResiduals? { odometry.residuals }

    /// Estimated change of the hard iron, on trial or confirmed; nil while the active calibration is valid.
    public var hardIronProposal: ProposedHardIron? { odometry.hardIronProposal }

    /// Remaining correction of the published alignment at the wearer: rotation in radians, horizontal displacement in
    /// metres.
    public var remainingSlew: (turn: Double, shift: Double) { odometry.remainingSlew }

    /// Processes the next measurement in order of arrival.
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
            if let large = observer.add(
                correction, at: pose.time, monitor: odometry.headingMonitor, plan: plan(of: correction))
            {
                emit(.scene(TimedEvent(time: pose.time, event: .correction(large))))
            }
        }
        if case .fix(let fix) = measurement, fix.isInRange {
            observer.add(fix, here: pose?.geodetic)
            universalTime.learn(from: fix)
            updateProgress(emit)
        }
        observeScene(after: measurement, emit)
        if case .clock(let time) = measurement { observer.tick(time) }
    }

    /// Stores each pose in the history before it is published.
    @inline(__always)
    private static func feed(
        _ measurement: Measurement, _ odometry: inout Odometry, _ history: inout PoseHistory,
        _ emit: (OdometryEvents) -> Void
    ) {
        // Clock measurements give poses only while the inertial sensors are silent.
        var isHeld = false
        if case .clock = measurement { isHeld = true }
        odometry.feed(measurement) { events in
            if let pose = events.pose {
                if isHeld { history.skip() } else { history.add(pose) }
            }
            emit(events)
        }
    }

    /// Replaces the route and its progress; nil removes it.
    ///
    /// Throws `RouteWithoutLength`, and keeps the present route, for a route without two different vertices.
    public mutating func follow(_ route: Route?) throws(RouteWithoutLength) {
        let plan = route.flatMap { RoutePlan($0, settings: composer.settings.route) }
        if let route, plan == nil { throw RouteWithoutLength(id: route.id) }
        follow(plan: plan)
        use(made: planSources.library())
    }

    /// Replaces the route by a prepared plan and resets the progress; nil removes it. The plans in use stay, with the
    /// line of the route before, until `use(made:)` brings those of the present `planSources`.
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

    /// Route elements and places around the wearer, nearest first; nil until a position is known.
    ///
    /// - Parameters:
    ///   - places: candidate places, in any order.
    ///   - radius: greatest straight-line distance, metres.
    public func ahead(places: some Sequence<Place>, radius: Double, limit: Int) -> [AheadItem]? {
        guard let pose, let position = pose.geodetic else { return nil }
        let heading = pose.headingReference == .trueNorth ? pose.heading : nil
        return Ahead(position: position, heading: heading)
            .items(progress: progress, places: places, radius: radius, limit: limit)
    }

    /// Plan that has moved the frame; nil where none has.
    private func plan(of correction: FrameEstimate) -> PlanUse? {
        correction.causes.contains(.plan) ? planUse : nil
    }

    private mutating func observePose(_ emit: (EngineEvent) -> Void) {
        guard let pose else { return }
        let hasChanged = observer.add(pose, walked: odometry.walkedTrack, remaining: odometry.remainingSlew)
        guard hasChanged else { return }
        emit(.readiness(observer.readiness))
        emit(.scene(TimedEvent(time: pose.time, event: .readiness(observer.readiness))))
    }

    /// Readiness of the scene frame for placements.
    public var readiness: FrameReadiness { observer.readiness }

    /// Corrections of the scene frame during the last ten minutes.
    public var frameHistory: FrameHistory { observer.history }

    /// Yaw correction suggested by pairs of fixes and walked offsets; nil until enough has been walked.
    public var axisCorrection: AxisReading? { observer.axisReading }

    /// Position of the wearer propagated from the best of the last fixes; nil while there is none.
    public var currentPosition: CurrentPosition? {
        guard let map else { return nil }
        let turn = odometry.remainingSlew.turn
        let yaw = pose?.accuracy.yaw.map { ($0 * $0 + turn * turn).squareRoot() }
        return observer.currentPosition(map: map, yawStandardDeviation: yaw)
    }

    /// Viewpoint from which the scene is composed, by the newest pose and the published alignment of the same instant.
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

    /// Transformation between earth and scene by the present published alignment; nil until a position is known.
    public var map: SceneMap? {
        guard let plane = odometry.plane, let alignment = odometry.alignment, pose?.geodetic != nil else { return nil }
        return SceneMap(plane: plane, alignment: alignment)
    }

    /// State of the wearer, the frame and the route now; nil before the first pose.
    var moment: SceneMoment? {
        guard let pose else { return nil }
        let utc = universalTime.offset.map { pose.time.seconds + Double($0) * 1e-9 }
        return SceneMoment(
            pose: pose, viewpoint: viewpoint, readiness: readiness, progress: progress, utcSeconds: utc)
    }

    /// Collects scene events with each fix, and once a second without.
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

/// Event caused by a measurement.
public enum EngineEvent: Sendable {
    /// Pose, one for each inertial step; their times strictly increase.
    case pose(PoseEstimate)
    /// Correction with a new target of the scene frame.
    case frame(FrameEstimate)
    /// State of the route after the wearer left it, returned to it or arrived.
    case route(RouteProgress.State)
    /// Readiness after it or its reasons changed.
    case readiness(FrameReadiness)
    /// Scene event, reported once.
    case scene(TimedEvent)
}

/// Error for a route without two different vertices.
public struct RouteWithoutLength: Error, Hashable, Sendable, CustomStringConvertible {
    /// Identifier of the route.
    public let id: String

    /// Error for the route with an identifier.
    public init(id: String) { self.id = id }

    /// A sentence that names the route and says what to do.
    public var description: String { "route \(id) has no length: it needs at least two different vertices" }
}

/// Past poses, and fixes of clients paired with them.
extension Engine {
    /// Times for which a pose is available, at most the last ten minutes; nil before the first pose.
    public var pastPoses: ClosedRange<BootTime>? { history.available }

    /// Pose at a time in the last ten minutes, as it was published then.
    public func pose(at time: BootTime) throws(PastPoseProblem) -> PastPose { try history.pose(at: time) }

    /// Client's own fix paired with the pose of its time, by the alignment that is published now; no pose or alignment
    /// changes.
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
    /// The scene frame has been reset since.
    case otherGeneration(UInt32)
    /// The position is more than 1000 km away.
    case outOfReach
}
