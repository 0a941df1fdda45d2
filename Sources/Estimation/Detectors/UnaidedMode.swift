import Geometry
import Model

/// The mode without satellites: only a hand or a head that moves about one place is assumed.
package struct UnaidedMode: Sendable {
    package private(set) var isActive = false
    /// Since when; meaningful while active.
    package private(set) var since = BootTime(nanoseconds: 0)
    /// Where the body is thought to stay. Frame: ENU. Unit: metres.
    package private(set) var anchor = Vector3.zero
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

    /// The body is held to the anchor.
    mutating func hold(variance: Double) {
        if anchorVariance == nil { anchorVariance = variance }
    }

    mutating func shift(by offset: Vector3) { anchor += offset }

    mutating func end() { isActive = false }

    /// The body has walked here, and that was noticed: the anchor comes along.
    mutating func follow(_ position: Vector3, at time: BootTime) {
        anchor = position
        since = time
        anchorVariance = nil
    }
}

/// When the mode without satellites begins and ends, and what it assumed is taken back.
extension ErrorStateKalmanFilter {
    mutating func enterUnaidedMode() {
        let limits = settings.unaided
        let patience = modes.isRiding ? limits.afterRidingSeconds : limits.afterSeconds
        guard !unaided.isActive, let age = gnss.age(at: state.time), age > patience else { return }
        let speed = max(deviation(ErrorState.velocity), deviation(ErrorState.velocity + 1))
        guard speed > settings.unaided.velocityDeviation else { return }
        unaided.begin(at: state.time, position: state.position)
    }

    /// Fixes return: the assumptions about place and speed are taken back.
    package mutating func leaveUnaidedMode() {
        guard unaided.isActive else { return }
        let away = settings.unaided.unnoticedSpeed * state.time.seconds(since: unaided.since)
        let spread = settings.unaided.returnVelocityDeviation
        for i in 0..<3 {
            covariance[ErrorState.velocity + i, ErrorState.velocity + i] += spread * spread
            covariance[ErrorState.position + i, ErrorState.position + i] += away * away
        }
        releaseAnchor()
        undirectedWay = UndirectedWay()
        unaided.end()
    }

    /// What holding the body to the anchor took from the position's variance was only assumed.
    mutating func releaseAnchor() {
        guard let variance = unaided.anchorVariance else { return }
        for i in ErrorState.position..<(ErrorState.position + 2) { covariance[i, i] += variance }
    }

    /// A step was believed: what is assumed about the place comes along.
    mutating func moveAnchor() {
        guard unaided.isActive else { return }
        releaseAnchor()
        unaided.follow(state.position, at: state.time)
    }
}
