import Geometry
import Glibc

/// Hint on the border of a display that points towards a placement out of view.
public struct OffscreenHint: Hashable, Sendable {
    /// Horizontal position, from −1 at the left border of the display to 1 at the right border.
    public var u: Double
    /// Vertical position, from −1 at the upper border of the display to 1 at the lower border.
    public var v: Double
    /// Rotation about the vertical that brings the placement into view, right positive. In radians; may exceed ±π by a
    /// margin (see `HintTracker`).
    public var turn: Double
    /// Rank among the hints of its display; 0 is the most important.
    public var order: Int
    /// Number of other placements in the direction of the hint that have no hint of their own.
    public var count: Int
    /// Room for the text of the hint; nil if there is none.
    public var box: HintBox?

    package init(u: Double, v: Double, turn: Double, order: Int = 0, count: Int = 0, box: HintBox? = nil) {
        self.u = u
        self.v = v
        self.turn = turn
        self.order = order
        self.count = count
        self.box = box
    }
}

/// Visibility of one placement on one display, and its hint while it is out of view.
///
/// Three hystereses avoid flickering:
/// - A visible placement stays visible up to the display's border. A placement with a hint becomes visible at the line
///   on which hints lie, where its mark replaces the hint.
/// - Within a cone straight behind the wearer, the direction of the shortest turn is ill-conditioned. The hint is then
///   held at the bottom until the placement is clearly outside the cone.
/// - The turn keeps its side when the placement passes straight behind the wearer, up to half of that cone.
///
/// The hint therefore jumps when the placement enters or leaves the cone, or leaves the display. Elsewhere it is
/// continuous.
public struct HintTracker: Hashable, Sendable {
    package var isVisible: Bool { shown ?? false }
    /// Visibility; nil before the first update, which has no hysteresis.
    private var shown: Bool?
    /// Whether the hint is held at the bottom of the display.
    public private(set) var isBehind = false
    private var turn: Double?

    /// Sine of 3°. For directions closer to the vertical, the heading is undefined.
    private static let steepest = 0.0523

    package init() {}

    /// Updates the visibility and the hint, and returns them. The hint is nil for a visible placement, and for a point
    /// at the eye.
    ///
    /// - Parameter upInBody: unit vector of the scene's up axis, about which the turn is measured. Frame: body.
    package mutating func update(
        pointInBody: Vector3, upInBody: Vector3, border: DisplayBorder, settings: SceneSettings.Placements
    ) -> (isVisible: Bool, hint: OffscreenHint?) {
        guard let direction = pointInBody.normalized else { return (isVisible, nil) }
        let isVisible = border.shows(direction, withinInner: shown == false)
        shown = isVisible
        updateBehind(direction, settings)
        let turn = updateTurn(direction, upInBody, settings)
        guard !isVisible else { return (true, nil) }
        let point = isBehind ? border.bottom : border.point(towards: direction)
        return (false, OffscreenHint(u: point.u, v: point.v, turn: turn))
    }

    private mutating func updateBehind(_ direction: Vector3, _ settings: SceneSettings.Placements) {
        let leave = max(settings.behindEnterDegrees, settings.behindLeaveDegrees)
        let cone = isBehind ? leave : settings.behindEnterDegrees
        let fromAntipode = atan2(hypot(direction.x, direction.y), direction.z)
        isBehind = fromAntipode <= Angle.radians(degrees: cone)
    }

    /// Updates the difference of azimuth between the direction and the line of sight. It is held while either of them
    /// is vertical.
    private mutating func updateTurn(
        _ direction: Vector3, _ up: Vector3, _ settings: SceneSettings.Placements
    ) -> Double {
        let sight = Vector3(0, 0, -1)
        let right = sight.cross(up)
        let levelShare = (direction - up * direction.dot(up)).norm
        guard right.norm > Self.steepest, levelShare > 1e-9 else { return turn ?? 0 }
        let wrapped = atan2(direction.dot(right), direction.dot(up.cross(right)))
        let continued = (turn ?? 0) + Angle.wrapped(wrapped - (turn ?? 0))
        let maximum = Double.pi + Angle.radians(degrees: settings.behindEnterDegrees)
        let next = continued.magnitude <= maximum ? continued : wrapped
        turn = next
        return next
    }
}
