import Geometry

/// Walking route: vertices from start to destination, and the maneuvers and duration that its directions service
/// reports.
public struct Route: Hashable, Sendable {
    /// Identifier given by the service or client.
    public var id: String
    /// Name for display; empty if there is none.
    public var name: String
    /// Vertices from start to destination. Their heights are ignored.
    public var vertices: [GeodeticPosition]
    /// Maneuvers in order along the route; empty if the service reports none.
    public var maneuvers: [RouteManeuver]
    /// Duration of the whole route according to the service; nil if unknown. Unit: seconds.
    public var duration: Double?
    /// Destination for which the route was requested, and the program or method that found it; nil for a route that was
    /// loaded from a document.
    public var guidance: RouteGuidance?

    package init(
        id: String, name: String, vertices: [GeodeticPosition], maneuvers: [RouteManeuver] = [],
        duration: Double? = nil, guidance: RouteGuidance? = nil
    ) {
        self.id = id
        self.name = name
        self.vertices = vertices
        self.maneuvers = maneuvers
        self.duration = duration
        self.guidance = guidance
    }
}

/// Maneuver on a route as its directions service reports it.
public struct RouteManeuver: Hashable, Sendable {
    /// Kind of maneuver.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        case depart
        case turn
        /// Keep to one side of a fork.
        case keep
        /// Go straight on, or along a street that bends or changes its name.
        case `continue`
        case roundabout
        case uturn
        case arrive
    }

    /// Position on the route or next to it. Its height is ignored.
    public var position: GeodeticPosition
    package var kind: Kind
    /// Change of direction, clockwise, so that right is positive. For an arrival, it is the direction from the end of
    /// the route to the destination. In radians in [−π, π]; nil if not reported.
    public var angle: Double?
    /// Instruction in the service's words; nil if there is none.
    public var text: String?

    package init(position: GeodeticPosition, kind: Kind, angle: Double? = nil, text: String? = nil) {
        self.position = position
        self.kind = kind
        self.angle = angle
        self.text = text
    }
}
