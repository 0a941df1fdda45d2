import Geometry

/// Transition of the errors of the motion over an interval, `e ← Φ·e`.
///
/// With S = ∫R dt, g = ∫R·f dt and the interval Δ:
///
///     δv′ = δv − g×(δθ − ½S·δb_g) − S·δb_a
///     δp′ = δp + ½Δ·(δv + δv′)
///     δθ′ = δθ − S·δb_g
///
/// Source: Solà 2017, equations (269) and (309), with the global attitude error, by the trapezoidal rule; neglected
/// terms are of third order in Δ.
///
/// Equations: docs/filter.md (9) to (11).
struct MotionTransition {
    /// S = ∫R dt. Unit: seconds.
    let rotation: Matrix<3, 3>
    /// g = ∫R·f dt. Frame: ENU. Unit: m/s.
    let force: Vector3
    /// Unit: seconds.
    let span: Double

    /// Elements of an error state, or of a column of the covariance, that take part in the motion.
    struct Errors {
        var attitude: Vector3
        var velocity: Vector3
        var position: Vector3
        var gyroBias: Vector3
        var accelerometerBias: Vector3
    }

    @inline(__always)
    init(rotation: Matrix<3, 3>, force: Vector3, span: Double) {
        self.rotation = rotation
        self.force = force
        self.span = span
    }

    /// Errors at the end of the interval.
    @inline(__always)
    func carry(_ errors: Errors) -> Errors {
        let turned = rotation * errors.gyroBias
        let mean = errors.attitude - turned * 0.5
        var carried = errors
        carried.attitude = errors.attitude - turned
        carried.velocity = errors.velocity - force.cross(mean) - rotation * errors.accelerometerBias
        carried.position = errors.position + (errors.velocity + carried.velocity) * (0.5 * span)
        return carried
    }
}
