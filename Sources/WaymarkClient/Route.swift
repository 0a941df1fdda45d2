/// The next turn of a route.
public struct RouteTurn: Codable, Equatable, Sendable {
    /// `bend`, `slight`, `normal`, `sharp`, `uturn`, `keep` or `roundabout`; later versions may add more.
    public var kind: String
    /// `left` or `right`.
    public var side: String
    /// Degrees clockwise.
    public var angle: Double
    /// The instruction.
    public var text: String
    /// Metres along the route from the wearer's place on it.
    public var alongRoute: Double
}

/// A route, and how far the wearer has come; what is not known yet is nil.
public struct Route: Codable, Equatable, Sendable {
    public enum State: String, Codable, Sendable {
        case following
        /// Four fixes in a row were too far from it.
        case offRoute
        case arrived
    }

    public var id: String
    public var name: String
    public var state: State
    /// Metres.
    public var length: Double
    /// Seconds, as the route's service expects; nil where it does not say.
    public var duration: Double?
    /// So many there are.
    public var vertices: Int
    public var turns: Int
    /// Metres from the start to the nearest point.
    public var along: Double?
    /// Metres to the destination along the route, and first to the route for one who has left it.
    public var remaining: Double?
    /// Seconds for these.
    public var remainingSeconds: Double?
    /// Metres.
    public var distanceFromRoute: Double?
    /// Nil past the last one.
    public var nextTurn: RouteTurn?
}

/// A vertex of a route, in degrees.
public struct RouteVertex: Codable, Equatable, Sendable {
    public var latitude: Double
    public var longitude: Double
}
