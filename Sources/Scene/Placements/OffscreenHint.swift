import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Hint on the border of a display towards a placement out of view.
public struct OffscreenHint: Hashable, Sendable {
    /// Horizontal position, from −1 at the left border to 1 at the right one.
    public var u: Double
    /// Vertical position, from −1 at the upper border to 1 at the lower one.
    public var v: Double
    /// Turn about the vertical that brings the placement into view, right positive. Radians, up to a margin beyond ±π:
    /// see `HintTracker`.
    public var turn: Double
    /// Rank among the hints of its display, 0 is the most important.
    public var order: Int
    /// Number of other placements in its direction that have no hint of their own.
    public var count: Int

    /// Hint with the given properties; the turn in radians.
    public init(u: Double, v: Double, turn: Double, order: Int = 0, count: Int = 0) {
        self.u = u
        self.v = v
        self.turn = turn
        self.order = order
        self.count = count
    }
}

/// Border of a display and the inner rectangle on which hints lie.
struct DisplayBorder {
    /// Tangents of half the fields of view.
    private let tangent: (x: Double, y: Double)
    /// Half width and half height of the inner rectangle. Unit: half the display's height.
    let inner: (x: Double, y: Double)
    let aspect: Double

    /// - Parameter inset: distance of hints from the border, as a share of the display's height.
    init(_ camera: Camera, inset: Double) {
        aspect = camera.aspect
        let across = tan(camera.horizontalFieldOfView / 2)
        tangent = (across, across / aspect)
        // In units of half the height; on a narrow display at least a tenth remains.
        let margin = min(2 * max(0, inset), 0.9 * min(1, aspect))
        inner = (aspect - margin, 1 - margin)
    }

    /// Whether a direction is on the display, or in its inner rectangle. Frame: body.
    func shows(_ direction: Vector3, withinInner: Bool) -> Bool {
        guard direction.z < 0 else { return false }
        let share = withinInner ? (x: inner.x / aspect, y: inner.y) : (x: 1, y: 1)
        return direction.x.magnitude <= -direction.z * tangent.x * share.x
            && direction.y.magnitude <= -direction.z * tangent.y * share.y
    }

    var bottom: (u: Double, v: Double) { (0, inner.y) }

    /// Point on the inner rectangle in the direction of the shortest turn. Frame: body.
    ///
    /// The great circle from the line of sight to d leaves towards `(d_x, d_y)`, for directions ahead and behind alike.
    /// A perspective projection would divide by −d_z and point away from what is behind.
    func point(towards direction: Vector3) -> (u: Double, v: Double) {
        let length = hypot(direction.x, direction.y)
        guard length > 0 else { return bottom }
        let (right, down) = (direction.x / length, -direction.y / length)
        let reach = min(inner.x / right.magnitude, inner.y / down.magnitude)
        return (right * reach / aspect, down * reach)
    }
}
