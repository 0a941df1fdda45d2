import Geodesy

/// A way to walk: its vertices from start to destination, and what the service that found it says besides.
public struct Route: Hashable, Sendable {
    public var id: String
    public var name: String
    public var vertices: [GeodeticPosition]
    /// In the order in which they are come to; empty where nobody says any.
    public var maneuvers: [RouteManeuver]
    /// Of the whole route, as its service expects it; nil is not known. Unit: seconds.
    public var duration: Double?

    public init(
        id: String, name: String, vertices: [GeodeticPosition], maneuvers: [RouteManeuver] = [],
        duration: Double? = nil
    ) {
        self.id = id
        self.name = name
        self.vertices = vertices
        self.maneuvers = maneuvers
        self.duration = duration
    }
}
