import Geometry

/// Accepted step.
package struct Step: Sendable {
    /// Length by the model, before the scale. Unit: metres.
    package var length: Double
    /// Duration. Unit: seconds.
    package var duration: Double
    /// Mean velocity over the step less the velocity at its detection, by the inertial sensors. Frame: ENU. Unit: m/s.
    package var meanVelocityOffset: Vector3
    /// One of the two directions along the line of walking, with its standard deviation (radians). Frame: ENU.
    package var axis: (direction: Vector3, deviation: Double)?

    /// Mean of the body's reference axis over the stride that ends with the step; nil for the present axis. Frame: ENU.
    package var across: Vector3?

    /// Displacement by earlier steps that this one has confirmed, by the model before the scale and in the board's
    /// direction. Frame: ENU. Unit: metres.
    package var credit = Vector3.zero

    package init(
        length: Double, duration: Double, meanVelocityOffset: Vector3,
        axis: (direction: Vector3, deviation: Double)?
    ) {
        self.length = length
        self.duration = duration
        self.meanVelocityOffset = meanVelocityOffset
        self.axis = axis
    }

    /// Step in a frame rotated about up.
    func turned(by turn: Rotation2) -> Step {
        var step = self
        step.meanVelocityOffset = turn * meanVelocityOffset
        step.axis = axis.map { (turn * $0.direction, $0.deviation) }
        step.across = across.map { turn * $0 }
        step.credit = turn * credit
        return step
    }

    /// Speed by the model, before the scale. Unit: m/s.
    package var speed: Double { length / duration }
}
