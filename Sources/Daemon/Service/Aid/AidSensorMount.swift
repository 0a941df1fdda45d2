import Geometry
import Messages
import Model
import WaymarkInterface

/// Where the sensor of a source is mounted on the board, and how.
package struct AidSensorMount: Equatable, Sendable {
    /// Rotation of the sensor's axes into those of the body.
    private let rotationBodyFromSensor: Rotation3
    /// Position of the sensor. Frame: body. Unit: metres.
    private let leverArm: Vector3

    /// Mount that a client declares; without one, axes and position are those of the board.
    package init(_ message: AidInterface.AidMount?) throws(AidInterface.Failure) {
        rotationBodyFromSensor =
            if let rotation = message?.rotation {
                try Rotation3(rotation, "bodyFromSensor.rotation")
            } else {
                .identity
            }
        leverArm = message?.leverArm.map(Vector3.init) ?? .zero
        guard leverArm.norm <= MeasurementRange.leverArm else { throw .outOfRange(field: "bodyFromSensor.leverArm") }
    }

    /// Pose of the board where the sensor's is known, both in the sensor's own frame.
    package func board(
        position: Vector3, rotationOwnFromSensor: Rotation3
    ) -> (position: Vector3, rotationOwnFromBody: Rotation3) {
        let rotationOwnFromBody = rotationOwnFromSensor * rotationBodyFromSensor.inverse
        return (position - rotationOwnFromBody * leverArm, rotationOwnFromBody)
    }

    /// Direction in axes of the body where it is known in those of the sensor.
    package func directionInBody(_ directionInSensor: Vector3) -> Vector3 { rotationBodyFromSensor * directionInSensor }
}

extension Rotation3 {
    /// Rotation of a quaternion that has a length of 1, within 1 %.
    ///
    /// - Parameter field: name of the parameter, for the error.
    init(_ message: AidInterface.Quaternion, _ field: String) throws(AidInterface.Failure) {
        let squares = message.w * message.w + message.x * message.x + message.y * message.y + message.z * message.z
        guard (0.99...1.01).contains(squares.squareRoot()),
            let rotation = Rotation3(w: message.w, x: message.x, y: message.y, z: message.z)
        else { throw .invalidRotation(field: field) }
        self = rotation
    }
}
