import Glibc

/// A rotation in three dimensions, SO(3), held as a unit quaternion (Hamilton, w + xi + yj + zk).
///
/// Name variables target from source and read them right to left:
/// `rotationSceneFromBody * forceInBody` is the force in the scene.
///
/// Source: Solà, Deray, Atchuthan, "A micro Lie theory for state estimation in robotics", 2018, appendix B.
@frozen
public struct Rotation3: Hashable, Sendable {
    /// Scalar part of the quaternion: the cosine of half the angle.
    public let w: Double
    /// Coefficient of i: the x component of the axis, times the sine of half the angle.
    public let x: Double
    /// Coefficient of j.
    public let y: Double
    /// Coefficient of k.
    public let z: Double

    @inlinable
    init(unchecked w: Double, _ x: Double, _ y: Double, _ z: Double) {
        self.w = w
        self.x = x
        self.y = y
        self.z = z
    }

    /// Identity rotation.
    @inlinable
    public static var identity: Rotation3 { Rotation3(unchecked: 1, 0, 0, 0) }

    /// Makes the rotation of a quaternion of any length; nil for a quaternion that is zero or not finite.
    @inlinable
    public init?(w: Double, x: Double, y: Double, z: Double) {
        let norm = (w * w + x * x + y * y + z * z).squareRoot()
        guard norm > 1e-150, norm.isFinite else { return nil }
        self.init(unchecked: w / norm, x / norm, y / norm, z / norm)
    }

    /// Rotation with exactly these components, copied bit for bit from another rotation; nil unless their squares sum
    /// to one.
    package init?(exactly w: Double, _ x: Double, _ y: Double, _ z: Double) {
        guard (w * w + x * x + y * y + z * z - 1).magnitude < 1e-6 else { return nil }
        self.init(unchecked: w, x, y, z)
    }

    /// Exponential map of a rotation vector (radians), equation (132).
    @inlinable
    @inline(__always)
    public static func exp(_ rotationVector: Vector3) -> Rotation3 {
        let square = rotationVector.squaredNorm
        // Up to 0.1 rad, which rotations between two inertial samples do not exceed, the series are exact to the last
        // bit or two.
        guard square > 0.01 else { return expBySeries(rotationVector, square / 4) }
        let angle = square.squareRoot()
        let factor = sin(angle / 2) / angle
        return Rotation3(
            unchecked: cos(angle / 2), factor * rotationVector.x, factor * rotationVector.y, factor * rotationVector.z
        ).renormalized
    }

    /// Exponential map by the series of cos(a/2) and sin(a/2)/a to the eighth power of a/2.
    @inlinable
    @inline(__always)
    static func expBySeries(_ rotationVector: Vector3, _ h: Double) -> Rotation3 {
        let cosine = 1 - h * (1.0 / 2 - h * (1.0 / 24 - h * (1.0 / 720 - h / 40320)))
        let factor = 0.5 - h * (1.0 / 12 - h * (1.0 / 240 - h * (1.0 / 10080 - h / 725_760)))
        return Rotation3(
            unchecked: cosine, factor * rotationVector.x, factor * rotationVector.y, factor * rotationVector.z)
    }

    /// Rotation by an angle (radians, right-handed) about an axis.
    @inlinable
    public static func about(_ axis: Vector3, by angle: Double) -> Rotation3 {
        exp((axis.normalized ?? .zero) * angle)
    }

    /// Logarithm: the rotation vector (radians, length ≤ π), equation (133).
    @inlinable
    public var log: Vector3 {
        let imaginary = Vector3(x, y, z)
        let length = imaginary.norm
        guard length > 1e-12 else { return imaginary * (w < 0 ? -2 : 2) }
        // The quaternion and its negative represent the same rotation: take the one with w ≥ 0.
        let angle = 2 * (w < 0 ? atan2(-length, -w) : atan2(length, w))
        return imaginary * (angle / length)
    }

    /// Inverse rotation: the conjugate of the unit quaternion.
    @inlinable
    public var inverse: Rotation3 { Rotation3(unchecked: w, -x, -y, -z) }

    /// This quaternion, corrected to length 1 by one step of Newton's method. One step suffices after a product of two
    /// unit quaternions.
    @inlinable
    var renormalized: Rotation3 {
        let scale = 0.5 * (3 - (w * w + x * x + y * y + z * z))
        return Rotation3(unchecked: w * scale, x * scale, y * scale, z * scale)
    }

    /// Composition: first `b`, then `a`.
    @inlinable
    @inline(__always)
    public static func * (a: Rotation3, b: Rotation3) -> Rotation3 {
        Rotation3(
            unchecked: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w
        ).renormalized
    }

    /// Rotates a vector, without computing the rotation matrix.
    @inlinable
    @inline(__always)
    public static func * (rotation: Rotation3, v: Vector3) -> Vector3 {
        let u = Vector3(rotation.x, rotation.y, rotation.z)
        let t = 2 * u.cross(v)
        return v + rotation.w * t + u.cross(t)
    }
}

extension Rotation3 {
    /// Yaw: angle of the rotation about +z (up in ENU) that is nearest to this rotation. Unit: radians,
    /// counter-clockwise, in [−π, π].
    ///
    /// If `exp(z·yaw)` is split off as the left factor, the remaining factor is a tilt about a horizontal axis.
    @inlinable
    public var yawAboutZ: Double { Angle.wrapped(2 * atan2(z, w)) }

    /// Rotation about +z by an angle in radians, counter-clockwise seen from above.
    @inlinable
    public static func aboutZ(_ angle: Double) -> Rotation3 {
        exp(Vector3(0, 0, angle))
    }
}

extension Rotation3 {
    /// Rotation matrix, equation (131): `matrix * v == self * v`.
    @inlinable
    public var matrix: Matrix<3, 3> {
        @inline(__always) get {
            let xx = x * x
            let yy = y * y
            let zz = z * z
            return Matrix<3, 3>(
                Vector3(1 - 2 * (yy + zz), 2 * (x * y - w * z), 2 * (x * z + w * y)),
                Vector3(2 * (x * y + w * z), 1 - 2 * (xx + zz), 2 * (y * z - w * x)),
                Vector3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (xx + yy)))
        }
    }

    /// Makes the rotation of an orthonormal right-handed matrix.
    ///
    /// - Parameters:
    ///   - m: rotation matrix, which acts on column vectors.
    ///   - tolerance: largest accepted magnitude of an element of `M·Mᵀ − 1`.
    /// - Returns: nil for a matrix that is not orthonormal within the tolerance, or is a reflection.
    ///
    /// Source: Shepperd, "Quaternion from rotation matrix", J. Guidance and Control 1(3), 1978: the largest of the four
    /// components is computed first, so that nothing is divided by a small component.
    public init?(matrix m: Matrix<3, 3>, tolerance: Double = 1e-6) {
        let product = m * m.transpose
        for i in 0..<3 {
            for j in 0..<3 {
                guard (product[i, j] - (i == j ? 1 : 0)).magnitude <= tolerance else { return nil }
            }
        }
        guard m.determinant > 0 else { return nil }
        let trace = m[0, 0] + m[1, 1] + m[2, 2]
        let fourSquares = Vector3(
            1 + 2 * m[0, 0] - trace, 1 + 2 * m[1, 1] - trace, 1 + 2 * m[2, 2] - trace)
        if trace >= max(m[0, 0], m[1, 1], m[2, 2]) {
            self.init(w: 1 + trace, x: m[2, 1] - m[1, 2], y: m[0, 2] - m[2, 0], z: m[1, 0] - m[0, 1])
        } else if m[0, 0] >= max(m[1, 1], m[2, 2]) {
            self.init(w: m[2, 1] - m[1, 2], x: fourSquares.x, y: m[0, 1] + m[1, 0], z: m[0, 2] + m[2, 0])
        } else if m[1, 1] >= m[2, 2] {
            self.init(w: m[0, 2] - m[2, 0], x: m[0, 1] + m[1, 0], y: fourSquares.y, z: m[1, 2] + m[2, 1])
        } else {
            self.init(w: m[1, 0] - m[0, 1], x: m[0, 2] + m[2, 0], y: m[1, 2] + m[2, 1], z: fourSquares.z)
        }
    }
}

/// Jacobians of the exponential map and of the logarithm, for rotation vectors in radians.
///
/// Source: Solà, Deray, Atchuthan, 2018, equations (143) to (146).
extension Rotation3 {
    /// Right Jacobian of the exponential map: `exp(θ + δ) ≈ exp(θ) · exp(rightJacobian(θ)·δ)`.
    @inlinable
    public static func rightJacobian(_ rotationVector: Vector3) -> Matrix<3, 3> { leftJacobian(-rotationVector) }

    /// Left Jacobian of the exponential map: `exp(θ + δ) ≈ exp(leftJacobian(θ)·δ) · exp(θ)`.
    @inlinable
    public static func leftJacobian(_ rotationVector: Vector3) -> Matrix<3, 3> {
        let angle = rotationVector.norm
        let square = angle * angle
        // Below 0.01 rad the series up to the second term is exact to 1e-11.
        let first = angle < 0.01 ? 0.5 - square / 24 : (1 - cos(angle)) / square
        let second = angle < 0.01 ? 1.0 / 6 - square / 120 : (angle - sin(angle)) / (square * angle)
        return combination(rotationVector, first, second)
    }

    /// Right Jacobian of the logarithm, for lengths of θ below 2π: `log(exp(θ) · exp(δ)) ≈ θ +
    /// inverseRightJacobian(θ)·δ`.
    @inlinable
    public static func inverseRightJacobian(_ rotationVector: Vector3) -> Matrix<3, 3> {
        inverseLeftJacobian(-rotationVector)
    }

    /// Left Jacobian of the logarithm, for lengths of θ below 2π: `log(exp(δ) · exp(θ)) ≈ θ +
    /// inverseLeftJacobian(θ)·δ`.
    @inlinable
    public static func inverseLeftJacobian(_ rotationVector: Vector3) -> Matrix<3, 3> {
        let angle = rotationVector.norm
        let square = angle * angle
        // (1 + cos)/sin equals 1/tan of half the angle, which is smooth at π.
        let second =
            angle < 0.01
            ? 1.0 / 12 + square / 720 : 1 / square - cos(angle / 2) / (2 * angle * sin(angle / 2))
        return combination(rotationVector, -0.5, second)
    }

    /// The matrix `1 + first·[θ]× + second·[θ]×²`.
    @inlinable
    static func combination(_ vector: Vector3, _ first: Double, _ second: Double) -> Matrix<3, 3> {
        let skew = Matrix<3, 3>.skew(vector)
        return Matrix<3, 3>.identity + first * skew + second * (skew * skew)
    }
}
