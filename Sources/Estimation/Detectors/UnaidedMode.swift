import Geometry
import Model

/// Mode without satellites: a hand or head that moves about one place, the anchor, is assumed.
package struct UnaidedMode: Sendable {
    /// Whether the mode is active.
    package private(set) var isActive = false
    /// Begin of the mode, or the last move of its anchor; valid while active.
    package private(set) var since = BootTime(nanoseconds: 0)
    /// Position at which the body is assumed to stay. Frame: ENU. Unit: metres.
    package private(set) var anchor = Vector3.zero
    /// Time of the last pseudo-measurements.
    package var lastTick = BootTime(nanoseconds: 0)
    /// Variance of the anchor's position, per horizontal axis; nil while the body is not held to the anchor. Unit: m².
    package private(set) var anchorVariance: Double?

    package init() {}

    mutating func begin(at time: BootTime, position: Vector3) {
        isActive = true
        since = time
        anchor = position
        anchorVariance = nil
        lastTick = time
    }

    /// Records the position variance with which the body is first held to the anchor.
    mutating func hold(variance: Double) {
        if anchorVariance == nil { anchorVariance = variance }
    }

    mutating func shift(by offset: Vector3) { anchor += offset }

    mutating func end() { isActive = false }

    /// Moves the anchor to a position to which the body has been seen to move.
    mutating func follow(_ position: Vector3, at time: BootTime) {
        anchor = position
        since = time
        anchorVariance = nil
    }
}

/// Begin and end of the mode without satellites.
extension ErrorStateKalmanFilter {
    /// Begins the mode once fixes have been missing for long and the velocity has become uncertain.
    mutating func enterUnaidedMode() {
        guard settings.parts.contains(.unaidedMode) else { return }
        let limits = settings.unaided
        let patience = modes.isRiding ? limits.afterRidingSeconds : limits.afterSeconds
        guard !unaided.isActive, let age = gnss.age(at: state.time), age > patience else { return }
        let speed = max(standardDeviation(ErrorState.velocity), standardDeviation(ErrorState.velocity + 1))
        guard speed > settings.unaided.velocityStandardDeviation else { return }
        unaided.begin(at: state.time, position: state.position)
    }

    /// Ends the mode when fixes return, and takes back what it assumed of position and velocity.
    package mutating func leaveUnaidedMode() {
        guard unaided.isActive else { return }
        let away = settings.unaided.unnoticedSpeed * state.time.seconds(since: unaided.since)
        let spread = settings.unaided.returnVelocityStandardDeviation
        for i in 0..<3 {
            covariance[ErrorState.velocity + i, ErrorState.velocity + i] += spread * spread
            covariance[ErrorState.position + i, ErrorState.position + i] += away * away
        }
        releaseAnchor()
        undirectedWay = UndirectedWay()
        unaided.end()
    }

    /// Restores the position variance that the pseudo-measurements have removed.
    mutating func releaseAnchor() {
        guard let variance = unaided.anchorVariance else { return }
        for i in ErrorState.position..<(ErrorState.position + 2) { covariance[i, i] += variance }
    }

    /// Moves the anchor along with a step.
    mutating func moveAnchor() {
        guard unaided.isActive else { return }
        releaseAnchor()
        unaided.follow(state.position, at: state.time)
    }
}

extension UnaidedMode: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&isActive, "isActive")
        coder.code(&since, "since")
        coder.code(&anchor, "anchor")
        coder.code(&lastTick, "lastTick")
        coder.code(&anchorVariance, "anchorVariance")
    }
}
