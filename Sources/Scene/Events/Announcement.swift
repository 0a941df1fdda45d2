/// What is to be said to the wearer: the text in English, and what it is made of for those who speak another language.
public struct Announcement: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// At the start of a route: where it leads to.
        case start
        /// Somewhere on a route that is taken up again: where it leads to and how far it is.
        case resumed
        case turn
        /// The destination comes nearer.
        case destination
        case arrived
        case offRoute
        case backOnRoute
    }

    public var kind: Kind
    /// Of the route.
    public var routeID: String
    /// Of the destination.
    public var name: String
    /// To the turn, or to the destination along the route; nil where it says nothing. Unit: metres.
    public var distance: Double?
    /// Along the route to the turn that is told with the start. Unit: metres.
    public var turnDistance: Double?
    /// What kind of turn it is.
    public var turn: RouteTurn.Kind?
    /// Of a turn, while left and right can be told.
    public var side: RouteTurn.Side?
    /// What the route's service says of the turn, while left and right can be told.
    public var instruction: String?
    /// Of the distances at which a turn or the destination is told, 0 is the farthest.
    public var grade: Int?
    /// Whether that is the nearest of these distances: now.
    public var isNow: Bool

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
