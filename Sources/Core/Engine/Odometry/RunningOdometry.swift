import Estimation
import Geometry
import Model
import PlanMatching

/// State of an estimator after its first inertial sample: the filter with its past, the scene frame and the tracking
/// state.
///
/// Because it is as large as the filter, `Odometry` changes it in place, through optional chaining, and never copies
/// it.
struct RunningOdometry: Codable {
    var timeline: FilterTimeline
    private(set) var scene: SceneFrame
    private var mountSlew = MountSlew()
    var tracking: TrackingMonitor
    /// Time of the first inertial sample.
    private(set) var began: BootTime
    /// Warm start that measurements may still contradict.
    var trial: WarmStartTrial?
    /// Whether the filter had a heading at the previous step.
    private var hadHeading = false
    /// Whether the filter had a position at the previous step.
    private var hadPosition = false
    private var rateNoise = RateNoiseMeter()
    /// Search for hard iron. It uses only readings that no late measurement can change.
    private(set) var hardIron: HardIronTracker
    /// Time between the last two inertial samples. Unit: seconds.
    private var interval = 0.01
    private let settings: EstimatorSettings.Inertial
    private let publication: PublicationSettings

    init(
        _ filter: ErrorStateKalmanFilter, first sample: InertialSample, trial: WarmStartTrial?,
        settings: EstimatorSettings, publication: PublicationSettings, updates: UpdateStatistics
    ) {
        self.settings = settings.inertial
        self.publication = publication
        self.trial = trial
        began = sample.time
        timeline = FilterTimeline(filter)
        timeline.updates = updates
        scene = SceneFrame(filter.state, settings: publication.scene)
        hardIron = HardIronTracker(settings: publication.hardIron)
        tracking = TrackingMonitor(
            settings: publication.tracking, initial: settings.initial, began: sample.time)
        tracking.lastRate = sample.time
        tracking.lastForce = sample.time
    }

    // MARK: Steps

    /// Returns whether the filter can continue with a sample. After too long a gap, the filter restarts, and the sample
    /// levels it.
    mutating func meets(_ sample: InertialSample, _ counters: inout MeasurementCounters) -> Bool {
        let gap = sample.time.seconds(since: timeline.filter.inertial.time)
        let isGap = gap > settings.gapSeconds
        if isGap {
            counters.gaps += 1
            tracking.lastGap = sample.time
        }
        guard gap <= settings.lostSeconds else {
            var filter = timeline.filter
            filter.loseAttitude(sample)
            restart(with: filter, at: sample.time)
            return false
        }
        if isGap { rateNoise.interrupt() }
        rateNoise.add(sample.rate)
        return true
    }

    /// Continues with another filter, in a new frame.
    mutating func restart(with filter: ErrorStateKalmanFilter, at time: BootTime) {
        restartTimeline(with: filter)
        scene.restart(filter.state)
        mountSlew = MountSlew()
        tracking.restart(at: time)
        hadHeading = false
        hadPosition = false
    }

    /// Updates the scene frame and the tracking state after a step of the filter.
    ///
    /// - Parameters:
    ///   - lastForce: time of the newest sample of the accelerometer.
    ///   - correction: correction of the published position. Frame: ENU. Unit: metres.
    mutating func follow(
        _ increment: InertialIncrement, _ sample: InertialSample, lastForce: BootTime?, _ correction: Vector3,
        _ announcer: inout FrameAnnouncer
    ) {
        interval = increment.duration
        let state = timeline.filter.state
        let (hasHeading, hasPosition) = (timeline.filter.rules.hasYaw, timeline.filter.gnss.hasPosition)
        tracking.lastRate = sample.time
        tracking.lastForce = lastForce ?? sample.time
        let rate = state.rate(sample.rate).norm
        if tracking.isLevelling(at: sample.time) {
            scene.restart(state, correction: correction)
            mountSlew = MountSlew()
        } else {
            scene.step(
                increment, state, correction: correction, followsNorth: hasHeading && !hasPosition)
            mountSlew.step(over: interval, rate: rate, publication.scene)
        }
        if hasHeading != hadHeading || hasPosition != hadPosition {
            // The alignment has just become valid, so there is no previous alignment from which to slew.
            if hasHeading != hadHeading { announcer.note(.firstHeading) }
            if hasPosition != hadPosition { announcer.note(.firstPosition) }
            scene.snap(to: state, correction: correction)
            hadHeading = hasHeading
            hadPosition = hasPosition
        }
    }

    /// Follows the newest step on the plans.
    ///
    /// - Returns: whether the plans have corrected the position.
    mutating func follow(_ plans: inout PlanFollower, on plane: LocalTangentPlane?, at time: BootTime) -> Bool {
        guard plans.isDue(timeline.filter.walkedWay, at: time) else { return false }
        guard let matched = plans.follow(timeline.reckonedPosition(), on: plane, at: time.shifted(by: 1)) else {
            return false
        }
        return timeline.insert(matched)
    }

    /// Follows the newest step on the paths.
    mutating func follow(_ paths: inout PathCorrection, _ localizer: inout FixLocalizer, at time: BootTime) {
        guard paths.isInUse else { return }
        paths.step(
            to: timeline.filter.gnss.hasPosition ? localizer.position(ofENU: timeline.filter.state.position) : nil,
            accuracy: timeline.solution().accuracy.horizontal, isMeasured: timeline.filter.rules.measuresMotion,
            at: time)
    }

    // MARK: Poses

    /// Makes the pose at the newest step, and announces the frame if its alignment has changed enough.
    ///
    /// - Parameter pose: receives the pose.
    mutating func publish(
        _ pose: inout PoseEstimate?, at time: BootTime, _ context: PoseContext, _ localizer: inout FixLocalizer,
        _ announcer: inout FrameAnnouncer
    ) -> InertialStep {
        let made = makePose(at: time, isHeld: false, context, &localizer)
        pose = made
        if scene.isLookDue {
            scene.look(
                timeline.filter.state, correction: context.correction, made.accuracy,
                rate: made.angularVelocityInBody.norm, isTracked: made.sources.contains(.camera))
        }
        let (origin, generation) = (localizer.plane?.origin, context.generation)
        guard announcer.isDue(&scene, made.accuracy, origin: origin, generation: generation, at: time) else {
            return InertialStep(hasFrame: false)
        }
        announcer.announce(
            scene, made.accuracy, timeline.filter.influence.adding(path: context.correction), origin: origin,
            generation: generation, at: time)
        return InertialStep(hasFrame: true)
    }

    /// Makes a pose while the sensors are silent.
    ///
    /// - Parameter pose: receives the pose.
    mutating func hold(
        _ pose: inout PoseEstimate?, at time: BootTime, _ context: PoseContext, _ localizer: inout FixLocalizer
    ) {
        pose = makePose(at: time, isHeld: true, context, &localizer)
    }

    /// Parts of a pose that do not depend on the filter.
    struct PoseContext {
        /// Number of the scene frame.
        var generation: UInt32
        /// Sensors whose samples are implausible.
        var implausible: LimitingReasons
        /// Correction of the position. Frame: ENU. Unit: metres.
        var correction: Vector3
        /// Ratio of the accuracy of the corrected position to the accuracy of the filter's position.
        var accuracyRatio: Double
    }

    /// Makes a pose from the current state.
    ///
    /// - Parameter isHeld: whether the sensors are silent. If so, orientation and position are those at the last
    ///   sample, and velocity, acceleration and motion are unknown.
    @inline(__always)
    mutating func makePose(
        at time: BootTime, isHeld: Bool, _ context: PoseContext, _ localizer: inout FixLocalizer
    ) -> PoseEstimate {
        let solution = timeline.solution()
        let reasons = tracking.update(solution, implausible: context.implausible, at: time)
        let rate = solution.rate
        let hasPosition = timeline.filter.gnss.hasPosition
        let velocity = isHeld ? .zero : timeline.filter.state.velocity
        var accuracy = solution.accuracy
        accuracy.yaw = accuracy.yaw.map(mountSlew.uncertain(yaw:))
        accuracy.horizontal = accuracy.horizontal.map { $0 * context.accuracyRatio }
        if isHeld {
            (accuracy.velocityHorizontal, accuracy.velocityVertical) = (nil, nil)
        } else {
            accuracy.angularVelocity = angularVelocityAccuracy(solution, rate: rate)
        }
        return PoseEstimate(
            time: time, generation: context.generation,
            rotationSceneFromBody: mountSlew.published(scene.rotationSceneFromBody),
            positionInScene: scene.position,
            velocityInScene: scene.sceneFromENU(velocity),
            accelerationInScene: isHeld ? .zero : scene.sceneFromENU(solution.acceleration),
            angularVelocityInBody: isHeld ? .zero : mountSlew.published(rate: rate),
            rotationENUFromBody: mountSlew.published(timeline.filter.state.rotationENUFromBody),
            velocityENU: hasPosition ? velocity : nil,
            geodetic: hasPosition
                ? localizer.position(ofENU: timeline.filter.state.position + context.correction) : nil,
            headingReference: solution.headingReference, accuracy: accuracy,
            orientationTracking: tracking.orientationQuality(at: time),
            positionTracking: tracking.positionQuality(timeline.filter, at: time), state: tracking.state,
            reasons: reasons,
            sources: tracking.sources(timeline.filter, at: time).union(tracking.offered(solution, at: time)),
            motion: isHeld ? nil : solution.motion)
    }

    /// Accuracy of the angular velocity. Unit: rad/s.
    @inline(__always)
    private func angularVelocityAccuracy(_ solution: FilterSolution, rate: Vector3) -> Double {
        let noise = rateNoise.standardDeviation ?? settings.gyroNoise / max(1e-4, interval).squareRoot()
        // Mean over the axes.
        let scale = solution.gyroScaleVariances.dot(rate.scaled(by: rate)) / 3
        let variance = max(0, solution.gyroBiasVariance) + noise * noise + max(0, scale)
        return PoseAccuracy.sphere68 * variance.squareRoot()
    }

    // MARK: Changes from outside

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) {
        timeline.shift(by: offset)
        scene.shift(by: offset)
    }

    /// Changes the filter and clears its history. The scene frame does not change.
    mutating func changeFilter(_ change: (inout ErrorStateKalmanFilter) -> Void) {
        var filter = timeline.filter
        change(&filter)
        restartTimeline(with: filter)
    }

    private mutating func restartTimeline(with filter: ErrorStateKalmanFilter) {
        passReadings()
        timeline.restart(with: filter)
        hardIron.interrupt()
    }

    /// Passes those means of the magnetic field that no late measurement can still change to the search for hard iron.
    @inline(__always)
    mutating func passReadings() {
        while timeline.settledReadings.count > 0, let reading = timeline.takeSettledReading() { hardIron.add(reading) }
    }

    /// Applies a calibration. It takes effect immediately.
    mutating func follow(_ change: CorrectionChange, _ filterSettings: EstimatorSettings) {
        timeline.follow(change, filterSettings)
        passReadings()
        hardIron.interrupt()
        if change.changes(.magnetometer) { hardIron.restart(at: timeline.filter.state.time) }
        if change.changes(.gyroscope) { rateNoise.interrupt() }
        guard change.sensor == .mount, let turn = Rotation3(matrix: change.matrix) else { return }
        scene.turnBody(by: turn)
        mountSlew.begin(turn)
    }
}
