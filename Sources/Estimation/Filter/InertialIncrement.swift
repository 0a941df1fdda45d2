import Geometry

/// Motion over one inertial interval or several, free of corrections.
package struct InertialIncrement: Sendable {
    /// Rotation from the body at the end to the body at the begin.
    package var turn: Rotation3
    /// Displacement. Frame: ENU. Unit: metres.
    package var displacement: Vector3
    /// Length of the interval. Unit: seconds.
    package var duration: Double

    package static let none = InertialIncrement(turn: .identity, displacement: .zero, duration: 0)

    /// Appends the motion over the interval that follows.
    package mutating func add(_ next: InertialIncrement) {
        turn = turn * next.turn
        displacement += next.displacement
        duration += next.duration
    }
}
