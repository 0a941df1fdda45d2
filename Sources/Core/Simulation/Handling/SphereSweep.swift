import Geometry

/// Rotation of a board by hand through all headings, with tilts to all sides.
struct SphereSweep {
    private let maximumTilt: Double
    private let seconds: Double
    private let sense: Double

    /// Time in which the rotation starts, and in which it stops. Unit: seconds.
    private static let rampSeconds = 1.0
    /// Time for a full turn of the heading, typical of a hand. The periods have no common multiple. Unit: seconds.
    private static let headingPeriod = 5.3
    /// Period of the tilt, typical of a hand. Unit: seconds.
    private static let tiltPeriod = 7.9
    /// Period of the side of the tilt. Unit: seconds.
    private static let sidePeriod = 37.0

    init(maximumTilt: Double, seconds: Double, random: inout RandomSource) {
        precondition(seconds > 2 * Self.rampSeconds, "a sweep is longer than its start and its end")
        self.maximumTilt = maximumTilt
        self.seconds = seconds
        sense = random.uniform() < 0.5 ? -1 : 1
    }

    /// Motion `R = start · Rot(y, ψ + σ) · Rot(x, τ) · Rot(y, −σ)` with the heading ψ, the tilt τ and its side σ.
    func motion(from start: BoardMotion, at time: Double) -> BoardMotion {
        let ramp = Self.rampSeconds
        let rise = (1 / ramp) * Jet.time(time)
        let fall = (1 / ramp) * (Jet.time(time) - (seconds - ramp))
        let moving = ramp * (rise.smoothStepIntegral - fall.smoothStepIntegral)
        let heading = (sense * 2 * .pi / Self.headingPeriod) * moving
        // The tilt rate is the same for large and small tilts.
        let period = Self.tiltPeriod * max(1, maximumTilt / 1.5)
        let tilt = maximumTilt * ((2 * .pi / period) * moving).sine
        let side = (2 * .pi / Self.sidePeriod) * moving
        let (x, y) = (Vector3(1, 0, 0), Vector3(0, 1, 0))
        return start.turned(about: y, by: heading + side).turned(about: x, by: tilt)
            .turned(about: y, by: -1 * side)
    }
}
