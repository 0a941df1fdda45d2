import Geodesy

/// Route prepared for following, with its polyline, turns and nodes; immutable, and shared after it was made on any
/// thread.
public final class RoutePlan: Sendable {
    /// Route as it was given.
    public let route: Route
    /// Settings from which the plan was made.
    public let settings: SceneSettings.Route
    /// Turns in order along the route.
    public let turns: [RouteTurn]
    let line: RouteLine
    private let row: RouteNodes

    /// Plan of a route; nil without two different vertices.
    public init?(_ route: Route, settings: SceneSettings.Route = SceneSettings.Route()) {
        guard let line = RouteLine(route.vertices) else { return nil }
        self.route = route
        self.settings = settings
        self.line = line
        turns = line.turns(with: route.maneuvers)
        row = RouteNodes(length: line.length, turns: turns, spacing: settings.nodeSpacingMetres)
    }

    /// Plan of the same route with other settings.
    init(_ other: RoutePlan, settings: SceneSettings.Route) {
        route = other.route
        self.settings = settings
        line = other.line
        turns = other.turns
        row = RouteNodes(length: line.length, turns: turns, spacing: settings.nodeSpacingMetres)
    }

    /// Length of the route. Unit: metres.
    public var length: Double { line.length }

    /// Geodetic position at a distance along the route, clamped to its ends. Unit: metres.
    public func position(along: Double) -> GeodeticPosition? { line.position(along: along) }

    /// Bearing of the route at a distance along it, clockwise from true north, radians in [0, 2π); continuous at
    /// corners.
    public func bearing(along: Double) -> Double {
        line.bearing(along: along, smoothedOver: settings.arrowSpacingMetres)
    }

    /// Nodes between two distances along the route, in order: start, turns, destination and the row of marks between
    /// them.
    public func nodes(in window: ClosedRange<Double>) -> [RouteNode] { row.nodes(in: window) }
}
