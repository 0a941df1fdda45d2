#if canImport(Glibc)
    import Glibc
#endif

/// A turn about the vertical with its cosine and sine worked out, for many vectors.
@frozen
public struct LevelTurn: Hashable, Sendable {
    public let cosine: Double
    public let sine: Double

    @inlinable
    init(cosine: Double, sine: Double) {
        self.cosine = cosine
        self.sine = sine
    }

    /// Counter-clockwise seen from above. Unit: radians.
    @inlinable
    public init(yaw: Double) { self.init(cosine: cos(yaw), sine: sin(yaw)) }

    /// The turn that is nearest to a rotation, by `rotation.yawAboutZ` but without an angle.
    ///
    /// With z and w of the quaternion it is `(w² − z², 2wz)/(w² + z²)`, by the double angle.
    @inlinable
    public init(nearest rotation: Rotation3) {
        let square = rotation.w * rotation.w + rotation.z * rotation.z
        // A half-turn about a horizontal axis has no nearest one.
        guard square > 1e-300 else {
            self = LevelTurn(cosine: 1, sine: 0)
            return
        }
        self.init(
            cosine: (rotation.w * rotation.w - rotation.z * rotation.z) / square,
            sine: 2 * rotation.w * rotation.z / square)
    }

    /// By so much more, counter-clockwise: a few milliradians, to 1e-9 of it. Unit: radians.
    @inlinable
    public func turned(bySmall angle: Double) -> LevelTurn {
        let kept = 1 - angle * angle / 2
        return LevelTurn(cosine: cosine * kept - sine * angle, sine: sine * kept + cosine * angle)
    }

    public var inverse: LevelTurn {
        @inlinable get { LevelTurn(cosine: cosine, sine: -sine) }
    }

    @inlinable
    public static func * (turn: LevelTurn, v: Vector3) -> Vector3 {
        Vector3(turn.cosine * v.x - turn.sine * v.y, turn.sine * v.x + turn.cosine * v.y, v.z)
    }
}
