import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// Roll of labels over time: horizontal, and held where the horizontal is undefined.
///
/// Around a vertical line of sight the horizontal direction turns once on the display, so that no continuous function
/// of the attitude exists. Within a cone the label is held on the display; after it, the offset is removed at a fixed
/// rate in addition to the head's own motion. Each display has one.
public struct LabelRoll: Hashable, Sendable {
    /// Sine of the cone's half-angle around straight up and down: 10°, where the roll turns six times as fast as the
    /// head.
    private static let steepest = 0.1736
    /// Rate at which the offset is removed. Unit: rad/s.
    private static let returnRate = 3.0
    /// Greatest angular rate of a head; a faster change means that the cone was passed between two updates. Unit:
    /// rad/s.
    private static let fastestHead = 12.0

    private var time: BootTime?
    private var level = 0.0
    /// Offset of the shown roll from the horizontal one.
    private var offset = 0.0

    /// Roll before the first attitude.
    public init() {}

    /// Roll after a new attitude, counter-clockwise on the display, radians in [−π, π].
    public mutating func update(_ rotationSceneFromBody: Rotation3, at now: BootTime) -> Double {
        let before = Angle.wrapped(level + offset)
        let move = Angle.wrapped(Billboard.labelRoll(rotationSceneFromBody) - level)
        level = Angle.wrapped(level + move)
        guard let time else {
            self.time = now
            return level
        }
        let seconds = max(0, now.seconds(since: time))
        self.time = now
        let up = rotationSceneFromBody.inverse * Vector3(0, 1, 0)
        if hypot(up.x, up.y) < Self.steepest {
            offset = Angle.wrapped(before - level)
            return before
        }
        offset = Angle.wrapped(offset - move + Self.bounded(move, Self.fastestHead * seconds))
        offset -= Self.bounded(offset, Self.returnRate * seconds)
        return Angle.wrapped(level + offset)
    }

    private static func bounded(_ angle: Double, _ most: Double) -> Double { min(max(angle, -most), most) }
}
