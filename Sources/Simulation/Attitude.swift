import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Heading, pitch and roll of the board and what follows from them.
struct Attitude {
    /// Clockwise from true north. Unit: radians.
    var heading: Jet
    /// Of the line of sight above the horizon. Unit: radians.
    var pitch: Jet
    /// About the body's z, counter-clockwise seen by the wearer. Unit: radians.
    var roll: Jet

    /// `Rz(−heading) · Rx(90°) · Rx(pitch) · Rz(roll)`: level, body y is up and body −z points ahead.
    var rotationENUFromBody: Rotation3 {
        Rotation3.about(Vector3(0, 0, 1), by: -heading.value)
            * Rotation3.about(Vector3(1, 0, 0), by: .pi / 2 + pitch.value)
            * Rotation3.about(Vector3(0, 0, 1), by: roll.value)
    }

    /// `ω = ρ̇·z + Rz(−ρ)·(θ̇·x − ψ̇·Rx(−θ)·y)`. Frame: body. Unit: rad/s.
    var angularVelocityInBody: Vector3 {
        let beforeRoll = Vector3(
            pitch.first, -heading.first * cos(pitch.value), heading.first * sin(pitch.value))
        let (sine, cosine) = (sin(roll.value), cos(roll.value))
        return Vector3(
            cosine * beforeRoll.x + sine * beforeRoll.y, cosine * beforeRoll.y - sine * beforeRoll.x,
            beforeRoll.z + roll.first)
    }

    /// The heading brought to [0, 2π).
    var headingInFullCircle: Double {
        let turns = (heading.value / (2 * .pi)).rounded(.down)
        let reduced = heading.value - turns * 2 * .pi
        return reduced < 2 * .pi ? reduced : 0
    }
}
