import Geodesy
import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

extension Odometry {
    /// Takes one inertial sample through filter, scene and monitor.
    mutating func step(_ sample: InertialSample, _ emit: (OdometryEvents) -> Void) {
        guard running != nil else { return begin(sample, emit) }
        let gap = sample.time.seconds(since: running!.timeline.filter.inertial.time)
        if gap > settings.inertial.gapSeconds {
            counters.gaps += 1
            running!.tracking.lastGap = sample.time
        }
        if gap > settings.inertial.lostSeconds {
            loseFrame(sample)
        } else {
            if gap > settings.inertial.gapSeconds { running!.rateNoise.interrupt() }
            running!.rateNoise.add(sample.rate)
            let increment = running!.timeline.step(sample)
            guard running!.timeline.filter.isSound else { return restart(sample) }
            follow(increment, sample)
            tryWarmStart()
        }
        publish(at: sample.time, emit)
    }

    private mutating func begin(_ sample: InertialSample, _ emit: (OdometryEvents) -> Void) {
        var filter = ErrorStateKalmanFilter(first: sample, settings: filterSettings)
        let trial = warm(&filter)
        var tracking = TrackingMonitor(settings: settings, began: sample.time)
        tracking.lastRate = sample.time
        tracking.lastForce = sample.time
        if hasSteppedBack { tracking.lastClockStep = sample.time }
        hasSteppedBack = false
        running = Running(
            timeline: FilterTimeline(filter), scene: SceneFrame(filter.state, settings: settings.scene),
            tracking: tracking, began: sample.time, trial: trial)
        publish(at: sample.time, emit)
    }

    /// After a long silence nobody knows how the body turned: levelled anew, in a new frame.
    private mutating func loseFrame(_ sample: InertialSample) {
        var filter = running!.timeline.filter
        filter.loseAttitude(sample)
        resume(with: filter, at: sample.time)
    }

    /// Numbers that are no longer finite: everything is started anew.
    private mutating func restart(_ sample: InertialSample) {
        counters.restarts += 1
        resume(with: ErrorStateKalmanFilter(first: sample, settings: filterSettings), at: sample.time)
    }

    private mutating func resume(with filter: ErrorStateKalmanFilter, at time: BootTime) {
        running!.timeline.restart(with: filter)
        running!.scene.restart(filter.state)
        running!.mountSlew = MountSlew()
        running!.tracking.restart(at: time)
        running!.hadHeading = false
        running!.hadPosition = false
        generation &+= 1
    }

    private mutating func follow(_ increment: InertialIncrement, _ sample: InertialSample) {
        running!.interval = increment.duration
        let state = running!.timeline.filter.state
        let hasHeading = running!.timeline.filter.heading.isKnown
        let hasPosition = running!.timeline.filter.gnss.hasPosition
        running!.tracking.lastRate = sample.time
        running!.tracking.lastForce = input.lastForce ?? sample.time
        let rate = (sample.rate - state.gyroBias).norm
        if running!.tracking.isLevelling(at: sample.time) {
            running!.scene.restart(state)
            running!.mountSlew = MountSlew()
        } else {
            running!.scene.step(increment, state, rate: rate, followsNorth: hasHeading && !hasPosition)
            running!.mountSlew.step(over: increment.duration, rate: rate, settings.scene)
        }
        if hasHeading != running!.hadHeading || hasPosition != running!.hadPosition {
            // The alignment has a meaning for the first time: there is nothing to slew from.
            if hasHeading != running!.hadHeading { announcer.note(.firstHeading) }
            if hasPosition != running!.hadPosition { announcer.note(.firstPosition) }
            running!.scene.snap(to: state)
            running!.hadHeading = hasHeading
            running!.hadPosition = hasPosition
        }
    }

    private mutating func publish(at time: BootTime, _ emit: (OdometryEvents) -> Void) {
        // A clock reading may have told this time already, while the sensors were silent.
        guard isNewer(time) else { return }
        let pose = makePose(at: time, isHeld: false)
        let alignment = running!.scene.published
        let origin = localizer.plane?.origin
        guard announcer.isDue(running!.scene, origin: origin, generation: generation, at: time) else {
            return emit(OdometryEvents(pose: pose, alignment: alignment))
        }
        let frame = announcer.announce(
            running!.scene, running!.timeline.filter.state, running!.timeline.filter.influence, origin: origin,
            generation: generation, at: time)
        emit(OdometryEvents(pose: pose, alignment: alignment, frame: frame))
    }

    /// - Parameter isHeld: the sensors are silent; orientation and position are those of the last sample.
    mutating func makePose(at time: BootTime, isHeld: Bool) -> PoseEstimate {
        lastPoseTime = time
        var accuracy = running!.tracking.accuracy(running!.timeline.filter)
        let reasons = running!.tracking.update(
            FilterSummary(running!.timeline.filter), accuracy, implausible: plausibility.reasons, at: time)
        let tracking = running!.tracking
        let state = running!.timeline.filter.state
        let reference = running!.timeline.filter.heading.reference
        let hasPosition = running!.timeline.filter.gnss.hasPosition
        let rate = running!.timeline.filter.inertial.rate - state.gyroBias
        let slew = running!.mountSlew
        let rotationENUFromBody = slew.published(state.rotationENUFromBody)
        let velocity = isHeld ? .zero : state.velocity
        accuracy.yaw = accuracy.yaw.map(slew.uncertain(yaw:))
        if !isHeld {
            accuracy.describeMotion(
                running!.timeline.filter, rate: rate, rateNoise: running!.rateNoise.deviation,
                interval: running!.interval)
        }
        return PoseEstimate(
            time: time, generation: generation,
            rotationSceneFromBody: slew.published(running!.scene.rotationSceneFromBody),
            positionInScene: running!.scene.position,
            velocityInScene: running!.scene.sceneFromENU(velocity),
            accelerationInScene: isHeld ? .zero : running!.scene.sceneFromENU(running!.timeline.filter.acceleration),
            angularVelocityInBody: isHeld ? .zero : slew.published(rate: rate),
            rotationENUFromBody: rotationENUFromBody, velocityENU: hasPosition ? velocity : nil,
            geodetic: hasPosition ? localizer.position(ofENU: state.position) : nil,
            headingReference: reference, accuracy: accuracy,
            orientationTracking: tracking.orientationQuality(at: time),
            positionTracking: tracking.positionQuality(running!.timeline.filter, at: time), state: tracking.state,
            reasons: reasons, sources: tracking.sources(running!.timeline.filter, at: time),
            heading: reference == .none ? nil : Self.heading(rotationENUFromBody))
    }

    /// Of the line of sight, body −z, clockwise from north; nil within 3° of the vertical.
    static func heading(_ rotationENUFromBody: Rotation3) -> Double? {
        let sight = rotationENUFromBody * Vector3(0, 0, -1)
        let horizontal = (sight.x * sight.x + sight.y * sight.y).squareRoot()
        guard horizontal > leastHorizontalSight else { return nil }
        return Angle.positive(atan2(sight.x, sight.y))
    }

    /// sin 3°.
    private static let leastHorizontalSight = 0.0523
}
