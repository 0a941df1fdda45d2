import Geometry

/// The motion over one inertial step.
package struct InertialIncrement: Sendable {
    /// Of the body within itself.
    package var turn: Rotation3
    /// Frame: ENU. Unit: metres.
    package var displacement: Vector3
    /// Unit: seconds.
    package var duration: Double

    package static let none = InertialIncrement(turn: .identity, displacement: .zero, duration: 0)

    /// Appends what followed.
    package mutating func add(_ next: InertialIncrement) {
        turn = turn * next.turn
        displacement += next.displacement
        duration += next.duration
    }
}
