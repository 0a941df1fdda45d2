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
    /// Constant orientation of the board against what these angles turn. Frame: wearer (x right, y up, z back) from body.
    var rotationWearerFromBody = Rotation3.identity

    /// `Rz(−heading) · Rx(90°) · Rx(pitch) · Rz(roll)`: level, body y is up and body −z points ahead.
    var rotationENUFromBody: Rotation3 {
        Rotation3.about(Vector3(0, 0, 1), by: -heading.value)
            * Rotation3.about(Vector3(1, 0, 0), by: .pi / 2 + pitch.value)
            * Rotation3.about(Vector3(0, 0, 1), by: roll.value) * rotationWearerFromBody
    }

    /// `ω = ρ̇·z + Rz(−ρ)·(θ̇·x − ψ̇·Rx(−θ)·y)`. Frame: body. Unit: rad/s.
    var angularVelocityInBody: Vector3 {
        let beforeRoll = Vector3(
            pitch.first, -heading.first * cos(pitch.value), heading.first * sin(pitch.value))
        let (sine, cosine) = (sin(roll.value), cos(roll.value))
        let inWearer = Vector3(
            cosine * beforeRoll.x + sine * beforeRoll.y, cosine * beforeRoll.y - sine * beforeRoll.x,
            beforeRoll.z + roll.first)
        return rotationWearerFromBody.inverse * inWearer
    }

    /// Where a point is that turns with the wearer's part, from the point about which it turns, with its derivatives.
    ///
    /// - Parameter arm: Frame: wearer. Unit: metres.
    /// - Returns: Frame: ENU. Unit: metres.
    func shift(of arm: Vector3) -> (east: Jet, north: Jet, up: Jet) {
        let (sineRoll, cosineRoll) = (roll.sine, roll.cosine)
        let x = arm.x * cosineRoll - arm.y * sineRoll
        let y = arm.x * sineRoll + arm.y * cosineRoll
        // Rx(90° + pitch): y goes up, z backwards.
        let (sinePitch, cosinePitch) = (pitch.sine, pitch.cosine)
        let ahead = Jet(0) - y * sinePitch - arm.z * cosinePitch
        let up = y * cosinePitch - arm.z * sinePitch
        let (sine, cosine) = (heading.sine, heading.cosine)
        return (x * cosine + ahead * sine, ahead * cosine - x * sine, up)
    }

    /// Heading of the line of sight (body −z) in [0, 2π).
    var headingInFullCircle: Double {
        var heading = heading.value
        if rotationWearerFromBody != .identity {
            let sight = rotationENUFromBody * Vector3(0, 0, -1)
            heading = atan2(sight.x, sight.y)
        }
        let turns = (heading / (2 * .pi)).rounded(.down)
        let reduced = heading - turns * 2 * .pi
        return reduced < 2 * .pi ? reduced : 0
    }
}
