import Geometry
import Model

/// Detects jumps of a receiver's error by comparing the change between two positions with the displacement of the body.
///
/// Over the few seconds between two fixes the velocity is known far better than a position. Therefore even a jump that
/// is small compared with the position errors is detected immediately. The jump is subtracted from later positions
/// until the receiver jumps back, as after a reflection, or until the jump has lasted longer than reflections do.
package struct PositionJumps: Sendable, Codable {
    /// Result of the comparison of a position with the previous position.
    package struct Assessment: Sendable {
        /// Sum of the present jumps, to be subtracted from the position. Frame: ENU, horizontal. Unit: metres.
        package var offset = Vector3.zero
        /// Variance of a jump detected at this position, per horizontal axis; 0 without a jump. Unit: m².
        var variance = 0.0
        /// Whether an offset has lasted longer than a reflection can. In this case the positions before the offset were
        /// wrong.
        package var isReturn = false
        /// Offset that was present before a gap in the positions. It is only known to have been a part of the
        /// receiver's error.
        package var remainder = Vector3.zero
    }

    /// Motion between two fixes. Frame: ENU.
    package struct Motion: Sendable, Codable {
        /// Velocity at a fix. Unit: m/s.
        var velocity: Vector3
        /// Variance of the velocity, per horizontal axis. Unit: m²/s².
        var variance: Double

        package init(velocity: Vector3, variance: Double) {
            self.velocity = velocity
            self.variance = variance
        }
    }

    private var offset = Vector3.zero
    /// Epoch at which the present offset began.
    private var offsetSince: BootTime?
    /// Epoch since which positions have arrived without a gap.
    private var steadySince: BootTime?
    private var last: Point?

    private struct Point: Sendable, Codable {
        var position: Vector3
        var velocity: Vector3
        var time: BootTime
    }

    package init() {}

    /// Compares a reported position with the previous position.
    ///
    /// - Parameter scale: scale of the reported accuracy of positions.
    package mutating func assess(
        _ fix: LocalFix, scale: Double, motion: Motion, settings: EstimatorSettings.GNSS
    ) -> Assessment {
        let interval = last.map { fix.time.seconds(since: $0.time) } ?? .infinity
        guard interval > 0 else { return Assessment(offset: offset) }
        defer { last = Point(position: fix.position, velocity: motion.velocity, time: fix.time) }
        guard let last, interval <= Self.maximumInterval else {
            let remainder = offset
            restart(at: fix.time)
            return Assessment(remainder: remainder)
        }
        guard !hasLasted(at: fix.time, settings) else {
            restart(at: fix.time)
            return Assessment(isReturn: true)
        }
        let white = scale * fix.horizontalStandardDeviation * settings.whiteShare
        let variance = 2 * white * white + motion.variance * interval * interval
        var change = fix.position - last.position - (last.velocity + motion.velocity) * (interval / 2)
        change.z = 0
        return take(change, variance: variance, at: fix.time, settings)
    }

    private mutating func take(
        _ change: Vector3, variance: Double, at time: BootTime, _ settings: EstimatorSettings.GNSS
    ) -> Assessment {
        let limit = max(settings.minimumJump, Self.gate * variance.squareRoot())
        let (isJump, left) = (change.norm > limit, (offset + change).norm)
        // After a jump back, the noise of both jumps remains, and the jump back itself may be slightly below the limit.
        if left < min(2.0.squareRoot() * limit, isJump ? offset.norm : offset.norm / 2) {
            offset = .zero
            return Assessment(variance: variance + left * left / 2)
        }
        let isSteady = steadySince.map { time.seconds(since: $0) >= settings.steadySeconds } ?? false
        guard isSteady, isJump else { return Assessment(offset: offset) }
        if offset == .zero { offsetSince = time }
        offset += change
        return Assessment(offset: offset, variance: variance)
    }

    /// Whether the offset has lasted longer than reflections do.
    private func hasLasted(at time: BootTime, _ settings: EstimatorSettings.GNSS) -> Bool {
        guard let offsetSince, offset != .zero else { return false }
        let maximumSeconds = offset.norm > settings.resetDistance ? settings.resetSeconds : settings.reflectionSeconds
        return time.seconds(since: offsetSince) >= maximumSeconds
    }

    /// Discards all jumps and restarts the detection at this fix.
    private mutating func restart(at time: BootTime) {
        self = PositionJumps()
        steadySince = time
    }

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) { last?.position += offset }

    /// Longest interval between two positions for which the displacement is known well enough. Unit: seconds.
    private static let maximumInterval = 3.0
    /// Number of standard deviations up to which a change counts as noise. One fix in 300 000 exceeds it by chance.
    private static let gate = 5.0
}
