import Geodesy

/// A route as it is followed: laid out, with its turns and nodes; made once, on any thread, and shared from then on.
public final class RoutePlan: Sendable {
    public let route: Route
    public let settings: SceneSettings.Route
    /// In their order along the route.
    public let turns: [RouteTurn]
    let line: RouteLine
    private let row: RouteNodes

    /// Nil for a route without two different vertices.
    public init?(_ route: Route, settings: SceneSettings.Route = SceneSettings.Route()) {
        guard let line = RouteLine(route.vertices) else { return nil }
        self.route = route
        self.settings = settings
        self.line = line
        turns = line.turns(with: route.maneuvers)
        row = RouteNodes(length: line.length, turns: turns, spacing: settings.nodeSpacingMetres)
    }

    /// The same route by other settings.
    init(_ other: RoutePlan, settings: SceneSettings.Route) {
        route = other.route
        self.settings = settings
        line = other.line
        turns = other.turns
        row = RouteNodes(length: line.length, turns: turns, spacing: settings.nodeSpacingMetres)
    }

    /// Unit: metres.
    public var length: Double { line.length }

    /// The place at a distance along the route, clamped to its ends. Unit: metres.
    public func position(along: Double) -> GeodeticPosition? { line.position(along: along) }

    /// In which the route leads at a place on it, clockwise from true north, radians in [0, 2π); it turns at corners, rather
    /// than to flip.
    public func bearing(along: Double) -> Double {
        line.bearing(along: along, smoothedOver: settings.arrowSpacingMetres)
    }

    /// Start, turns, destination and the row of nodes between them: those between two distances along the route, in order.
    public func nodes(in window: ClosedRange<Double>) -> [RouteNode] { row.nodes(in: window) }
}
