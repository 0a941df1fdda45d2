/// Turn that has come within the first announcement distance.
public struct TurnAhead: Hashable, Sendable {
    /// Identifier of the route.
    public var routeID: String
    /// Turn, with its side by the route, independent of the wearer's heading.
    public var turn: RouteTurn
    /// Distance along the route to the turn. Unit: metres.
    public var distance: Double

    /// Turn ahead with the given properties.
    public init(routeID: String, turn: RouteTurn, distance: Double) {
        self.routeID = routeID
        self.turn = turn
        self.distance = distance
    }
}

/// Source of route events: one for each turn that comes near and one for each change of the route's state.
///
/// These are for programs; what is announced to the wearer is selected by `Announcer`.
public struct RouteWatch: Sendable {
    private var approach = TurnApproach()
    /// State that was last reported; a route begins as followed.
    private var state = RouteProgress.State.following

    /// Watch without a route.
    public init() {}

    /// New events in order.
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
        guard progress.state == .following, let next = approach.next(progress, settings: settings),
            next.announcedGrade == nil
        else { return [] }
        approach.markAnnounced(next)
        return [.turnAhead(TurnAhead(routeID: progress.route.id, turn: next.turn, distance: next.distance))]
    }
}
