/// Summary of the wearer's progress along the route.
public struct RouteStatus: Hashable, Sendable {
    /// Identifier of the route.
    public var id: String
    /// Name of the route.
    public var name: String
    /// State of following the route.
    public var state: RouteProgress.State
    /// Length of the route. Unit: metres.
    public var length: Double
    /// Duration of the whole route as its service expects it; nil if unknown. Unit: seconds.
    public var duration: Double?
    /// Number of vertices.
    public var vertices: Int
    /// Number of turns.
    public var turns: Int
    /// Distance along the route from its start to the nearest point; nil before the first position. Unit: metres.
    public var along: Double?
    /// Distance to the destination along the route, including the way back for a wearer who has left it. Unit: metres.
    public var remaining: Double?
    /// Time for the remaining distance, from the service's duration and the wearer's own pace. Unit: seconds.
    public var remainingSeconds: Double?
    /// Distance from the last position to the nearest point of the route. Unit: metres.
    public var distanceFromRoute: Double?
    /// Next turn; nil past the last one.
    public var nextTurn: RouteTurn?
    /// Distance along the route from the nearest point to the next turn. Unit: metres.
    public var nextTurnDistance: Double?

    /// Summary of a progress.
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
