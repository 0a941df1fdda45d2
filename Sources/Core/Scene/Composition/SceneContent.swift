import Geometry
import Model

/// Scene at one instant, the same for all displays.
public struct SceneContent: Sendable {
    /// Time of the pose for which the scene was composed.
    public var time: BootTime
    /// Generation of the scene frame; positions of other generations are not comparable.
    public var generation: UInt32
    /// Position of the wearer's eye. Frame: scene. Unit: metres.
    public var eye: Vector3
    package var rotationSceneFromBody: Rotation3
    /// Heading of the line of sight, clockwise from true north; nil if it is unknown or the line of sight is vertical.
    /// Unit: radians.
    public var heading: Double?
    package var readiness: FrameReadiness
    package var route: RouteStatus?
    package var motion: ArrowMotion?
    /// Sun; nil while position or UTC are unknown.
    public var sun: Sun?
    /// Placements in order of their unique identifiers.
    public var placements: [Placement]
    /// Label slots for each label size other than that of the settings, in the order of the placements.
    public var slots: [LabelSize: [LabelSlot?]] = [:]
    /// Number of placements that were left out because of the limit.
    public var left = 0
}

/// Placement that a ray hits.
public struct PickedPlacement: Hashable, Sendable {
    /// Placement as a display without a border would show it.
    public var viewed: ViewedPlacement
    /// Angle between the ray and the placement's middle. Unit: radians.
    public var offAxis: Double
    /// Distance from the origin of the ray. Unit: metres.
    public var distance: Double
}

extension SceneContent {
    /// Returns the placement that a ray hits, whether or not a display shows it; nil if the ray hits none.
    ///
    /// - Parameter headLocked: whether placements locked to the head can be hit. A placement that is locked to the head
    ///   and lies straight ahead is always on the line of sight, in front of everything that the wearer looks at.
    public func pick(_ ray: Ray, headLocked: Bool = false, settings: SceneSettings.Placements) -> PickedPlacement? {
        let targets = placements.lazy.filter { headLocked || $0.lock != .head }.map { placement in
            PickTarget(
                id: placement.id, position: pointInScene(of: placement), halfAngle: placement.size.angle / 2)
        }
        guard let hit = Picking.pick(ray, among: targets, settings: settings),
            let placement = placements.first(where: { $0.id == hit.id })
        else { return nil }
        let viewed = ViewedPlacement(placement: placement, revision: 0, isVisible: true)
        return PickedPlacement(viewed: viewed, offAxis: hit.offAxis, distance: hit.distance)
    }

    /// Returns the position of a placement. Frame: scene. Unit: metres.
    func pointInScene(of placement: Placement) -> Vector3 {
        placement.lock == .head ? eye + rotationSceneFromBody * placement.position : placement.position
    }
}

/// Summary of the wearer's progress along the route.
public struct RouteStatus: Hashable, Sendable {
    package var id: String
    package var name: String
    package var state: RouteProgress.State
    /// Length of the route. Unit: metres.
    public var length: Double
    /// Duration of the whole route according to the routing service; nil if unknown. Unit: seconds.
    public var duration: Double?
    package var vertices: Int
    package var turns: Int
    /// Distance along the route from its start to the point nearest to the wearer; nil before the first position. Unit:
    /// metres.
    public var along: Double?
    /// Distance from the wearer to the destination along the route, never less than the straight line. It includes the
    /// way back for a wearer who has left the route. Unit: metres.
    public var remaining: Double?
    /// Time for the remaining distance, computed from the service's duration and the wearer's own pace. Unit: seconds.
    public var remainingSeconds: Double?
    /// Distance from the last position to the nearest point of the route. Unit: metres.
    public var distanceFromRoute: Double?
    /// Next turn; nil after the last turn.
    public var nextTurn: RouteTurn?
    /// Distance along the route to the next turn, from the route point nearest to the wearer. Unit: metres.
    public var nextTurnDistance: Double?

    package init(_ progress: RouteProgress) {
        id = progress.route.id
        name = progress.route.name
        state = progress.state
        length = progress.length
        duration = progress.route.duration
        vertices = progress.route.vertices.count
        turns = progress.turns.count
        along = progress.alongRoute
        remaining = progress.remaining
        remainingSeconds = progress.remainingSeconds
        distanceFromRoute = progress.distanceFromRoute
        if let turn = progress.nextTurn, let along = progress.alongRoute {
            nextTurn = turn
            nextTurnDistance = max(0, turn.alongRoute - along)
        }
    }
}
