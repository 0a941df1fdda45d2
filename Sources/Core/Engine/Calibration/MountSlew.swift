import Estimation
import Geometry

/// Slew of the published attitude from the axes of one mount to the axes of the next, about as fast as the slew of the
/// scene alignment, so that content does not jump.
///
/// The published body `b` is rotated relative to the body `B` of the filter by `E`, so that `R_b = R_B·E` and `ω_b =
/// Eᵀ·ω_B + ε` with the rate `ε` at which E returns to the identity. E starts as the rotation from the old axes to the
/// new axes.
///
/// Equation: docs/filter.md (64).
package struct MountSlew: Sendable, Codable {
    private var rotationBodyFromPublished = Rotation3.identity
    /// Angular rate of the published body relative to the body of the filter. Frame: published body. Unit: rad/s.
    private var rate = Vector3.zero
    /// Remaining angle. Unit: radians.
    package private(set) var angle = 0.0

    package init() {}

    /// Begins a slew by the rotation from the old body axes to the new axes.
    package mutating func begin(_ turn: Rotation3) {
        rotationBodyFromPublished = turn * rotationBodyFromPublished
        angle = rotationBodyFromPublished.log.norm
    }

    /// - Parameters:
    ///   - duration: duration of the step. Unit: seconds.
    ///   - bodyRate: angular rate of the body, which hides a part of the slew. Unit: rad/s.
    mutating func step(over duration: Double, rate bodyRate: Double, _ settings: PublicationSettings.Scene) {
        guard angle > 0 else { return rate = .zero }
        let limit = (settings.slewRate + settings.slewShareOfTurning * bodyRate) * duration
        guard duration > 0, limit < angle else { return finish(over: duration) }
        let back = rotationBodyFromPublished.log * -(limit / angle)
        // The axis of a rotation is the same in both frames.
        rotationBodyFromPublished = rotationBodyFromPublished * Rotation3.exp(back)
        rate = back / duration
        angle -= limit
    }

    private mutating func finish(over duration: Double) {
        guard duration > 0 else { return }
        rate = rotationBodyFromPublished.log * (-1 / duration)
        rotationBodyFromPublished = .identity
        angle = 0
    }

    @inline(__always)
    func published(_ rotationFromBody: Rotation3) -> Rotation3 {
        angle > 0 ? rotationFromBody * rotationBodyFromPublished : rotationFromBody
    }

    @inline(__always)
    func published(rate bodyRate: Vector3) -> Vector3 {
        angle > 0 || rate != .zero ? rotationBodyFromPublished.inverse * bodyRate + rate : bodyRate
    }

    /// Accuracy of the published yaw, whose error includes the remaining angle. Unit: radians.
    func uncertain(yaw: Double) -> Double { angle > 0 ? min(.pi, (yaw * yaw + angle * angle).squareRoot()) : yaw }
}
