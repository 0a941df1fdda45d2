import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Where on the border of a display it is hinted at something that the display does not show.
public struct OffscreenHint: Hashable, Sendable {
    /// Across from −1 at the left border to 1 at the right one, and down from −1 to 1.
    public var u: Double
    public var v: Double
    /// About the vertical alone, right positive. Radians, up to a margin beyond ±π: see `HintTracker`.
    public var turn: Double
    /// Among the hints of its display, from the most important one, 0.
    public var order: Int
    /// Other things that lie in its direction and have no hint of their own.
    public var count: Int

    public init(u: Double, v: Double, turn: Double, order: Int = 0, count: Int = 0) {
        self.u = u
        self.v = v
        self.turn = turn
        self.order = order
        self.count = count
    }
}

/// The rectangle of a display and the one within it on which hints lie.
struct DisplayBorder {
    /// Tangents of half the fields of view.
    private let tangent: (x: Double, y: Double)
    /// Half width and half height of the inner rectangle. Unit: half the display's height.
    let inner: (x: Double, y: Double)
    let aspect: Double

    /// - Parameter inset: what hints leave free, as a share of the display's height.
    init(_ camera: Camera, inset: Double) {
        aspect = camera.aspect
        let across = tan(camera.horizontalFieldOfView / 2)
        tangent = (across, across / aspect)
        // In units of half the height; of a narrow display a tenth is left.
        let margin = min(2 * max(0, inset), 0.9 * min(1, aspect))
        inner = (aspect - margin, 1 - margin)
    }

    /// Whether a direction falls onto the display, or into its inner rectangle. Frame: body.
    func shows(_ direction: Vector3, withinInner: Bool) -> Bool {
        guard direction.z < 0 else { return false }
        let share = withinInner ? (x: inner.x / aspect, y: inner.y) : (x: 1, y: 1)
        return direction.x.magnitude <= -direction.z * tangent.x * share.x
            && direction.y.magnitude <= -direction.z * tangent.y * share.y
    }

    var bottom: (u: Double, v: Double) { (0, inner.y) }

    /// The point of the inner rectangle's edge towards which the shortest turn to a direction goes. Frame: body.
    ///
    /// The great circle from the line of sight to d leaves towards `(d_x, d_y)`, for what is ahead and behind alike. A
    /// projection would divide by −d_z and so lead away from all that is behind.
    func point(towards direction: Vector3) -> (u: Double, v: Double) {
        let length = hypot(direction.x, direction.y)
        guard length > 0 else { return bottom }
        let (right, down) = (direction.x / length, -direction.y / length)
        let reach = min(inner.x / right.magnitude, inner.y / down.magnitude)
        return (right * reach / aspect, down * reach)
    }
}
