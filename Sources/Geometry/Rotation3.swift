#if canImport(Glibc)
    import Glibc
#endif

/// A rotation in three dimensions, SO(3), held as a unit quaternion (Hamilton, w + xi + yj + zk).
///
/// Name variables target from source and read them right to left:
/// `rotationSceneFromBody * forceInBody` is the force in the scene.
///
/// Source: Solà, Deray, Atchuthan, "A micro Lie theory for state estimation in robotics", 2018, appendix B.
@frozen
public struct Rotation3: Hashable, Sendable {
    public let w: Double
    public let x: Double
    public let y: Double
    public let z: Double

    @inlinable
    init(unchecked w: Double, _ x: Double, _ y: Double, _ z: Double) {
        self.w = w
        self.x = x
        self.y = y
        self.z = z
    }

    @inlinable
    public static var identity: Rotation3 { Rotation3(unchecked: 1, 0, 0, 0) }

    /// The rotation of a quaternion, brought to length 1; nil where it has no finite direction.
    @inlinable
    public init?(w: Double, x: Double, y: Double, z: Double) {
        let norm = (w * w + x * x + y * y + z * z).squareRoot()
        guard norm > 1e-150, norm.isFinite else { return nil }
        self.init(unchecked: w / norm, x / norm, y / norm, z / norm)
    }

    /// Exponential map of a rotation vector (radians), equation (132).
    @inlinable
    @inline(__always)
    public static func exp(_ rotationVector: Vector3) -> Rotation3 {
        let square = rotationVector.squaredNorm
        // Up to 0.1 rad, which is what an inertial step turns, the series are exact to the last bit or two.
        guard square > 0.01 else { return expBySeries(rotationVector, square / 4) }
        let angle = square.squareRoot()
        let factor = sin(angle / 2) / angle
        return Rotation3(
            unchecked: cos(angle / 2), factor * rotationVector.x, factor * rotationVector.y, factor * rotationVector.z
        ).renormalized
    }

    /// By the series of cos(a/2) and sin(a/2)/a to the eighth power of a/2.
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
        // The quaternion and its negative are one rotation: take the half-turn with w ≥ 0.
        let angle = 2 * (w < 0 ? atan2(-length, -w) : atan2(length, w))
        return imaginary * (angle / length)
    }

    @inlinable
    public var inverse: Rotation3 { Rotation3(unchecked: w, -x, -y, -z) }

    /// One step of Newton's method for 1/√n: enough after a product of two unit quaternions.
    @inlinable
    var renormalized: Rotation3 {
        let scale = 0.5 * (3 - (w * w + x * x + y * y + z * z))
        return Rotation3(unchecked: w * scale, x * scale, y * scale, z * scale)
    }

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

    @inlinable
    @inline(__always)
    public static func * (rotation: Rotation3, v: Vector3) -> Vector3 {
        let u = Vector3(rotation.x, rotation.y, rotation.z)
        let t = 2 * u.cross(v)
        return v + rotation.w * t + u.cross(t)
    }
}
