import Geometry
import Model

/// Progress of the wearer along a route.
///
/// The position on the route is searched for near the last one. A route that crosses itself, runs back or runs in
/// circles is therefore followed in order. The pose is never snapped to the route.
public struct RouteProgress: Sendable {
    /// State of following a route.
    public enum State: UInt8, Hashable, Sendable {
        case following
        /// Several consecutive fixes were too far from the current and the next leg, or the wearer certainly walks
        /// beside the route, or no position has been near the route yet.
        case offRoute
        /// The wearer has followed the route and is near the destination. This state is final.
        case arrived
    }

    /// Point of the route to which a wearer who has left it should return. Unit: metres.
    public struct WayBack: Hashable, Sendable {
        /// Distance of the point along the route from its start.
        public var alongRoute: Double
        /// Straight-line distance to the point.
        public var distance: Double
    }

    /// Plan of the route with the current settings.
    public private(set) var plan: RoutePlan
    /// Plan with which following began. When settings change, another plan of the same route is made.
    let firstPlan: RoutePlan
    /// Sequence number among the routes that one engine has followed. It distinguishes routes with the same identifier.
    public let sequence: UInt64
    /// Number that increases with each position. Content that was made from the progress is valid until it changes.
    public private(set) var revision: UInt64 = 0
    package private(set) var state = State.following
    /// Distance along the route from its start to the nearest point; nil before the first position. Unit: metres.
    public private(set) var alongRoute: Double?
    /// Distance from the last position to the nearest point of the route; nil before the first position. Unit: metres.
    public private(set) var distanceFromRoute: Double?
    /// Straight-line distance from the last position to the end of the route. Unit: metres.
    private var distanceToEnd = 0.0
    /// Whether a position has been near the route.
    public var hasBegun: Bool { matcher.place != nil }
    /// Point to which a wearer off the route should return, preferably ahead rather than behind; nil on the route.
    public private(set) var wayBack: WayBack?

    private var matcher = RouteMatcher()
    private var pace: RoutePace
    private var window = RouteWindow()
    private var misses = 0
    /// Number of consecutive positions that were certainly beside the route.
    private var besides = 0
    private var lastMiss: BootTime?
    private var nextTurnIndex = 0

    package init(plan: RoutePlan, sequence: UInt64 = 0) {
        self.plan = plan
        firstPlan = plan
        self.sequence = sequence
        pace = RoutePace(
            length: plan.length, duration: plan.route.duration, speed: plan.settings.walkingSpeed)
    }

    /// Makes the progress at the beginning of a route; nil unless two of its vertices differ.
    package init?(route: Route, settings: SceneSettings.Route = SceneSettings.Route()) {
        guard let plan = RoutePlan(route, settings: settings) else { return nil }
        self.init(plan: plan)
    }

    /// Applies new settings, but keeps the distance walked along the route.
    public mutating func apply(_ settings: SceneSettings.Route) {
        guard settings != plan.settings else { return }
        plan = RoutePlan(plan, settings: settings)
        pace.expect(length: plan.length, duration: plan.route.duration, speed: settings.walkingSpeed)
        revision += 1
    }

    package var route: Route { plan.route }

    /// Turns in order along the route; `nextTurn` is the first turn that lies ahead.
    public var turns: [RouteTurn] { plan.turns }

    /// Length of the route. Unit: metres.
    public var length: Double { plan.length }

    /// Distance from the wearer to the destination along the route, including the way back for a wearer who has left
    /// it. It is never less than the straight line, which counts for a wearer beside or beyond the end. Nil before the
    /// first position. Unit: metres.
    public var remaining: Double? {
        if let wayBack { return wayBack.distance + length - wayBack.alongRoute }
        let minimum = state == .arrived ? 0 : distanceToEnd
        return alongRoute.map { max(length - $0, minimum) }
    }

    /// Time for the remaining distance, computed from the service's duration and the wearer's own pace; nil before the
    /// first position. Unit: seconds.
    public var remainingSeconds: Double? { remaining.map(pace.seconds) }

    /// Stretch ahead that is shown, as distances along the route; nil before the first position. Unit: metres.
    public var windowAhead: ClosedRange<Double>? {
        window.range(length: plan.settings.windowMetres, routeLength: length)
    }

    /// Next turn; nil after the last turn.
    public var nextTurn: RouteTurn? { nextTurnIndex < turns.count ? turns[nextTurnIndex] : nil }

    /// Turns ahead, next one first.
    public var turnsAhead: ArraySlice<RouteTurn> { turns[nextTurnIndex...] }

    /// Nearest point of the route; nil before the first position.
    public var nearestPosition: GeodeticPosition? {
        (wayBack?.alongRoute ?? alongRoute).flatMap { plan.position(along: $0) }
    }

    package func position(of turn: RouteTurn) -> GeodeticPosition? { plan.position(along: turn.alongRoute) }

    /// Updates the progress with the next position. Has to be called once for each satellite fix.
    ///
    /// - Parameters:
    ///   - horizontalAccuracy: 68 % radius in metres; nil if unknown.
    ///   - time: time of the position; nil leaves the wearer's pace unknown.
    ///   - guesses: possible positions of the wearer, found by matching to lines such as the route; empty if unknown.
    public mutating func update(
        position: GeodeticPosition, horizontalAccuracy: Double?, at time: BootTime? = nil,
        guesses: [PositionGuess] = []
    ) {
        let point = plan.line.point(of: position)
        guard point.isFinite else { return }
        revision += 1
        distanceToEnd = (point - plan.line.points[plan.line.points.count - 1]).norm
        let accuracy = horizontalAccuracy ?? 0
        let standardDeviation = accuracy / PoseAccuracy.radius68
        countBeside(guesses)
        let isBeside = besides >= Self.besideFixes
        let reach = reach(accuracy: accuracy)
        if !isBeside, matches(point, standardDeviation: standardDeviation, reach: reach), let place = matcher.place {
            follow(place, at: time)
            if isAtDestination(along: place.along) { state = .arrived }
        } else {
            miss(point, at: time, isSure: isBeside)
        }
        window.move(to: wayBack?.alongRoute ?? alongRoute ?? 0, margin: plan.settings.arrowSpacingMetres)
    }

    /// Greatest distance along the route from the destination, in addition to the arrival radius, at which the wearer
    /// can arrive. It keeps the wearer from arriving at a destination that is beside an earlier stretch of the route.
    /// Unit: metres.
    private static let arrivalStretch = 20.0
    /// Distance that the wearer has to walk back before a turn that was passed counts as ahead again. Unit: metres.
    private static let turnsBack = 15.0
    /// Difference of distances up to which two points of the route count as equally near. Unit: metres.
    private static let tolerance = 10.0
    /// Time within which consecutive fixes count as one. Unit: seconds.
    private static let minimumFixInterval = 0.75
    private static let maximumPlaceCount = 6
    /// The wearer has left the route after this many consecutive positions beside it.
    private static let besideFixes = 2
    /// Probability above which a position is certainly beside the route, and probability below which this is no longer
    /// so.
    private static let besideShare = 0.9
    private static let nearShare = 0.5
    /// Number of standard deviations by which a guess must exceed the limit on the distance from the route, for a
    /// one-sided confidence of 90 %.
    private static let besideDeviations = 1.28
    /// Length at either end of a route within which a position never counts as beside it. Unit: metres.
    private static let endStretch = 5.0
    /// Fraction of the distance at which the route is left, within which a wearer counts as back on it.
    private static let returnShare = 0.5
    /// A way back that leads behind is chosen only if it is shorter than this fraction of a way back that leads ahead.
    private static let behindShare = 0.5

    /// Returns the distance within which a position is on the route. It is smaller for a wearer who has left the route.
    /// With a single limit, a wearer near it would leave and return repeatedly because of position noise. Unit: metres.
    private func reach(accuracy: Double) -> Double {
        let limit = max(plan.settings.offRouteMetres, plan.settings.offRouteAccuracies * accuracy)
        return state == .offRoute && hasBegun ? limit * Self.returnShare : limit
    }

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

    /// Counts the positions that are certainly beside the route. Positions beyond its ends do not count.
    private mutating func countBeside(_ guesses: [PositionGuess]) {
        let share = guesses.reduce(0) { sum, guess in
            let place = plan.line.nearest(to: plan.line.point(of: guess.position), within: 0...length)
            let isBetween = place.along > Self.endStretch && place.along < length - Self.endStretch
            let minimum = place.distance - Self.besideDeviations * guess.standardDeviation
            return isBetween && minimum > plan.settings.besideMetres ? sum + guess.probability : sum
        }
        if share > Self.besideShare { besides += 1 } else if share < Self.nearShare { besides = 0 }
    }

    /// - Parameter isSure: whether the wearer is certainly off the route.
    private mutating func miss(_ point: Vector3, at time: BootTime?, isSure: Bool) {
        pace.interrupt()
        let nearest = nearestAhead(of: point)
        distanceFromRoute = nearest.distance
        // A wearer who has not been on the route yet counts as off it immediately, without waiting for further fixes.
        if matcher.place == nil {
            alongRoute = nearest.along
            advanceTurns(nearest.along)
            if state == .following { state = .offRoute }
        }
        if countMiss(at: time) >= plan.settings.offRouteFixes || isSure, state == .following { state = .offRoute }
        if state == .offRoute { wayBack = WayBack(alongRoute: nearest.along, distance: nearest.distance) }
    }

    private mutating func countMiss(at time: BootTime?) -> Int {
        if let time, let lastMiss, (0..<Self.minimumFixInterval).contains(time.seconds(since: lastMiss)) {
            return misses
        }
        lastMiss = time
        misses += 1
        return misses
    }

    private func isAtDestination(along: Double) -> Bool {
        let radius = plan.settings.arrivalMetres
        return length - along <= radius + Self.arrivalStretch && distanceToEnd <= radius
    }

    // MARK: the place on the route

    /// Whether the matcher finds a point of the route for this position.
    private mutating func matches(_ point: Vector3, standardDeviation: Double, reach: Double) -> Bool {
        guard let place = matcher.place else { return begins(point, from: 0, reach: reach) }
        if matcher.follow(point, on: plan.line, standardDeviation: standardDeviation, reach: reach) { return true }
        let legs = plan.line.valleys(
            near: point, within: legs(at: place.along), bound: reach, limit: Self.maximumPlaceCount)
        if matcher.jump(point, to: legs, standardDeviation: standardDeviation) { return true }
        // The position on the route is lost. The walker may return anywhere, preferably ahead.
        guard misses + 1 >= plan.settings.offRouteFixes else { return false }
        return begins(point, from: place.along, reach: reach) || begins(point, from: 0, reach: reach)
    }

    private mutating func begins(_ point: Vector3, from along: Double, reach: Double) -> Bool {
        let range = along...max(along, length)
        let nearest = nearest(to: point, within: range)
        guard nearest.distance <= reach else { return false }
        let places = plan.line.valleys(
            near: point, within: range, bound: min(reach, nearest.distance + Self.tolerance),
            limit: Self.maximumPlaceCount)
        matcher.begin(at: point, places.isEmpty ? [nearest] : places)
        return true
    }

    /// Returns the stretch from the previous turn to the second turn ahead, which contains the current leg and the next
    /// one.
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

    /// Advances the next turn. A turn is passed at its vertex, with hysteresis so that position noise does not matter.
    private mutating func advanceTurns(_ along: Double) {
        while nextTurnIndex < turns.count, turns[nextTurnIndex].alongRoute <= along { nextTurnIndex += 1 }
        while nextTurnIndex > 0, turns[nextTurnIndex - 1].alongRoute > along + Self.turnsBack { nextTurnIndex -= 1 }
    }
}

/// Stretch of the route ahead that is shown. It begins at the nearest point and has a fixed length.
///
/// The window advances with the wearer, but moves back only beyond a margin, so that elements at its ends do not
/// flicker with position noise.
struct RouteWindow: Sendable {
    /// Distance along the route at which the window begins. Unit: metres.
    private(set) var start: Double?

    mutating func move(to along: Double, margin: Double) {
        guard let start, along < start, along >= start - margin else { return start = along }
    }

    /// Returns the window as distances along the route, clipped at the destination; nil before the first position.
    func range(length: Double, routeLength: Double) -> ClosedRange<Double>? {
        start.map { $0...min($0 + length, max($0, routeLength)) }
    }
}
