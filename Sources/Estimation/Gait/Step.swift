import Geometry

/// A step that was believed.
package struct Step: Sendable {
    /// By the model, before the scale. Unit: metres.
    package var length: Double
    /// Unit: seconds.
    package var duration: Double
    /// Mean velocity over the step against the velocity now, as the inertial sensors felt it. Frame: ENU. Unit: m/s.
    package var meanVelocityOffset: Vector3
    /// One of the two directions along the line of walking, with its standard deviation (radians). Frame: ENU.
    package var axis: (direction: Vector3, deviation: Double)?

    /// Mean of the body's reference axis over the stride that ends with it; nil where the present one is to be taken.
    /// Frame: ENU.
    package var across: Vector3?

    /// Way of the steps before it that did not count until this one, by the model before the scale and in the board's
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

    /// The same in a frame turned about up.
    func turned(by turn: Rotation2) -> Step {
        var step = self
        step.meanVelocityOffset = turn * meanVelocityOffset
        step.axis = axis.map { (turn * $0.direction, $0.deviation) }
        step.across = across.map { turn * $0 }
        step.credit = turn * credit
        return step
    }

    /// By the model. Unit: m/s.
    package var speed: Double { length / duration }
}
