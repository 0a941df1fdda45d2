#if canImport(Glibc)
    import Glibc
#endif

/// How the exponential map answers to a small change of the rotation vector.
///
/// Source: Solà, Deray, Atchuthan, 2018, equations (143) to (146).
extension Rotation3 {
    /// `exp(θ + δ) ≈ exp(θ) · exp(rightJacobian(θ)·δ)`.
    @inlinable
    public static func rightJacobian(_ rotationVector: Vector3) -> Matrix<3, 3> { leftJacobian(-rotationVector) }

    /// `exp(θ + δ) ≈ exp(leftJacobian(θ)·δ) · exp(θ)`.
    @inlinable
    public static func leftJacobian(_ rotationVector: Vector3) -> Matrix<3, 3> {
        let angle = rotationVector.norm
        let square = angle * angle
        // Below 0.01 rad the series to the second term is exact to 1e-11.
        let first = angle < 0.01 ? 0.5 - square / 24 : (1 - cos(angle)) / square
        let second = angle < 0.01 ? 1.0 / 6 - square / 120 : (angle - sin(angle)) / (square * angle)
        return combination(rotationVector, first, second)
    }

    /// `log(exp(θ) · exp(δ)) ≈ θ + inverseRightJacobian(θ)·δ`, for lengths of θ below 2π.
    @inlinable
    public static func inverseRightJacobian(_ rotationVector: Vector3) -> Matrix<3, 3> {
        inverseLeftJacobian(-rotationVector)
    }

    /// `log(exp(δ) · exp(θ)) ≈ θ + inverseLeftJacobian(θ)·δ`, for lengths of θ below 2π.
    @inlinable
    public static func inverseLeftJacobian(_ rotationVector: Vector3) -> Matrix<3, 3> {
        let angle = rotationVector.norm
        let square = angle * angle
        // (1 + cos)/sin is 1/tan(half): it goes smoothly through π.
        let second =
            angle < 0.01
            ? 1.0 / 12 + square / 720 : 1 / square - cos(angle / 2) / (2 * angle * sin(angle / 2))
        return combination(rotationVector, -0.5, second)
    }

    /// `1 + first·[θ]× + second·[θ]×²`.
    @inlinable
    static func combination(_ vector: Vector3, _ first: Double, _ second: Double) -> Matrix<3, 3> {
        let skew = Matrix<3, 3>.skew(vector)
        return Matrix<3, 3>.identity + first * skew + second * (skew * skew)
    }
}
