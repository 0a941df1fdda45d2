import Geodesy

/// Walking route: vertices from start to destination, with the maneuvers and duration that its directions service
/// reports.
public struct Route: Hashable, Sendable {
    /// Identifier given by the service or client.
    public var id: String
    /// Name for display; empty if there is none.
    public var name: String
    /// Vertices from start to destination; their heights are ignored.
    public var vertices: [GeodeticPosition]
    /// Maneuvers in order along the route; empty if the service reports none.
    public var maneuvers: [RouteManeuver]
    /// Duration of the whole route as the service expects it; nil if unknown. Unit: seconds.
    public var duration: Double?

    /// Route with the given properties.
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
