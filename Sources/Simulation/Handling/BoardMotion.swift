import Geometry

/// How a board is turned and how it moves at one instant, with the derivatives that sensors answer to.
struct BoardMotion {
    var rotationENUFromBody: Rotation3
    /// Against the earth. Frame: body. Unit: rad/s.
    var rate = Vector3.zero
    /// The derivative of `rate`. Frame: body. Unit: rad/s².
    var rateOfRate = Vector3.zero
    /// Of the point about which it turns. Frame: ENU. Units: metres, m/s, m/s².
    var position = Vector3.zero
    var velocity = Vector3.zero
    var acceleration = Vector3.zero

    /// Turned on by an angle about an axis of the body, of length 1.
    ///
    /// With R₂ the new turn, `ω = R₂ᵀ·ω₁ + a·θ̇` and `ω̇ = R₂ᵀ·ω̇₁ − θ̇·a × R₂ᵀ·ω₁ + a·θ̈`.
    func turned(about axis: Vector3, by angle: Jet) -> BoardMotion {
        let turn = Rotation3.exp(axis * angle.value)
        let back = turn.inverse
        let carried = back * rate
        var motion = self
        motion.rotationENUFromBody = rotationENUFromBody * turn
        motion.rate = carried + axis * angle.first
        motion.rateOfRate = back * rateOfRate - angle.first * axis.cross(carried) + axis * angle.second
        return motion
    }

    /// Moved by an offset in ENU. Unit: metres.
    func moved(east: Jet, north: Jet, up: Jet) -> BoardMotion {
        var motion = self
        motion.position += Vector3(east.value, north.value, up.value)
        motion.velocity += Vector3(east.first, north.first, up.first)
        motion.acceleration += Vector3(east.second, north.second, up.second)
        return motion
    }

    /// What a perfect accelerometer reads that sits off the point about which the board turns.
    ///
    /// `f = Rᵀ·(a + g) + ω̇ × r + ω × (ω × r)`. Frame: body. Units: metres, m/s².
    func specificForce(gravity: Double, arm: Vector3) -> Vector3 {
        rotationENUFromBody.inverse * (acceleration + Vector3(0, 0, gravity)) + rateOfRate.cross(arm)
            + rate.cross(rate.cross(arm))
    }
}
