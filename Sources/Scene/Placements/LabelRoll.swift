import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// The roll of labels in time: level, and held where level has no meaning.
///
/// Around straight up and straight down the level direction turns once on the display, so that no function of the attitude
/// alone is continuous there. Within the cone the label keeps its place on the display; after it, what it is off is brought
/// back at a fixed speed on top of the head's own motion. One for each display.
public struct LabelRoll: Hashable, Sendable {
    /// Half of the cone around straight up and down, as its sine: 10°, where the roll turns six times as fast as the head.
    private static let steepest = 0.1736
    /// With which it comes back. Unit: rad/s.
    private static let returnRate = 3.0
    /// No head turns faster; what does is the cone, passed between two updates. Unit: rad/s.
    private static let fastestHead = 12.0

    private var time: BootTime?
    private var level = 0.0
    /// What is shown is `level + offset`.
    private var offset = 0.0

    public init() {}

    /// Counter-clockwise on the display, radians in [−π, π].
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
