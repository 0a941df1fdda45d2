import Geometry

/// Accepted step.
package struct Step: Sendable, Codable {
    /// Modelled length, before the scale. Unit: metres.
    package var length: Double
    /// Duration. Unit: seconds.
    package var duration: Double
    /// Mean velocity over the step minus the velocity when the step was detected, computed from the inertial sensors.
    /// Frame: ENU. Unit: m/s.
    package var meanVelocityOffset: Vector3
    /// Walking axis, in one of its two directions, with its standard deviation (radians). Frame: ENU.
    package var axis: Axis?

    /// Mean of the body's reference axis over the stride that ends with this step; nil if the current axis is to be
    /// used. Frame: ENU.
    package var across: Vector3?

    /// Modelled displacement of earlier steps that this step has confirmed, before the scale and in the board's
    /// direction. Frame: ENU. Unit: metres.
    package var credit = Vector3.zero

    package struct Axis: Sendable, Codable {
        package var direction: Vector3
        package var standardDeviation: Double
    }

    package init(
        length: Double, duration: Double, meanVelocityOffset: Vector3,
        axis: Axis?
    ) {
        self.length = length
        self.duration = duration
        self.meanVelocityOffset = meanVelocityOffset
        self.axis = axis
    }

    /// Returns the step in a frame that is rotated about up.
    package func turned(by turn: Rotation2) -> Step {
        var step = self
        step.meanVelocityOffset = turn * meanVelocityOffset
        step.axis = axis.map { Axis(direction: turn * $0.direction, standardDeviation: $0.standardDeviation) }
        step.across = across.map { turn * $0 }
        step.credit = turn * credit
        return step
    }

    /// Modelled speed, before the scale. Unit: m/s.
    package var speed: Double { length / duration }
}

/// Inertial motion since a reference time. It is stored as integrals, so that an earlier part can be subtracted.
package struct StepMotion: Sendable, Codable {
    /// Length of the interval. Unit: seconds.
    package private(set) var duration = 0.0
    /// Velocity change since the reference time. Frame: ENU. Unit: m/s.
    package private(set) var velocityChange = Vector3.zero
    /// Integral of the velocity change. Frame: ENU. Unit: metres.
    package private(set) var displacement = Vector3.zero
    /// Integral of the squared angular rate. Unit: rad²/s.
    private var turning = 0.0
    /// Integral of the smoothed acceleration. Frame: ENU. Unit: m/s.
    private var sum = Vector3.zero
    /// Integral of the squared horizontal norm of the smoothed acceleration. Unit: m²/s³.
    private var horizontalSquare = 0.0
    /// Integral of the squared vertical component of the smoothed acceleration. Unit: m²/s³.
    private var verticalSquare = 0.0
    /// Integral of the body's axes. Unit: seconds.
    package private(set) var axes = BoardAxes()

    mutating func add(_ sample: GaitSample, smoothed: Vector3, over interval: Double) {
        let acceleration = sample.acceleration
        axes.add(sample.rotationENUFromBody, over: interval)
        displacement += (velocityChange + acceleration * (interval / 2)) * interval
        velocityChange += acceleration * interval
        duration += interval
        turning += sample.rate.squaredNorm * interval
        sum += smoothed * interval
        horizontalSquare += (smoothed.x * smoothed.x + smoothed.y * smoothed.y) * interval
        verticalSquare += smoothed.z * smoothed.z * interval
    }

    /// Rotates all vectors when the ENU frame is rotated about up.
    mutating func turn(by turn: Rotation2) {
        velocityChange = turn * velocityChange
        displacement = turn * displacement
        sum = turn * sum
        axes.turn(by: turn)
    }

    /// Returns the motion that remains after its first part, `first`, is subtracted.
    func since(_ first: StepMotion) -> StepMotion {
        var result = self
        result.duration -= first.duration
        result.velocityChange -= first.velocityChange
        result.displacement -= first.displacement + first.velocityChange * result.duration
        result.turning -= first.turning
        result.axes -= first.axes
        result.sum -= first.sum
        result.horizontalSquare -= first.horizontalSquare
        result.verticalSquare -= first.verticalSquare
        return result
    }

    /// Mean velocity minus the velocity at the start. Frame: ENU. Unit: m/s.
    var meanVelocityChange: Vector3 { duration > 0 ? displacement / duration : .zero }

    /// Returns the motion over this interval and the next together.
    func followed(by next: StepMotion) -> StepMotion {
        var result = self
        result.displacement += velocityChange * next.duration + next.displacement
        result.velocityChange += next.velocityChange
        result.duration += next.duration
        result.turning += next.turning
        result.axes += next.axes
        result.sum += next.sum
        result.horizontalSquare += next.horizontalSquare
        result.verticalSquare += next.verticalSquare
        return result
    }

    /// Amplitude, from trough to peak, of a sine that has the same variance as the vertical acceleration: √8 standard
    /// deviations. Unit: m/s².
    var verticalAmplitude: Double {
        guard duration > 0 else { return 0 }
        return (8 * max(0, verticalSquare - sum.z * sum.z / duration) / duration).squareRoot()
    }

    /// Root mean square of the angular rate. Unit: rad/s.
    var rotationRate: Double { duration > 0 ? (max(0, turning) / duration).squareRoot() : 0 }

    /// Ratio of the horizontal to the vertical oscillation.
    var horizontalShare: Double {
        guard duration > 0 else { return 0 }
        let horizontal = horizontalSquare - (sum.x * sum.x + sum.y * sum.y) / duration
        let vertical = verticalSquare - sum.z * sum.z / duration
        return (max(0, horizontal) / max(vertical, 1e-9)).squareRoot()
    }
}
