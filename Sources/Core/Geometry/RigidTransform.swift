/// A rigid motion in three dimensions, SE(3): first the rotation, then the translation.
///
/// Name variables target from source: `transformENUFromScene * pointInScene` is the point in ENU.
@frozen
public struct RigidTransform: Hashable, Sendable {
    /// Rotation from the source frame to the target frame.
    public var rotation: Rotation3
    /// Position of the source's origin. Frame: target. Unit: metres.
    public var translation: Vector3

    /// Makes the motion `p ↦ rotation·p + translation`.
    @inlinable
    public init(rotation: Rotation3, translation: Vector3) {
        self.rotation = rotation
        self.translation = translation
    }

    /// Identity: leaves every point where it is.
    public static let identity = RigidTransform(rotation: .identity, translation: .zero)

    /// Inverse motion, from the target frame to the source frame.
    @inlinable
    public var inverse: RigidTransform {
        let back = rotation.inverse
        return RigidTransform(rotation: back, translation: -(back * translation))
    }

    /// Composition: first `b`, then `a`.
    @inlinable
    public static func * (a: RigidTransform, b: RigidTransform) -> RigidTransform {
        RigidTransform(rotation: a.rotation * b.rotation, translation: a.rotation * b.translation + a.translation)
    }

    /// Moves a point. Unit: metres.
    @inlinable
    public static func * (transform: RigidTransform, point: Vector3) -> Vector3 {
        transform.rotation * point + transform.translation
    }
}
