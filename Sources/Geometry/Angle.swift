#if canImport(Glibc)
    import Glibc
#endif

/// Angles in radians.
public enum Angle {
    @inlinable
    public static func radians(degrees: Double) -> Double { degrees * (.pi / 180) }

    @inlinable
    public static func degrees(radians: Double) -> Double { radians * (180 / .pi) }

    /// The same direction in [−π, π].
    @inlinable
    public static func wrapped(_ angle: Double) -> Double {
        angle.magnitude <= .pi ? angle : remainder(angle, 2 * .pi)
    }

    /// The same direction in [0, 2π).
    @inlinable
    public static func positive(_ angle: Double) -> Double {
        let wrapped = Self.wrapped(angle)
        // A tiny negative angle plus 2π rounds to 2π itself.
        let shifted = wrapped < 0 ? wrapped + 2 * .pi : wrapped
        return shifted < 2 * .pi ? shifted : 0
    }
}

extension Rotation3 {
    /// The turn about +z (up in ENU), counter-clockwise, that is nearest to this rotation. Radians in [−π, π].
    ///
    /// With `exp(z·yaw)` split off to the left, what remains is a tilt about a horizontal axis.
    @inlinable
    public var yawAboutZ: Double { Angle.wrapped(2 * atan2(z, w)) }

    /// Rotation about +z by an angle in radians, counter-clockwise seen from above.
    @inlinable
    public static func aboutZ(_ angle: Double) -> Rotation3 {
        exp(Vector3(0, 0, angle))
    }
}
