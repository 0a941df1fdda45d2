import Geodesy
import Geometry
import Measurements

extension WalkTruth {
    /// Readings of error-free sensors for a placement of the board.
    init(_ placement: Placement, time: BootTime, plane: LocalTangentPlane, forces: LocalForces) {
        let positionENU = placement.positionENU
        guard let position = plane.position(ofENU: positionENU) else {
            preconditionFailure("the path is finite")
        }
        let attitude = placement.attitude
        let rotationENUFromBody = attitude.rotationENUFromBody
        let rotationBodyFromENU = rotationENUFromBody.inverse
        let angularVelocity = attitude.angularVelocityInBody
        let velocityENU = placement.velocityENU
        let accelerationENU = placement.accelerationENU
        let forceENU =
            accelerationENU - forces.gravityENU(at: positionENU) - forces.coriolisAccelerationENU(velocityENU)
        self.init(
            time: time, position: position, positionENU: positionENU, velocityENU: velocityENU,
            accelerationENU: accelerationENU, rotationENUFromBody: rotationENUFromBody,
            angularVelocityInBody: angularVelocity,
            angularRateInBody: angularVelocity + rotationBodyFromENU * forces.earthRateENU,
            specificForceInBody: rotationBodyFromENU * forceENU, heading: attitude.headingInFullCircle)
    }
}
