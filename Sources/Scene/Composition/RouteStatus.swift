/// How the wearer stands to the route.
public struct RouteStatus: Hashable, Sendable {
    public var id: String
    public var name: String
    public var state: RouteProgress.State
    /// Of the whole. Unit: metres.
    public var length: Double
    /// As the service expects that found the route; nil where it does not say. Unit: seconds.
    public var duration: Double?
    /// So many there are.
    public var vertices: Int
    public var turns: Int
    /// From the start to the nearest point; nil before the first position. Unit: metres.
    public var along: Double?
    /// To the destination along the route, and first to the route for one who has left it. Unit: metres.
    public var remaining: Double?
    /// For these, by what the service says and by the wearer's own pace. Unit: seconds.
    public var remainingSeconds: Double?
    /// Unit: metres.
    public var distanceFromRoute: Double?
    /// Nil past the last one.
    public var nextTurn: RouteTurn?
    /// Along the route from the nearest point. Unit: metres.
    public var nextTurnDistance: Double?

    public init(_ progress: RouteProgress) {
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
