import Geometry
import Messages
import Model
import WaymarkInterface

/// Position and orientation of a source's sensor on the board.
package struct AidSensorMount: Equatable, Sendable {
    /// Rotation from the sensor's axes to the body's axes.
    private let rotationBodyFromSensor: Rotation3
    /// Position of the sensor. Frame: body. Unit: metres.
    private let leverArm: Vector3

    /// Creates the mount that a client declares. Without a declaration, the sensor has the axes and position of the
    /// board.
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

    /// Returns the board's pose, given the sensor's pose. Both poses are in the source's own frame.
    package func board(
        position: Vector3, rotationOwnFromSensor: Rotation3
    ) -> (position: Vector3, rotationOwnFromBody: Rotation3) {
        let rotationOwnFromBody = rotationOwnFromSensor * rotationBodyFromSensor.inverse
        return (position - rotationOwnFromBody * leverArm, rotationOwnFromBody)
    }

    /// Returns a direction in body axes, given the direction in sensor axes.
    package func directionInBody(_ directionInSensor: Vector3) -> Vector3 { rotationBodyFromSensor * directionInSensor }
}

extension Rotation3 {
    /// Creates the rotation of a quaternion, whose length must be 1 within 1 %.
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
