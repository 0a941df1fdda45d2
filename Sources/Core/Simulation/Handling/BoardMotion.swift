import Geometry

/// Attitude and motion of a board at one instant, with the derivatives that the sensors measure.
package struct BoardMotion: Sendable {
    package var rotationENUFromBody: Rotation3
    /// Angular rate relative to the earth. Frame: body. Unit: rad/s.
    package var rate = Vector3.zero
    /// Derivative of `rate`. Frame: body. Unit: rad/s².
    package var rateOfRate = Vector3.zero
    /// Position of the centre of rotation. Frame: ENU. Unit: metres.
    package var position = Vector3.zero
    /// Velocity of the centre of rotation. Frame: ENU. Unit: m/s.
    package var velocity = Vector3.zero
    /// Acceleration of the centre of rotation. Frame: ENU. Unit: m/s².
    package var acceleration = Vector3.zero

    package init(rotationENUFromBody: Rotation3, position: Vector3 = .zero) {
        self.rotationENUFromBody = rotationENUFromBody
        self.position = position
    }

    /// Adds a rotation about a unit axis of the body after this motion's rotation.
    ///
    /// With the new rotation R₂, `ω = R₂ᵀ·ω₁ + a·θ̇` and `ω̇ = R₂ᵀ·ω̇₁ − θ̇·a × R₂ᵀ·ω₁ + a·θ̈`.
    package func turned(about axis: Vector3, by angle: Jet) -> BoardMotion {
        let turn = Rotation3.exp(axis * angle.value)
        let back = turn.inverse
        let carried = back * rate
        var motion = self
        motion.rotationENUFromBody = rotationENUFromBody * turn
        motion.rate = carried + axis * angle.first
        motion.rateOfRate = back * rateOfRate - angle.first * axis.cross(carried) + axis * angle.second
        return motion
    }

    /// Displaces this motion in ENU. Unit: metres.
    package func moved(east: Jet, north: Jet, up: Jet) -> BoardMotion {
        var motion = self
        motion.position += Vector3(east.value, north.value, up.value)
        motion.velocity += Vector3(east.first, north.first, up.first)
        motion.acceleration += Vector3(east.second, north.second, up.second)
        return motion
    }

    /// This motion at another pace, by the chain rule. `time` is the motion's own time as a function of the actual
    /// time.
    func paced(by time: Jet) -> BoardMotion {
        var motion = self
        motion.rateOfRate = rateOfRate * (time.first * time.first) + rate * time.second
        motion.rate = rate * time.first
        motion.acceleration = acceleration * (time.first * time.first) + velocity * time.second
        motion.velocity = velocity * time.first
        return motion
    }
}
