import Geometry
import Model

extension EstimatorSettings {
    /// Assumptions while no stream of fixes arrives (a hand or head moves about one place), and the limits at which a
    /// stream ends.
    public struct Unaided: Hashable, Sendable {
        /// Noise density of the held position. Raise it to let the estimate move farther from the held place. Unit:
        /// m·√s. Origin: recordings with optical ground truth.
        public var positionNoise = 2.6
        /// Noise density of the assumed zero velocity. Raise it to let the estimate move faster. Unit: m/s·√s. Origin:
        /// recordings with optical ground truth.
        public var velocityNoise = 0.39
        /// White noise density that is assumed for the gyroscope without satellites. Raise it to let gravity correct
        /// the tilt sooner. Unit: rad/s/√Hz. Origin: recordings with optical ground truth.
        public var gyroNoise = 0.008
        /// White noise density that is assumed for the accelerometer without satellites. Raise it to let the
        /// pseudo-measurements hold the velocity more firmly. Unit: m/s²/√Hz. Origin: recordings with optical ground
        /// truth.
        public var accelerometerNoise = 0.156
        /// Time without a fix after which a stream has ended. Raise it to rely on dead reckoning for longer. Unit:
        /// seconds.
        public var afterSeconds = 30.0
        /// Time without a fix after which a stream has ended if motion has not confirmed the heading. Raise it to rely
        /// on such a heading for longer. Unit: seconds. Origin: walks after one fix at a door.
        public var afterSecondsUnconfirmed = 12.0
        /// Standard deviation of the velocity up to which a stream continues without fixes. Raise it to rely on dead
        /// reckoning for longer. Unit: m/s. Origin: less certain dead reckoning does not bound the position.
        public var velocityStandardDeviation = 1.0
        /// Speed at which the wearer may move unnoticed without fixes, or between two weak fixes. Raise it to publish
        /// radii that grow faster, and to follow weak fixes sooner. Unit: m/s. Origin: walking speed.
        public var unnoticedSpeed = 1.0
        /// Standard deviation of the velocity when fixes return. Raise it to follow the first fixes sooner. Unit: m/s.
        /// Origin: running speed.
        public var returnVelocityStandardDeviation = 3.0
        /// Attitude error that a turn causes and no state models, as a share of the turn. The error is correlated over
        /// the turn, about a second. Raise it to let gravity and field correct the attitude sooner after a turn.
        /// Origin: fast recordings with optical ground truth.
        public var turnError = 3e-3
        /// White noise density of the yaw rate, which gravity does not observe. Raise it to let the field correct the
        /// yaw sooner. Unit: rad/s/√Hz. Origin: recordings with optical ground truth.
        public var yawNoise = 5e-4
        /// Time without a fix after which a stream has ended in a vehicle, which cannot be assumed to stay in place.
        /// Raise it to rely on dead reckoning for longer. Unit: seconds. Origin: in a vehicle no other assumption
        /// bounds the velocity.
        public var afterRidingSeconds = 180.0
    }
}

/// Place near which the body is assumed to stay while no stream of fixes measures its motion.
package struct HeldPlace: Sendable, Codable {
    /// Time at which the body was last known to be at the place.
    package private(set) var since = BootTime(nanoseconds: 0)
    /// Position of the place. Frame: ENU. Unit: metres.
    package private(set) var position = Vector3.zero
    /// Position variance when the place was first held, per axis; nil while the place is not held. Frame: ENU. Unit:
    /// m².
    package private(set) var variance: Vector3?

    /// Changes the place to a position to which the body is known to have moved.
    mutating func move(to position: Vector3, at time: BootTime) {
        self.position = position
        since = time
        variance = nil
    }

    /// Records the position variance at the time when the body is first held at the place.
    mutating func hold(variance: Vector3) {
        if self.variance == nil { self.variance = variance }
    }

    mutating func shift(by offset: Vector3) { position += offset }
}

/// Pseudo-measurements that hold the body in place while no sensor measures position or velocity.
extension ErrorStateKalmanFilter {
    /// Updates the filter as if the velocity were zero and the body were at the held place.
    ///
    /// Equations: docs/filter.md (38), (39).
    mutating func holdPlace(over span: Double) {
        guard rules.holdsPlace else { return }
        let (level, up) = (meanHorizontalVariance(ErrorState.position), ErrorState.position + 2)
        place.hold(variance: Vector3(level, level, covariance.rows[up][up]))
        let noise = settings.unaided
        let mask = GainMask.all.subtracting([.yaw, .stepScale, .walkingDirection])
        // While a barometer measures climbs, height and vertical velocity are left nearly unconstrained.
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

    /// Factor that multiplies the variances of the vertical pseudo-measurements while a barometer works.
    private static let climbingSpread = 1e4

    /// Releases the place when fixes return, and inflates the variances that rest on the assumption.
    mutating func releasePlace() {
        let away = settings.unaided.unnoticedSpeed * state.time.seconds(since: place.since)
        let spread = settings.unaided.returnVelocityStandardDeviation
        widen(ErrorState.velocity, count: 3, by: spread * spread)
        widen(ErrorState.position, count: 3, by: away * away)
        restorePlaceVariance()
        undirectedWay = UndirectedWay()
    }

    /// Adds back the position variance that the body had before the pseudo-measurements reduced it.
    mutating func restorePlaceVariance() {
        guard let variance = place.variance else { return }
        widen(ErrorState.position, count: 2, by: variance.x)
        widen(ErrorState.position + 2, count: 1, by: variance.z)
    }

    /// Moves the place to the current position, after a step.
    mutating func movePlace() {
        restorePlaceVariance()
        place.move(to: state.position, at: state.time)
    }
}
