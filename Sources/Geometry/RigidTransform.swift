/// A rigid motion in three dimensions, SE(3): first the rotation, then the translation.
///
/// Name variables target from source: `transformENUFromScene * pointInScene` is the point in ENU.
@frozen
public struct RigidTransform: Hashable, Sendable {
    public var rotation: Rotation3
    /// Of the source's origin. Frame: target. Unit: metres.
    public var translation: Vector3

    @inlinable
    public init(rotation: Rotation3, translation: Vector3) {
        self.rotation = rotation
        self.translation = translation
    }

    public static let identity = RigidTransform(rotation: .identity, translation: .zero)

    @inlinable
    public var inverse: RigidTransform {
        let back = rotation.inverse
        return RigidTransform(rotation: back, translation: -(back * translation))
    }

    @inlinable
    public static func * (a: RigidTransform, b: RigidTransform) -> RigidTransform {
        RigidTransform(rotation: a.rotation * b.rotation, translation: a.rotation * b.translation + a.translation)
    }

    /// The motion of a point; distances stay.
    @inlinable
    public static func * (transform: RigidTransform, point: Vector3) -> Vector3 {
        transform.rotation * point + transform.translation
    }
}
