import Geometry
import Model

/// Work that follows the prediction at each inertial sample: the detectors of rest and steps and, at 20 Hz, the
/// pseudo-measurements for quantities that no sensor measures.
extension ErrorStateKalmanFilter {
    /// Passes the newest inertial sample to the detectors of rest and steps, and applies the step that it completes.
    ///
    /// - Returns: the result of the update with that step; nil if there is no step or its direction is unknown.
    mutating func detect(_ sample: InertialSample) -> UpdateOutcome? {
        rest.add(sample, settings: settings.rest)
        guard rules.process.hasForce else { return nil }
        let rate = state.rate(sample.rate)
        // The force is the mean over the interval that ends now. So the attitude is needed at the centre of this
        // interval, half an interval ago.
        let half = gait.interval(to: sample.time) / 2
        let force = sample.force - state.accelerometerBias
        let rotation = state.rotationENUFromBody.matrix
        let acceleration = rotation * (force - rate.cross(force) * half)
        let isComplete = gait.add(
            GaitSample(
                acceleration: acceleration - Vector3(0, 0, gravity), rate: rotation * rate,
                rotationENUFromBody: rotation),
            at: sample.time)
        guard isComplete else { return nil }
        let before = (carriage: gait.carriage, mount: gait.mount)
        let step = gait.detectStep(
            at: sample.time, isAided: rules.measuresMotion, settings: settings.gait, parts: settings.parts)
        if gait.carriage != before.carriage { changeCarriage(from: before.mount) }
        guard let step else { return nil }
        steppedAt = state.time
        newestStep = step
        updateRegime()
        return apply(step)
    }

    /// Interval between two applications of the pseudo-measurements. Unit: seconds.
    private static let tickInterval = 0.05

    /// Applies the pseudo-measurements that are due.
    ///
    /// - Returns: the result of the zero-velocity update; nil if no such update is due.
    @discardableResult
    package mutating func tick() -> UpdateOutcome? {
        let interval = state.time.seconds(since: tickedAt)
        guard interval >= Self.tickInterval - 1e-6 else { return nil }
        tickedAt = state.time
        let span = min(interval, 0.5)
        observeMotion()
        updateRegime()
        holdPlace(over: span)
        level(over: span)
        learnGyroBiasSize()
        holdStanding(over: span)
        holdCourse(over: span)
        restSpan = rest.isResting && rules.process.hasForce ? restSpan + span : 0
        return restSpan >= Self.restInterval ? holdRest() : nil
    }

    private mutating func observeMotion() {
        guard settings.parts.contains(.motionModes) else { return }
        let isStepping = steppedAt.map { state.time.seconds(since: $0) < Self.stepMemory } ?? false
        modes.observe(isStepping: isStepping, isStill: rest.isResting, at: state.time)
    }

    /// Time after a step during which the wearer counts as stepping. Unit: seconds.
    private static let stepMemory = 1.0
    /// Interval between two zero-velocity updates. Each update is weighted by the time since the previous update. Unit:
    /// seconds.
    private static let restInterval = 0.0975
}
