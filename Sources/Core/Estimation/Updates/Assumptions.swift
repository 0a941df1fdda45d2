import Geometry
import Model

extension EstimatorSettings {
    /// Assumptions without a stream of fixes (a hand or head moves about one place), and limits at which a stream ends.
    public struct Unaided: Hashable, Sendable {
        /// Noise density of the held position. Raise it to let the estimate move farther from the held place. Unit:
        /// m·√s. Origin: recordings with optical ground truth.
        public var positionNoise = 2.6
        /// Noise density of the zero velocity. Raise it to let the estimate move faster. Unit: m/s·√s. Origin:
        /// recordings with optical ground truth.
        public var velocityNoise = 0.39
        /// White noise density of the gyroscope assumed without satellites. Raise it to let gravity correct the tilt
        /// sooner. Unit: rad/s/√Hz. Origin: recordings with optical ground truth.
        public var gyroNoise = 0.008
        /// White noise density of the accelerometer assumed without satellites. Raise it to let the pseudo-measurements
        /// hold the velocity more firmly. Unit: m/s²/√Hz. Origin: recordings with optical ground truth.
        public var accelerometerNoise = 0.156
        /// Time without a fix after which a stream has ended. Raise it to rely on dead reckoning for longer. Unit:
        /// seconds.
        public var afterSeconds = 30.0
        /// Time without a fix after which a stream has ended while motion has not confirmed the heading. Raise it to
        /// rely on dead reckoning with such a heading for longer. Unit: seconds. Origin: walks after one fix at a door.
        public var afterSecondsUnconfirmed = 12.0
        /// Standard deviation of the velocity below which a stream does not end. Raise it to rely on dead reckoning for
        /// longer. Unit: m/s. Origin: worse dead reckoning does not bound the position.
        public var velocityStandardDeviation = 1.0
        /// Speed at which the wearer may move away unnoticed, also between two weak fixes. Raise it to publish radii
        /// that grow faster, and to follow weak fixes sooner. Unit: m/s. Origin: a walk.
        public var unnoticedSpeed = 1.0
        /// Standard deviation of the velocity when fixes return. Raise it to follow the first fixes sooner. Unit: m/s.
        /// Origin: a run.
        public var returnVelocityStandardDeviation = 3.0
        /// Error of a turn that no state explains, as a share of the turn. It is correlated over the duration of the
        /// turn, about a second. Raise it to let gravity and field correct the attitude sooner after a turn. Origin:
        /// fast recordings with optical ground truth.
        public var turnError = 3e-3
        /// White noise density of the yaw rate, which gravity does not observe. Raise it to let the field correct the
        /// yaw sooner. Unit: rad/s/√Hz. Origin: recordings with optical ground truth.
        public var yawNoise = 5e-4
        /// Time without a fix after which a stream has ended in a vehicle, which does not stay in place. Raise it to
        /// rely on dead reckoning for longer. Unit: seconds. Origin: in a vehicle no other assumption bounds the
        /// velocity.
        public var afterRidingSeconds = 180.0
    }
}

/// Place near which the body is assumed to stay while no stream of fixes measures its motion.
package struct HeldPlace: Sendable, Codable {
    /// Start of the assumption, or the last time at which the body was known to move or to stay.
    package private(set) var since = BootTime(nanoseconds: 0)
    /// Position of the place. Frame: ENU. Unit: metres.
    package private(set) var position = Vector3.zero
    /// Position variance when the place was first held, per axis; nil while the place is not held. Frame: ENU. Unit:
    /// m².
    package private(set) var variance: Vector3?

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
        let (level, up) = (meanHorizontalVariance(ErrorState.position), ErrorState.position + 2)
        place.hold(variance: Vector3(level, level, covariance.rows[up][up]))
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
}
