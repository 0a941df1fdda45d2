import Geometry
import Glibc

/// Position and attitude of the board at one instant, with their derivatives.
struct BoardPlacement {
    /// Position towards east. Frame: ENU at the walk's origin. Unit: metres.
    var east: Jet
    /// Position towards north. Frame: ENU at the walk's origin. Unit: metres.
    var north: Jet
    /// Height. Frame: ENU at the walk's origin. Unit: metres.
    var up: Jet
    var attitude: Attitude
    /// Distance walked along the street so far, without the oscillation of gait and head. Unit: metres.
    var pathMetres: Double

    /// Position. Frame: ENU. Unit: metres.
    var positionENU: Vector3 { Vector3(east.value, north.value, up.value) }
    /// Velocity. Frame: ENU. Unit: m/s.
    var velocityENU: Vector3 { Vector3(east.first, north.first, up.first) }
    /// Acceleration. Frame: ENU. Unit: m/s².
    var accelerationENU: Vector3 { Vector3(east.second, north.second, up.second) }

    var motion: BoardMotion {
        var motion = BoardMotion(rotationENUFromBody: attitude.rotationENUFromBody, position: positionENU)
        motion.rate = attitude.angularVelocityInBody
        (motion.velocity, motion.acceleration) = (velocityENU, accelerationENU)
        return motion
    }

    /// Placement at another pace. `time` is the motion's own time as a function of the actual time.
    func paced(by time: Jet) -> BoardPlacement {
        var placement = self
        placement.east = east.paced(by: time)
        placement.north = north.paced(by: time)
        placement.up = up.paced(by: time)
        placement.attitude.heading = attitude.heading.paced(by: time)
        placement.attitude.pitch = attitude.pitch.paced(by: time)
        placement.attitude.roll = attitude.roll.paced(by: time)
        return placement
    }

    /// Moves the placement horizontally, to the right of a course. Units: metres; radians clockwise from north.
    func moved(right offset: Jet, of course: Jet) -> BoardPlacement {
        var placement = self
        placement.east = east + offset * course.cosine
        placement.north = north - offset * course.sine
        return placement
    }
}

/// Attitude of the board as heading, pitch and roll, with their derivatives.
package struct Attitude {
    /// Heading, clockwise from true north. Unit: radians.
    var heading: Jet
    /// Elevation of the line of sight above the horizon. Unit: radians.
    var pitch: Jet
    /// Roll about the body's z axis, counter-clockwise seen by the wearer. Unit: radians.
    var roll: Jet
    /// Constant orientation of the board on the body part whose attitude the angles describe. Frame: wearer (x right, y
    /// up, z back) from body.
    var rotationWearerFromBody = Rotation3.identity

    /// Makes an attitude from its angles, with the board along the wearer's axes.
    package init(heading: Jet, pitch: Jet, roll: Jet) {
        self.heading = heading
        self.pitch = pitch
        self.roll = roll
    }

    /// Rotation `Rz(−heading) · Rx(90°) · Rx(pitch) · Rz(roll)`. If all angles are zero, body y is up and body −z
    /// points north.
    package var rotationENUFromBody: Rotation3 {
        Rotation3.about(Vector3(0, 0, 1), by: -heading.value)
            * Rotation3.about(Vector3(1, 0, 0), by: .pi / 2 + pitch.value)
            * Rotation3.about(Vector3(0, 0, 1), by: roll.value) * rotationWearerFromBody
    }

    /// Angular velocity `ω = ρ̇·z + Rz(−ρ)·(θ̇·x − ψ̇·Rx(−θ)·y)` relative to the earth. Frame: body. Unit: rad/s.
    var angularVelocityInBody: Vector3 {
        let beforeRoll = Vector3(
            pitch.first, -heading.first * cos(pitch.value), heading.first * sin(pitch.value))
        let (sine, cosine) = (sin(roll.value), cos(roll.value))
        let inWearer = Vector3(
            cosine * beforeRoll.x + sine * beforeRoll.y, cosine * beforeRoll.y - sine * beforeRoll.x,
            beforeRoll.z + roll.first)
        return rotationWearerFromBody.inverse * inWearer
    }

    /// Position, with its derivatives, of a point that rotates with the body part. It is relative to the centre of
    /// rotation.
    ///
    /// - Parameter arm: lever arm from the centre of rotation. Frame: wearer. Unit: metres.
    /// - Returns: position of the point. Frame: ENU. Unit: metres.
    func shift(of arm: Vector3) -> (east: Jet, north: Jet, up: Jet) {
        let (sineRoll, cosineRoll) = (roll.sine, roll.cosine)
        let x = arm.x * cosineRoll - arm.y * sineRoll
        let y = arm.x * sineRoll + arm.y * cosineRoll
        // Rx(90° + pitch): if the pitch is zero, it turns the arm's y axis up and its z axis backwards.
        let (sinePitch, cosinePitch) = (pitch.sine, pitch.cosine)
        let ahead = Jet(0) - y * sinePitch - arm.z * cosinePitch
        let up = y * cosinePitch - arm.z * sinePitch
        let (sine, cosine) = (heading.sine, heading.cosine)
        return (x * cosine + ahead * sine, ahead * cosine - x * sine, up)
    }

    /// Heading of the line of sight (body −z) in [0, 2π). Unit: radians.
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
