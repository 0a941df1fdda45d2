import Geometry
import Measurements

/// Interpolation of the motion between two successive poses.
///
/// The position is a cubic Hermite curve by the velocities at both ends, and the rotation vector from the first
/// orientation to the second likewise by the angular velocities. With h between the two, s = t/h and ΔR = R₀⁻¹·R₁,
///
///     R = R₀·exp(s·log ΔR + (s − 2s² + s³)·(h·ω₀ − log ΔR) + (s³ − s²)·(h·ω₁ − log ΔR))
///
/// Velocity and angular velocity, which jump with corrections, are interpolated linearly between the published values.
struct PoseCurve {
    let first: PoseMoment
    let second: PoseMoment
    /// Angular velocity of the next pose, if known: a published rate is the mean over the interval before.
    let rateAfter: Vector3?

    /// Angular acceleration beyond that of any head: the axes were corrected, and the rotation is taken as uniform.
    /// Unit: rad/s².
    private static let largestAcceleration = 150.0

    /// Moment at a time from the first pose to the second.
    func moment(at time: BootTime) -> PoseMoment {
        let span = second.time.seconds(since: first.time)
        let share = span > 0 ? min(1, max(0, time.seconds(since: first.time) / span)) : 0
        let squared = share * share
        let (begin, end) = (share - 2 * squared + squared * share, squared * share - squared)
        let chord = second.position - first.position
        let bend = (first.velocity * span - chord) * begin + (second.velocity * span - chord) * end
        return PoseMoment(
            time: time, position: first.position + chord * share + bend,
            rotationSceneFromBody: first.rotationSceneFromBody * Rotation3.exp(turn(share, begin, end, span)),
            velocity: first.velocity + (second.velocity - first.velocity) * share,
            rate: first.rate + (second.rate - first.rate) * share)
    }

    private func turn(_ share: Double, _ begin: Double, _ end: Double, _ span: Double) -> Vector3 {
        let turn = (first.rotationSceneFromBody.inverse * second.rotationSceneFromBody).log
        let after = rateAfter ?? (second.rate * 2 - first.rate)
        let firstBend = (first.rate + second.rate) * (0.5 * span) - turn
        let secondBend = (second.rate + after) * (0.5 * span) - turn
        let largest = 0.5 * Self.largestAcceleration * span * span
        guard max(firstBend.norm, secondBend.norm) <= largest else { return turn * share }
        return turn * share + firstBend * begin + secondBend * end
    }
}

extension PoseMoment {
    /// Extrapolation at constant velocities.
    func carried(to later: BootTime) -> PoseMoment {
        let span = later.seconds(since: time)
        var result = self
        result.time = later
        result.position = position + velocity * span
        result.rotationSceneFromBody = rotationSceneFromBody * Rotation3.exp(rate * span)
        return result
    }
}
