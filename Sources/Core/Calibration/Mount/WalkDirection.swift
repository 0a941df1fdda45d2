import Geometry

import Glibc

/// Forward direction of the body as one walk shows it.
package struct WalkDirection: Hashable, Sendable {
    /// Horizontal unit vector of the walking direction. Frame: source axes at the start of the walk.
    var ahead: Vector3
    /// Variance of the yaw of `ahead`. Unit: radians².
    var variance: Double
    /// Mean squared angle between the direction in each second and `ahead`. Unit: radians².
    var scatter: Double
    /// Distance walked. Unit: metres.
    var distance: Double
    /// Stands before and after the walk, combined.
    var stand: Stand
}

/// Reason why a movement between two stands is not a walk from which the mount can be determined.
enum WalkFault: Error, Hashable {
    case tooShort(metres: Double)
    case turned(radians: Double)
    case notStraight
    /// The integration disagrees with the stands.
    case inconsistent
    /// No stop was detected within the longest duration of a walk.
    case noStop
    case interrupted
}

extension WalkTrack {
    /// Forward direction, or the reason why the walk is rejected.
    func direction(isCalibrated: Bool) -> Result<WalkDirection, WalkFault> {
        typealias Settings = MountSettings
        let isOpen = misclosure == nil
        let distance = path.norm
        let asked = isOpen ? Settings.openDistance : Settings.minimumDistance
        guard length.isFinite, tiltMisclosure < Settings.maximumTiltMisclosure,
            (misclosure?.norm ?? 0) < Settings.maximumMisclosure + Settings.maximumMisclosurePerSecond * seconds,
            tilt < Settings.maximumTilt,
            slip < Settings.maximumSlip
        else { return .failure(.inconsistent) }
        guard length >= asked else { return .failure(.tooShort(metres: length)) }
        guard turn < Settings.maximumTurn else { return .failure(.turned(radians: turn)) }
        guard displacement.norm > Settings.minimumStraightness * length,
            distance > Settings.minimumStraightness * length,
            let direction = path.normalized
        else { return .failure(.notStraight) }
        return .success(
            WalkDirection(
                ahead: rotationLFromStart.inverse * direction,
                variance: variance(towards: direction, isCalibrated: isCalibrated),
                scatter: scatter(about: direction).square,
                distance: distance, stand: stand))
    }

    private func variance(towards ahead: Vector3, isCalibrated: Bool) -> Double {
        typealias Settings = MountSettings
        let skew = isCalibrated ? Settings.calibratedSkew : Settings.accelerometerSkew
        // A bias error about the vertical rotates the integrated heading. On average over the walk, the rotation is
        // half of that at the end.
        let yaw = Settings.standingYaw / max(stand.seconds, 1) * seconds / 2
        let drift = driftVariance
        let (square, seconds) = scatter(about: ahead)
        let looking = square / max(1, seconds / Settings.lookingSeconds)
        return Settings.facing * Settings.facing + skew * skew + yaw * yaw + drift + looking
    }

    /// Variance of the direction that results from the cross-track drift of the integration. Unit: radians².
    private var driftVariance: Double {
        let distance = max(path.norm, 1)
        guard let misclosure else {
            let across = MountSettings.openAcceleration * seconds * seconds / 2 / distance
            return across * across
        }
        // Tilt errors δ₀ and δ₁ of the stands cause an acceleration error that goes from g·δ₀ to g·δ₁. Its mean appears
        // in the velocity misclosure ΔvT, which is removed. g·(δ₁ − δ₀)·T²/12 remains across the track. If each δ is
        // independent with the variance σ², this remainder has the variance g²σ²·T⁴/72. Each component of ΔvT has the
        // variance g²σ²·T²/2, so that the measured ΔvT gives a second estimate of the remainder. The mean of the two
        // estimates is used.
        let (acceleration, square) = (9.8 * tiltStandardDeviation, seconds * seconds)
        let expected = acceleration * acceleration * square * square / 72
        let seen = misclosure.squaredNorm / 2 * square / 36
        return (expected + seen) / 2 / (distance * distance)
    }

    /// Mean squared angle between the direction in each second and `ahead`, and the number of seconds.
    private func scatter(about ahead: Vector3) -> (square: Double, seconds: Double) {
        var (sum, seconds) = (0.0, 0.0)
        for piece in pieces where piece.norm > 0.5 {
            let across = ahead.x * piece.y - ahead.y * piece.x
            let angle = atan2(across, ahead.dot(piece))
            sum += angle * angle
            seconds += 1
        }
        return (sum / max(1, seconds), seconds)
    }
}
