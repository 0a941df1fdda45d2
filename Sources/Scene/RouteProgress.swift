import Geodesy

/// How far along a route the wearer has come.
///
/// The nearest point is searched near the last one, so that a route that crosses itself is walked in its order. The pose
/// is never drawn to the route.
public struct RouteProgress: Sendable {
    public enum State: UInt8, Hashable, Sendable {
        case following
        /// Four positions in a row were too far from this leg and the next.
        case offRoute
        /// Within 10 m of the destination, and on the way to it; stays so.
        case arrived
    }

    public let route: Route
    /// In order; `nextTurn` is the first that lies ahead.
    public let turns: [RouteTurn]
    public private(set) var state = State.following
    /// From the start to the nearest point; nil before the first position. Unit: metres.
    public private(set) var alongRoute: Double?
    /// From the last position to the nearest point; nil before the first position. Unit: metres.
    public private(set) var distanceFromRoute: Double?

    private let line: RouteLine
    private var misses = 0
    private var nextTurnIndex = 0

    /// Nil for a route without two different vertices.
    public init?(route: Route) {
        guard let line = RouteLine(route.vertices) else { return nil }
        self.route = route
        self.line = line
        turns = line.turns()
    }

    /// Of the route. Unit: metres.
    public var length: Double { line.length }

    /// From the nearest point to the destination, along the route; nil before the first position. Unit: metres.
    public var remaining: Double? { alongRoute.map { length - $0 } }

    /// Nil past the last turn.
    public var nextTurn: RouteTurn? { nextTurnIndex < turns.count ? turns[nextTurnIndex] : nil }

    /// Turns ahead, the next one first.
    public var turnsAhead: ArraySlice<RouteTurn> { turns[nextTurnIndex...] }

    /// The nearest point of the route; nil before the first position.
    public var nearestPosition: GeodeticPosition? { alongRoute.flatMap { line.position(along: $0) } }

    /// The place of a turn.
    public func position(of turn: RouteTurn) -> GeodeticPosition? { line.position(along: turn.alongRoute) }

    /// Takes the next position, one for each satellite fix.
    ///
    /// - Parameter horizontalAccuracy: radius of 68 %, metres; nil is not known.
    public mutating func update(position: GeodeticPosition, horizontalAccuracy: Double?) {
        let point = line.point(of: position)
        guard point.length.isFinite else { return }
        let reach = max(Self.offRouteDistance, 1.5 * (horizontalAccuracy ?? 0))
        let found = search(point, reach: reach)
        distanceFromRoute = found.distance
        if found.distance <= reach {
            misses = 0
            alongRoute = found.along
            if state == .offRoute { state = .following }
            advanceTurns(found.along)
            if length - found.along <= Self.arrivalStretch,
                (point - line.points[line.points.count - 1]).length <= Self.arrivalDistance
            {
                state = .arrived
            }
        } else {
            misses += 1
            alongRoute = alongRoute ?? found.along
            if misses >= Self.offRouteCount, state == .following { state = .offRoute }
        }
    }

    /// Farther than this from the route, or 1.5 times the accuracy, is off it. Unit: metres.
    private static let offRouteDistance = 30.0
    private static let offRouteCount = 4
    /// From the destination. Unit: metres.
    private static let arrivalDistance = 10.0
    /// A destination next to an earlier stretch is not reached from there. Unit: metres.
    private static let arrivalStretch = 30.0
    /// How far a walker may go back, and on, between two positions. Unit: metres.
    private static let searchBack = 15.0
    private static let searchAhead = 50.0
    /// What a first position may be off and still be at the beginning of a loop. Unit: metres.
    private static let startTolerance = 10.0

    private func search(_ point: RouteLine.Point, reach: Double) -> RouteLine.Nearest {
        guard let along = alongRoute else {
            return line.earliestNearest(to: point, from: 0, tolerance: Self.startTolerance)
        }
        let near = line.nearest(
            to: point, within: max(0, along - Self.searchBack)...min(length, along + Self.searchAhead))
        if near.distance <= reach { return near }
        let leg = line.leg(at: along)
        let next = min(leg + 2, line.points.count - 1)
        let legs = line.nearest(to: point, within: line.alongs[leg]...line.alongs[next])
        guard legs.distance > reach, misses + 1 >= Self.offRouteCount else { return legs }
        // Lost: the walker may come back anywhere, ahead rather than behind.
        let ahead = line.earliestNearest(to: point, from: along, tolerance: Self.startTolerance)
        if ahead.distance <= reach { return ahead }
        return line.nearest(to: point, within: 0...length)
    }

    /// A turn is past once its vertex is; noise about the vertex does not bring it back.
    private mutating func advanceTurns(_ along: Double) {
        while nextTurnIndex < turns.count, turns[nextTurnIndex].alongRoute <= along { nextTurnIndex += 1 }
        while nextTurnIndex > 0, turns[nextTurnIndex - 1].alongRoute > along + Self.searchBack { nextTurnIndex -= 1 }
    }
}
