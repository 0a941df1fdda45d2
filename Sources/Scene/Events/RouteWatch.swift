/// A turn that has come within the first distance at which turns are told.
public struct TurnAhead: Hashable, Sendable {
    public var routeID: String
    /// Its side is that by the route itself, whatever is known of the wearer's heading.
    public var turn: RouteTurn
    /// Along the route. Unit: metres.
    public var distance: Double

    public init(routeID: String, turn: RouteTurn, distance: Double) {
        self.routeID = routeID
        self.turn = turn
        self.distance = distance
    }
}

/// Tells once of each turn that comes near, and of each change of the state of a route.
///
/// For programs; what is said to the wearer is chosen by `Announcer`.
public struct RouteWatch: Sendable {
    private var approach = TurnApproach()
    /// Following is what is expected of a route that begins.
    private var state = RouteProgress.State.following

    public init() {}

    /// In the order in which they are to be told.
    public mutating func update(
        progress: RouteProgress?, settings: SceneSettings.Announcements
    ) -> [SceneEvent] {
        guard let progress else {
            self = RouteWatch()
            return []
        }
        if !approach.isOf(progress) {
            self = RouteWatch()
            approach.begin(progress)
        }
        guard progress.alongRoute != nil else { return [] }
        return stateChange(progress) + turnAhead(progress, settings: settings)
    }

    private mutating func stateChange(_ progress: RouteProgress) -> [SceneEvent] {
        guard progress.state != state else { return [] }
        state = progress.state
        return [.route(id: progress.route.id, state: progress.state)]
    }

    private mutating func turnAhead(
        _ progress: RouteProgress, settings: SceneSettings.Announcements
    ) -> [SceneEvent] {
        guard progress.state == .following, let next = approach.next(progress, settings: settings), next.told == nil
        else { return [] }
        approach.tell(next)
        return [.turnAhead(TurnAhead(routeID: progress.route.id, turn: next.turn, distance: next.distance))]
    }
}
