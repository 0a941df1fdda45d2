import Geometry
import Model

/// What is assumed where nothing is measured, at 20 Hz.
extension ErrorStateKalmanFilter {
    /// Unit: seconds.
    package static let tickInterval = 0.05

    /// Applies the assumptions that are due.
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

    /// Unit: seconds.
    private static let stepMemory = 1.0
    /// Rest is told so often, with the weight of the time between: every tick would tell no more. Unit: seconds.
    private static let restInterval = 0.0975

    /// Among fixes their velocities hold the vertical; where none comes, the force does.
    private mutating func holdVertical(over span: Double) {
        if isAstray {
            return gait.isWalking(at: state.time, settings: settings.steps) ? levelByMean() : level(over: span)
        }
        let silence = gnss.lastVelocity.map { state.time.seconds(since: $0) } ?? .infinity
        if silence > settings.inertial.levelAfterSeconds { levelByMean() }
    }

    /// Position as it was, velocity zero, each as continuous noise; gravity where the force is quiet.
    private mutating func stay(over span: Double) {
        influence.cause = .unaided
        if !gait.isWalking(at: state.time, settings: settings.steps) { holdPlace(over: span) }
        guard !inertial.isForceStale else { return }
        if gait.isWalking(at: state.time, settings: settings.steps) { levelByMean() } else { level(over: span) }
    }
}
