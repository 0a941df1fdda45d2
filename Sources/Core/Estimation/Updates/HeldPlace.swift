import Geometry
import Model

/// Place near which the body is assumed to stay while no stream of fixes measures its motion.
package struct HeldPlace: Sendable, Codable {
    /// Start of the assumption, or the last time at which the body was known to move or to stay.
    package private(set) var since = BootTime(nanoseconds: 0)
    /// Position of the place. Frame: ENU. Unit: metres.
    package private(set) var position = Vector3.zero
    /// Position variance when the place was first held, per axis; nil while the place is not held. Frame: ENU. Unit:
    /// m².
    package private(set) var variance: Vector3?

    package init() {}

    /// Assumes another place, to which the body is known to have moved.
    mutating func move(to position: Vector3, at time: BootTime) {
        self.position = position
        since = time
        variance = nil
    }

    /// Records the position variance with which the body is first held to the place.
    mutating func hold(variance: Vector3) {
        if self.variance == nil { self.variance = variance }
    }

    mutating func shift(by offset: Vector3) { position += offset }
}

/// Pseudo-measurements that hold the body in place while neither position nor velocity is measured.
extension ErrorStateKalmanFilter {
    /// Applies a zero velocity, and the position of the place.
    ///
    /// Equations: docs/filter.md (38), (39).
    mutating func holdPlace(over span: Double) {
        guard rules.holdsPlace else { return }
        let p = ErrorState.position
        let level = (covariance.rows[p][p] + covariance.rows[p + 1][p + 1]) / 2
        place.hold(variance: Vector3(level, level, covariance.rows[p + 2][p + 2]))
        let noise = settings.unaided
        let mask = GainMask.all.subtracting([.yaw, .stepScale, .walkingDirection])
        // A barometer measures climbs, so height and vertical velocity are then not constrained.
        var spread = Matrix<3, 3>.identity
        if pressure.isAtWork(at: state.time) { spread[2, 2] = Self.climbingSpread }
        apply(
            Self.vectorUpdate(
                at: ErrorState.velocity, -state.velocity,
                noise: (noise.velocityNoise * noise.velocityNoise / span) * spread, mask: mask, gate: nil,
                cause: .unaided))
        apply(
            Self.vectorUpdate(
                at: ErrorState.position, place.position - state.position,
                noise: (noise.positionNoise * noise.positionNoise / span) * spread, mask: mask, gate: nil,
                cause: .unaided))
    }

    /// Factor of the variances of the vertical pseudo-measurements while a barometer works.
    private static let climbingSpread = 1e4

    /// Releases the place when fixes return: reverts the assumptions about position and velocity.
    mutating func releasePlace() {
        let away = settings.unaided.unnoticedSpeed * state.time.seconds(since: place.since)
        let spread = settings.unaided.returnVelocityStandardDeviation
        widen(ErrorState.velocity, count: 3, by: spread * spread)
        widen(ErrorState.position, count: 3, by: away * away)
        restorePlaceVariance()
        undirectedWay = UndirectedWay()
    }

    /// Restores the position variance that the pseudo-measurements have removed.
    mutating func restorePlaceVariance() {
        guard let variance = place.variance else { return }
        widen(ErrorState.position, count: 2, by: variance.x)
        widen(ErrorState.position + 2, count: 1, by: variance.z)
    }

    /// Moves the place along with a step.
    mutating func movePlace() {
        restorePlaceVariance()
        place.move(to: state.position, at: state.time)
    }

    /// Variance of each horizontal position component due to unnoticed motion. Unit: m².
    @inline(__always)
    package var unnoticedVariance: Double {
        guard !rules.measuresMotion else { return 0 }
        let away = settings.unaided.unnoticedSpeed * state.time.seconds(since: place.since)
        return away * away + (place.variance?.x ?? 0)
    }
}
