import Geodesy
import Geometry
import Model

/// How far along a route the wearer has come.
///
/// The place on the route is looked for near the last one, so that a route that crosses itself, runs back or runs in circles
/// is walked in its order. The pose is never drawn to the route.
public struct RouteProgress: Sendable {
    public enum State: UInt8, Hashable, Sendable {
        case following
        /// Four fixes in a row were too far from this leg and the next, or none has been near the route yet.
        case offRoute
        /// Near the destination, and on the way to it; stays so.
        case arrived
    }

    /// A place on the route, for a wearer who has left it. Unit: metres.
    public struct WayBack: Hashable, Sendable {
        /// From the start, along the route.
        public var alongRoute: Double
        /// To it, in a straight line.
        public var distance: Double
    }

    public private(set) var plan: RoutePlan
    /// With which it began: other settings make another plan of the same route.
    let firstPlan: RoutePlan
    /// Of the routes followed by one engine; tells two apart that have the same id.
    public let sequence: UInt64
    /// Grows with each position: what is made of one progress holds until then.
    public private(set) var revision: UInt64 = 0
    public private(set) var state = State.following
    /// From the start to the nearest point; nil before the first position. Unit: metres.
    public private(set) var alongRoute: Double?
    /// From the last position to the nearest point; nil before the first position. Unit: metres.
    public private(set) var distanceFromRoute: Double?
    /// Whether a position has been near the route.
    public var hasBegun: Bool { matcher.place != nil }
    /// Where the route is nearest to one who is not on it, ahead rather than behind; nil on the route.
    public private(set) var wayBack: WayBack?

    private var matcher = RouteMatcher()
    private var pace: RoutePace
    private var window = RouteWindow()
    private var misses = 0
    private var lastMiss: BootTime?
    private var nextTurnIndex = 0

    public init(plan: RoutePlan, sequence: UInt64 = 0) {
        self.plan = plan
        firstPlan = plan
        self.sequence = sequence
        pace = RoutePace(
            length: plan.length, duration: plan.route.duration, speed: plan.settings.walkingSpeed)
    }

    /// Nil for a route without two different vertices.
    public init?(route: Route, settings: SceneSettings.Route = SceneSettings.Route()) {
        guard let plan = RoutePlan(route, settings: settings) else { return nil }
        self.init(plan: plan)
    }

    /// Takes other settings; how far the route has been walked stays.
    public mutating func apply(_ settings: SceneSettings.Route) {
        guard settings != plan.settings else { return }
        plan = RoutePlan(plan, settings: settings)
        pace.expect(length: plan.length, duration: plan.route.duration, speed: settings.walkingSpeed)
        revision += 1
    }

    public var route: Route { plan.route }

    /// In order; `nextTurn` is the first that lies ahead.
    public var turns: [RouteTurn] { plan.turns }

    /// Of the route. Unit: metres.
    public var length: Double { plan.length }

    /// To the destination along the route, and first to the route for one who has left it; nil before the first position.
    /// Unit: metres.
    public var remaining: Double? {
        if let wayBack { return wayBack.distance + length - wayBack.alongRoute }
        return alongRoute.map { length - $0 }
    }

    /// For what remains, by what the route's service says and by the wearer's own pace; nil before the first position.
    /// Unit: seconds.
    public var remainingSeconds: Double? { remaining.map(pace.seconds) }

    /// What is shown of the route: the stretch ahead, by distances along it; nil before the first position. Unit: metres.
    public var windowAhead: ClosedRange<Double>? {
        window.range(length: plan.settings.windowMetres, routeLength: length)
    }

    /// Nil past the last turn.
    public var nextTurn: RouteTurn? { nextTurnIndex < turns.count ? turns[nextTurnIndex] : nil }

    /// Turns ahead, the next one first.
    public var turnsAhead: ArraySlice<RouteTurn> { turns[nextTurnIndex...] }

    /// The nearest point of the route; nil before the first position.
    public var nearestPosition: GeodeticPosition? {
        (wayBack?.alongRoute ?? alongRoute).flatMap { plan.position(along: $0) }
    }

    /// The place of a turn.
    public func position(of turn: RouteTurn) -> GeodeticPosition? { plan.position(along: turn.alongRoute) }

    /// Takes the next position, one for each satellite fix.
    ///
    /// - Parameters:
    ///   - horizontalAccuracy: radius of 68 %, metres; nil is not known.
    ///   - time: of the position; nil leaves the wearer's pace unknown.
    public mutating func update(position: GeodeticPosition, horizontalAccuracy: Double?, at time: BootTime? = nil) {
        let point = plan.line.point(of: position)
        guard point.isFinite else { return }
        revision += 1
        let accuracy = horizontalAccuracy ?? 0
        let reach = max(plan.settings.offRouteMetres, plan.settings.offRouteAccuracies * accuracy)
        if matches(point, deviation: accuracy / PoseAccuracy.radius68, reach: reach), let place = matcher.place {
            follow(place, at: time)
            if isAtDestination(point, along: place.along) { state = .arrived }
        } else {
            miss(point, at: time)
        }
        window.move(to: wayBack?.alongRoute ?? alongRoute ?? 0, margin: plan.settings.arrowSpacingMetres)
    }

    /// A destination next to an earlier stretch is not reached from there. Unit: metres, beyond the radius of arrival.
    private static let arrivalStretch = 20.0
    /// How far a walker goes back before a turn is ahead again. Unit: metres.
    private static let turnsBack = 15.0
    /// Places that are farther than the nearest by no more than this are equally near. Unit: metres.
    private static let tolerance = 10.0
    /// Fixes that follow each other faster count as one. Unit: seconds.
    private static let leastFixInterval = 0.75
    private static let mostPlaces = 6
    /// A way back that leads behind must be so much shorter than one that leads ahead.
    private static let behindShare = 0.5

    private mutating func follow(_ place: RouteLine.Nearest, at time: BootTime?) {
        misses = 0
        lastMiss = nil
        wayBack = nil
        alongRoute = place.along
        distanceFromRoute = place.distance
        if state == .offRoute { state = .following }
        advanceTurns(place.along)
        if let time { pace.walk(to: place.along, at: time) }
    }

    private mutating func miss(_ point: Vector3, at time: BootTime?) {
        pace.interrupt()
        let nearest = nearestAhead(of: point)
        distanceFromRoute = nearest.distance
        // Who has not been on the route yet has not left it either: it need not be waited whether he has.
        if matcher.place == nil {
            alongRoute = nearest.along
            advanceTurns(nearest.along)
            if state == .following { state = .offRoute }
        }
        if countMiss(at: time) >= plan.settings.offRouteFixes, state == .following { state = .offRoute }
        if state == .offRoute { wayBack = WayBack(alongRoute: nearest.along, distance: nearest.distance) }
    }

    private mutating func countMiss(at time: BootTime?) -> Int {
        if let time, let lastMiss, (0..<Self.leastFixInterval).contains(time.seconds(since: lastMiss)) { return misses }
        lastMiss = time
        misses += 1
        return misses
    }

    private func isAtDestination(_ point: Vector3, along: Double) -> Bool {
        let radius = plan.settings.arrivalMetres
        return length - along <= radius + Self.arrivalStretch
            && (point - plan.line.points[plan.line.points.count - 1]).norm <= radius
    }

    // MARK: the place on the route

    /// Whether there is a place on the route for this position; the matcher then has it.
    private mutating func matches(_ point: Vector3, deviation: Double, reach: Double) -> Bool {
        guard let place = matcher.place else { return begins(point, from: 0, reach: reach) }
        if matcher.follow(point, on: plan.line, deviation: deviation, reach: reach) { return true }
        let legs = plan.line.valleys(near: point, within: legs(at: place.along), bound: reach, limit: Self.mostPlaces)
        if matcher.leap(point, to: legs, deviation: deviation) { return true }
        // Lost: the walker may come back anywhere, ahead rather than behind.
        guard misses + 1 >= plan.settings.offRouteFixes else { return false }
        return begins(point, from: place.along, reach: reach) || begins(point, from: 0, reach: reach)
    }

    private mutating func begins(_ point: Vector3, from along: Double, reach: Double) -> Bool {
        let range = along...max(along, length)
        let nearest = nearest(to: point, within: range)
        guard nearest.distance <= reach else { return false }
        let places = plan.line.valleys(
            near: point, within: range, bound: min(reach, nearest.distance + Self.tolerance), limit: Self.mostPlaces)
        matcher.begin(at: point, places.isEmpty ? [nearest] : places)
        return true
    }

    /// From the turn behind to the second turn ahead: the leg that is walked, and the next.
    private func legs(at along: Double) -> ClosedRange<Double> {
        let behind = nextTurnIndex > 0 ? turns[nextTurnIndex - 1].alongRoute : 0
        let ahead = nextTurnIndex + 1 < turns.count ? turns[nextTurnIndex + 1].alongRoute : length
        return min(behind, along)...max(ahead, along)
    }

    private func nearest(to point: Vector3, within range: ClosedRange<Double>) -> RouteLine.Nearest {
        plan.line.nearest(to: point, within: range, hint: wayBack?.alongRoute ?? alongRoute)
    }

    private func nearestAhead(of point: Vector3) -> RouteLine.Nearest {
        let anywhere = nearest(to: point, within: 0...length)
        guard let place = matcher.place, place.along > anywhere.along else { return anywhere }
        let ahead = nearest(to: point, within: place.along...length)
        return anywhere.distance < Self.behindShare * ahead.distance ? anywhere : ahead
    }

    /// A turn is past once its vertex is; noise about the vertex does not bring it back.
    private mutating func advanceTurns(_ along: Double) {
        while nextTurnIndex < turns.count, turns[nextTurnIndex].alongRoute <= along { nextTurnIndex += 1 }
        while nextTurnIndex > 0, turns[nextTurnIndex - 1].alongRoute > along + Self.turnsBack { nextTurnIndex -= 1 }
    }
}
