/// Event in the scene, reported once.
public enum SceneEvent: Hashable, Sendable {
    /// Place that was reached or left.
    case proximity(ProximityEvent)
    /// Announcement to be spoken to the wearer.
    case announcement(Announcement)
    /// Next turn is within the first announcement distance.
    case turnAhead(TurnAhead)
    /// Route that was left, found again or completed.
    case route(id: String, state: RouteProgress.State)
    /// Readiness of the frame or its reasons changed.
    case readiness(FrameReadiness)
    /// Large correction that has moved content, reported when it is complete.
    case correction(FrameCorrection)
    /// Floor plan that is used, left, or does not fit, or another level of it.
    case plan(PlanEvent)
    /// Anchor that could not be transferred into another scene frame and was removed.
    case anchorLost(id: String)
    /// Held anchor that was too far from its position by the map and was moved. Unit: metres.
    case anchorMoved(id: String, distance: Double)
}

/// Spoken announcement; `Messages` composes its sentence in the language of each reader.
public struct Announcement: Hashable, Sendable {
    /// Kind of announcement.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// Start of a route, with the destination.
        case start
        /// Continuation of a route from a point along it, with the destination and the distance to it.
        case resumed
        case turn
        /// Approach of the destination.
        case destination
        case arrived
        case offRoute
        case backOnRoute
    }

    /// Kind of announcement.
    public var kind: Kind
    /// Identifier of the route.
    public var routeID: String
    /// Name of the destination.
    public var name: String
    /// Distance to the turn, or along the route to the destination; nil if not announced. Unit: metres.
    public var distance: Double?
    /// Distance along the route to the turn that is announced with the start. Unit: metres.
    public var turnDistance: Double?
    /// Kind of the turn; nil without a turn.
    public var turn: RouteTurn.Kind?
    /// Side of the turn or of the destination; nil without one, and while the yaw is too uncertain to announce left and
    /// right.
    public var side: RouteTurn.Side?
    /// Service's instruction for the turn; nil while the yaw is too uncertain to announce left and right.
    public var instruction: String?
    /// Index of the announcement distance that was reached; 0 is the farthest.
    public var grade: Int?
    /// Whether the nearest announcement distance was reached.
    public var isNow: Bool

    /// Announcement with the given properties; distances in metres.
    public init(
        kind: Kind, routeID: String, name: String, distance: Double? = nil, turnDistance: Double? = nil,
        turn: RouteTurn.Kind? = nil, side: RouteTurn.Side? = nil, instruction: String? = nil, grade: Int? = nil,
        isNow: Bool = false
    ) {
        self.kind = kind
        self.routeID = routeID
        self.name = name
        self.distance = distance
        self.turnDistance = turnDistance
        self.turn = turn
        self.side = side
        self.instruction = instruction
        self.grade = grade
        self.isNow = isNow
    }
}
