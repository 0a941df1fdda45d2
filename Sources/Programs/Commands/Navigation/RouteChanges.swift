import WaymarkClient

/// Changes of the daemon's route from one check to the next.
struct RouteChanges {
    private var last: Waymark.Route?

    /// - Parameter last: the route at the previous check; nil for none.
    init(after last: Waymark.Route? = nil) { self.last = last }

    /// Compares the current route with that of the previous check, and returns the events since then.
    mutating func next(_ route: Waymark.Route) -> [NavigationOutput.Event] {
        defer { last = route }
        guard let last, last.id == route.id else { return [.set] + Self.changes(from: .following, to: route.state) }
        // A new route with the same id starts out as followed, whatever the state of the old route.
        let isSame = (last.length, last.vertices, last.turns) == (route.length, route.vertices, route.turns)
        if !isSame { return [.newRoute] + Self.changes(from: .following, to: route.state) }
        return Self.changes(from: last.state, to: route.state)
    }

    private static func changes(
        from before: SceneInterface.RouteState, to state: SceneInterface.RouteState
    ) -> [NavigationOutput.Event] {
        guard state != before else { return [] }
        return switch state {
        case .following: [.onRoute]
        case .offRoute: [.offRoute]
        case .arrived: [.arrived]
        }
    }
}
