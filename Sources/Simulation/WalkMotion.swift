import Geodesy
import Geometry
import Measurements

/// The motion of the board as a function of time: path, pace, gait and head, differentiated exactly.
struct WalkMotion {
    private let block: CityBlock
    private let pace: WalkPace
    private let head: HeadMotion
    private let forces: LocalForces

    init(block: CityBlock, openingSeconds: Double, random: inout RandomSource) {
        self.block = block
        pace = WalkPace(opening: openingSeconds, round: block.stretches(&random))
        head = HeadMotion(wakes: openingSeconds, random: &random)
        forces = LocalForces(origin: block.plane.origin)
    }

    /// Seconds of one round, the opening pause not in it.
    var roundSeconds: Double { pace.roundSeconds }

    func truth(at seconds: Double, time: BootTime) -> WalkTruth {
        let progress = pace.progress(at: seconds)
        let gait = Gait(progress)
        let (east, north, up, course) = place(progress, gait, seconds)
        let (yaw, pitch, roll) = head.angles(at: seconds, stillness: gait.stillness)
        let attitude = Attitude(
            heading: course + yaw + gait.yaw, pitch: pitch + gait.pitch, roll: roll + gait.roll)

        let positionENU = Vector3(east.value, north.value, up.value)
        let velocityENU = Vector3(east.first, north.first, up.first)
        let accelerationENU = Vector3(east.second, north.second, up.second)
        guard let position = block.plane.position(ofENU: positionENU) else {
            preconditionFailure("the path is finite")
        }
        let rotationBodyFromENU = attitude.rotationENUFromBody.inverse
        let angularVelocity = attitude.angularVelocityInBody
        let forceENU =
            accelerationENU - forces.gravityENU(at: positionENU) - forces.coriolisAccelerationENU(velocityENU)
        return WalkTruth(
            time: time, position: position, positionENU: positionENU, velocityENU: velocityENU,
            accelerationENU: accelerationENU, rotationENUFromBody: attitude.rotationENUFromBody,
            angularVelocityInBody: angularVelocity,
            angularRateInBody: angularVelocity + rotationBodyFromENU * forces.earthRateENU,
            specificForceInBody: rotationBodyFromENU * forceENU, heading: attitude.headingInFullCircle)
    }

    private func place(_ progress: WalkPace.Progress, _ gait: Gait, _ seconds: Double) -> (Jet, Jet, Jet, Jet) {
        let location = block.path.location(at: progress.distance + block.start)
        let course = Jet.atan2(location.directionEast, location.directionNorth)
        let (sine, cosine) = (course.sine, course.cosine)
        // The streets rise and fall once a round; a standing body sways by a millimetre.
        let slope = 1.5 * ((2 * .pi / block.path.length) * progress.distance).sine
        let sway = 0.001 * ((2 * .pi * 0.25) * Jet.time(seconds)).sine
        return (
            location.east + gait.along * sine + gait.right * cosine + sway,
            location.north + gait.along * cosine - gait.right * sine,
            slope + gait.up + CityBlock.eyeHeight, course
        )
    }
}
