import Glibc

/// A rotation in the plane, SO(2), held as cosine and sine so that rotating a vector needs no trigonometry. Applied to
/// a vector in three dimensions, it rotates the horizontal part about an upward z axis.
@frozen
public struct Rotation2: Hashable, Sendable {
    /// Cosine of the angle.
    public let cosine: Double
    /// Sine of the angle, which counts counter-clockwise.
    public let sine: Double

    @inlinable
    init(cosine: Double, sine: Double) {
        self.cosine = cosine
        self.sine = sine
    }

    /// Rotation with exactly this cosine and sine, copied bit for bit from another rotation; nil unless their squares
    /// sum to one.
    package init?(exactly cosine: Double, _ sine: Double) {
        guard (cosine * cosine + sine * sine - 1).magnitude < 1e-6 else { return nil }
        self.init(cosine: cosine, sine: sine)
    }

    /// Rotation by an angle, counter-clockwise seen from above. Unit: radians.
    @inlinable
    public init(yaw: Double) { self.init(cosine: cos(yaw), sine: sin(yaw)) }

    /// Rotation about z that is nearest to a rotation in three dimensions. Its angle is `rotation.yawAboutZ`, but it is
    /// computed without trigonometry.
    ///
    /// With w and z of the quaternion, the double-angle formulas give the cosine and sine `(w² − z², 2wz)/(w² + z²)`.
    @inlinable
    public init(nearest rotation: Rotation3) {
        let square = rotation.w * rotation.w + rotation.z * rotation.z
        // A rotation by 180° about a horizontal axis has no nearest rotation about z.
        guard square > 1e-300 else {
            self = Rotation2(cosine: 1, sine: 0)
            return
        }
        self.init(
            cosine: (rotation.w * rotation.w - rotation.z * rotation.z) / square,
            sine: 2 * rotation.w * rotation.z / square)
    }

    /// Follows this rotation with a rotation by a small angle, using the second-order series. The error is of third
    /// order: 1e-9 rad for 2 mrad. Unit: radians, counter-clockwise.
    @inlinable
    public func turned(bySmall angle: Double) -> Rotation2 {
        let kept = 1 - angle * angle / 2
        return Rotation2(cosine: cosine * kept - sine * angle, sine: sine * kept + cosine * angle)
    }

    /// Rotation by the negative angle.
    public var inverse: Rotation2 {
        @inlinable get { Rotation2(cosine: cosine, sine: -sine) }
    }

    /// Rotates a vector in the plane.
    @inlinable
    public static func * (rotation: Rotation2, v: Vector2) -> Vector2 {
        Vector2(rotation.cosine * v.x - rotation.sine * v.y, rotation.cosine * v.y + rotation.sine * v.x)
    }

    /// Rotates the horizontal part of a vector about z, and leaves z as it is.
    @inlinable
    public static func * (rotation: Rotation2, v: Vector3) -> Vector3 {
        Vector3(
            rotation.cosine * v.x - rotation.sine * v.y, rotation.sine * v.x + rotation.cosine * v.y, v.z)
    }
}

/// Conversions and normal forms of angles, which are in radians except at external interfaces.
public enum Angle {
    /// Converts degrees to radians.
    @inlinable
    public static func radians(degrees: Double) -> Double { degrees * (.pi / 180) }

    /// Converts radians to degrees.
    @inlinable
    public static func degrees(radians: Double) -> Double { radians * (180 / .pi) }

    /// The angle in [−π, π] that has the same direction.
    @inlinable
    public static func wrapped(_ angle: Double) -> Double {
        angle.magnitude <= .pi ? angle : remainder(angle, 2 * .pi)
    }

    /// The angle in [0, 2π) that has the same direction.
    @inlinable
    public static func positive(_ angle: Double) -> Double {
        let wrapped = Self.wrapped(angle)
        // The sum of a tiny negative angle and 2π is rounded to 2π itself.
        let shifted = wrapped < 0 ? wrapped + 2 * .pi : wrapped
        return shifted < 2 * .pi ? shifted : 0
    }
}
