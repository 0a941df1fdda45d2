/// Event in the scene, reported once.
public enum SceneEvent: Hashable, Sendable {
    /// A place was reached or left.
    case proximity(ProximityEvent)
    /// Announcement to be spoken to the wearer.
    case announcement(Announcement)
    /// The next turn is within the first announcement distance.
    case turnAhead(TurnAhead)
    /// A route was left, found again or completed.
    case route(id: String, state: RouteProgress.State)
    /// The readiness of the frame, or a reason for it, has changed.
    case readiness(FrameReadiness)
    /// A large correction has moved content; reported when the correction is complete.
    case correction(FrameCorrection)
    /// A floor plan is used, left, or does not fit, or another level of it is used.
    case plan(PlanEvent)
    /// An anchor could not be transferred to a new scene frame and was removed.
    case anchorLost(id: String)
    /// A held anchor was too far from the position that the map gives it and was moved. Unit: metres.
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

    package var kind: Kind
    package var routeID: String
    package var name: String
    /// Distance to the turn, or along the route to the destination; nil if it is not announced. Unit: metres.
    public var distance: Double?
    /// Distance along the route to the turn that is announced together with the start. Unit: metres.
    public var turnDistance: Double?
    /// Kind of the turn; nil without a turn.
    public var turn: RouteTurn.Kind?
    /// Side of the turn or of the destination; nil if there is none, or if the yaw is too uncertain to announce left
    /// and right.
    public var side: RouteTurn.Side?
    /// Instruction of the routing service for the turn; nil if the yaw is too uncertain to announce left and right.
    public var instruction: String?
    /// Index of the announcement distance that was reached. The farthest has index 0.
    public var grade: Int?
    /// Whether the nearest announcement distance was reached.
    public var isNow: Bool

    package init(
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
