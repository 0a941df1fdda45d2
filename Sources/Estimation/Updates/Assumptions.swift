import Geometry
import Measurements

/// Pseudo-measurements where nothing is measured, at 20 Hz.
extension ErrorStateKalmanFilter {
    /// Interval between two applications. Unit: seconds.
    package static let tickInterval = 0.05

    /// Applies the pseudo-measurements that are due.
    package mutating func tick() {
        let interval = state.time.seconds(since: unaided.lastTick)
        guard interval >= Self.tickInterval - 1e-6 else { return }
        unaided.lastTick = state.time
        let span = min(interval, 0.5)
        observeMotion()
        enterUnaidedMode()
        if unaided.isActive {
            stay(over: span)
        } else if !inertial.isForceStale {
            holdVertical(over: span)
        }
        holdStanding(over: span)
        holdCourse(over: span)
        restSpan = rest.isResting && !inertial.isForceStale ? restSpan + span : 0
        if restSpan >= Self.restInterval { holdRest() }
    }

    private mutating func observeMotion() {
        let isStepping = steppedAt.map { state.time.seconds(since: $0) < Self.stepMemory } ?? false
        modes.observe(isStepping: isStepping, isStill: rest.isResting, at: state.time)
    }

    /// Time after a step for which the wearer counts as stepping. Unit: seconds.
    private static let stepMemory = 1.0
    /// Interval between two zero-velocity updates, each weighted by the time since the last. Unit: seconds.
    private static let restInterval = 0.0975

    /// Levels by the specific force where no GNSS velocity does, through its correlation with the tilt.
    private mutating func holdVertical(over span: Double) {
        if isHeadingUnobserved {
            return gait.isWalking(at: state.time, settings: settings.steps) ? levelByMean() : level(over: span)
        }
        let silence = gnss.lastVelocity.map { state.time.seconds(since: $0) } ?? .infinity
        if silence > settings.inertial.levelAfterSeconds { levelByMean() }
    }

    /// Without satellites: holds the position, levels by the mean force of a walk, or by any quiet force.
    private mutating func stay(over span: Double) {
        influence.cause = .unaided
        if !gait.isWalking(at: state.time, settings: settings.steps) { holdPlace(over: span) }
        guard !inertial.isForceStale else { return }
        if gait.isWalking(at: state.time, settings: settings.steps) { levelByMean() } else { level(over: span) }
    }
}
