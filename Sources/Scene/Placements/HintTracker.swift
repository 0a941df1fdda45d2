import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Whether a display shows a placement, and where it is hinted at if not; one for each placement and display.
///
/// Three hystereses keep it from flickering:
/// - What is shown stays so up to the display's border, and what is hinted at is shown again from the line of the hints on:
///   there its mark takes the place of its hint.
/// - Within a cone straight behind every way is as long, and the slightest motion would throw the hint from one side to the
///   other: it stays at the bottom, until the place is clearly out of the cone.
/// - The turn keeps its side past straight behind, up to half that cone.
///
/// So the hint leaps when the cone is entered or left and when a place leaves the display, and is continuous elsewhere.
public struct HintTracker: Hashable, Sendable {
    public var isVisible: Bool { shown ?? false }
    /// Nil before the first update, which goes by the display's border alone.
    private var shown: Bool?
    /// Whether the hint is held at the bottom.
    public private(set) var isBehind = false
    private var turn: Double?

    /// The sine of 3°: nearer to the vertical there is no heading, and nothing to turn from.
    private static let steepest = 0.0523

    public init() {}

    /// No hint while it is visible, nor for a point in the eye itself.
    ///
    /// - Parameter upInBody: the scene's up, of length 1; what the turn goes about.
    public mutating func update(
        pointInBody: Vector3, upInBody: Vector3 = Vector3(0, 1, 0), camera: Camera,
        settings: SceneSettings.Placements
    ) -> (isVisible: Bool, hint: OffscreenHint?) {
        update(
            pointInBody: pointInBody, upInBody: upInBody, border: DisplayBorder(camera, inset: settings.hintInset),
            settings: settings)
    }

    /// The same for a border that serves many placements.
    mutating func update(
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

    /// The difference of azimuths of the direction and of the line of sight, as long as both have one.
    private mutating func updateTurn(
        _ direction: Vector3, _ up: Vector3, _ settings: SceneSettings.Placements
    ) -> Double {
        let sight = Vector3(0, 0, -1)
        let right = sight.cross(up)
        let levelShare = (direction - up * direction.dot(up)).norm
        guard right.norm > Self.steepest, levelShare > 1e-9 else { return turn ?? 0 }
        let wrapped = atan2(direction.dot(right), direction.dot(up.cross(right)))
        let continued = (turn ?? 0) + Angle.wrapped(wrapped - (turn ?? 0))
        let most = Double.pi + Angle.radians(degrees: settings.behindEnterDegrees)
        let next = continued.magnitude <= most ? continued : wrapped
        turn = next
        return next
    }
}
