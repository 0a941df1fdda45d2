import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// The axis of the body whose horizontal direction stands for that of the board, chosen by how the board hangs while its
/// wearer walks: up × this axis is the board's forward direction.
///
/// Worn as designed it is the body's x axis, so that forward is the line of sight of glasses and the top of a telephone
/// held flat. Where that axis is steep it is an upright board's y axis, and forward is the line of sight.
package struct BoardReference: Sendable {
    /// Frame: body.
    package private(set) var axis = Vector3(1, 0, 0)
    /// Azimuth that is added, so that forward stays where it was when another axis took over. Unit: radians.
    package private(set) var offset = 0.0
    /// Up over the last steps, shorter than 1 the more it changed. Frame: body.
    package private(set) var up: Vector3?
    /// The same when the board was last put into its present place.
    private var home: Vector3?

    package init() {}

    package enum Change: Sendable {
        case none
        /// The board hangs in another way: what was known of its forward direction is void.
        case posture
    }

    /// How quickly the mean follows, a step.
    private static let share = 0.25
    /// Cosine of the change of posture that is another carriage: 50°.
    private static let sameCarriage = 0.64
    /// Sine of the steepness of the axis beyond which another takes its place: 49°.
    private static let steepest = 0.75

    /// Takes the mean axes over a step.
    package mutating func add(_ axes: BoardAxes) -> Change {
        guard let new = axes.up.normalized else { return .none }
        guard let before = up, let home else {
            up = new
            return settle(new)
        }
        // A board that is turned over passes through no direction: the mean is shorter meanwhile.
        let sum = before + (new - before) * Self.share
        guard let mean = sum.normalized else { return .none }
        up = sum
        if mean.dot(home) < Self.sameCarriage { return settle(mean) }
        if mean.dot(axis).magnitude > Self.steepest {
            let next = Self.axis(for: mean)
            offset = Angle.wrapped(offset + Self.azimuth(axes, axis) - Self.azimuth(axes, next))
            axis = next
        }
        return .none
    }

    private mutating func settle(_ mean: Vector3) -> Change {
        home = mean
        up = mean
        offset = 0
        axis = Self.axis(for: mean)
        return .posture
    }

    private static func azimuth(_ axes: BoardAxes, _ axis: Vector3) -> Double {
        let across = axes.direction(of: axis)
        return atan2(-across.y, across.x)
    }

    private static func axis(for up: Vector3) -> Vector3 {
        up.x.magnitude <= steepest ? Vector3(1, 0, 0) : Vector3(0, up.x > 0 ? -1 : 1, 0)
    }

    /// Whether the board hangs as it does on a head, on a chest or in a hand that holds it ahead: its x axis is level, and
    /// its y axis, its z axis or what lies between them points upwards.
    package var isAsDesigned: Bool {
        guard let up = up?.normalized else { return true }
        return up.x.magnitude < Self.levelSine && up.y > Self.leastY && up.z > Self.leastZ
    }

    /// 37°; a telephone in a hand is tilted to its side by up to 30°.
    private static let levelSine = 0.6
    /// 20° over the head; looking down by 37°.
    private static let leastY = -0.35
    private static let leastZ = -0.6
}
