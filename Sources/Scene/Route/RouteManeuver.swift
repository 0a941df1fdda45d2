import Geodesy

/// What a wearer is to do at a place of a route, as the service says that found it.
public struct RouteManeuver: Hashable, Sendable {
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        case depart
        case turn
        /// To one side of a fork.
        case keep
        /// Straight on, or along a street that bends or changes its name.
        case `continue`
        case roundabout
        case uturn
        case arrive
    }

    /// On the route, or next to it.
    public var position: GeodeticPosition
    public var kind: Kind
    /// Change of direction, clockwise, so that right is positive; radians in [−π, π]; nil is not said.
    public var angle: Double?
    /// The service's own instruction.
    public var text: String?

    public init(position: GeodeticPosition, kind: Kind, angle: Double? = nil, text: String? = nil) {
        self.position = position
        self.kind = kind
        self.angle = angle
        self.text = text
    }
}
