/// Turn that has come closer than the first announcement distance.
public struct TurnAhead: Hashable, Sendable {
    package var routeID: String
    /// Turn, with its side relative to the route, which does not depend on the wearer's heading.
    public var turn: RouteTurn
    /// Distance along the route to the turn. Unit: metres.
    public var distance: Double

    package init(routeID: String, turn: RouteTurn, distance: Double) {
        self.routeID = routeID
        self.turn = turn
        self.distance = distance
    }
}

/// Source of route events: one event for each turn that comes near and one for each change of the route's state. These
/// events are for programs; `Announcer` selects the announcements to the wearer.
public struct RouteWatch: Sendable {
    private var approach = TurnApproach()
    /// State that was last reported; a route begins as followed.
    private var state = RouteProgress.State.following

    package init() {}

    package mutating func update(
        progress: RouteProgress?, settings: SceneSettings.Announcements
    ) -> [SceneEvent] {
        guard let progress else {
            self = RouteWatch()
            return []
        }
        if !approach.isOf(progress) {
            self = RouteWatch()
            approach.begin(progress)
        }
        guard progress.alongRoute != nil else { return [] }
        return stateChange(progress) + turnAhead(progress, settings: settings)
    }

    private mutating func stateChange(_ progress: RouteProgress) -> [SceneEvent] {
        guard progress.state != state else { return [] }
        state = progress.state
        return [.route(id: progress.route.id, state: progress.state)]
    }

    private mutating func turnAhead(
        _ progress: RouteProgress, settings: SceneSettings.Announcements
    ) -> [SceneEvent] {
        guard progress.state == .following, let next = approach.next(progress, settings: settings),
            next.announcedGrade == nil
        else { return [] }
        approach.markAnnounced(next)
        return [.turnAhead(TurnAhead(routeID: progress.route.id, turn: next.turn, distance: next.distance))]
    }
}

/// State of the approach to each turn: the nearest distance at which the turn was announced, so that position noise
/// does not repeat announcements.
///
/// Bends that the route's service does not report are not announced.
struct TurnApproach: Sendable {
    private var plan: RoutePlan?
    /// Index of the nearest announcement distance that was announced, for each turn; nil if there is none.
    private var announced: [Int?] = []

    /// Ratio to the first announcement distance beyond which a turn counts as being approached anew.
    private static let anew = 1.5

    /// Next turn, if it is near enough to be announced.
    struct Near {
        var index: Int
        var turn: RouteTurn
        /// Distance along the route to the turn. Unit: metres.
        var distance: Double
        /// Index of the announcement distance that was reached; 0 is the farthest.
        var grade: Int
        /// Index of the nearest announcement distance that was announced in this approach; nil if there is none.
        var announcedGrade: Int?
    }

    /// Whether this state belongs to the route that is followed. The same route counts as a different one if it is set
    /// again, but not if only its settings change.
    func isOf(_ progress: RouteProgress) -> Bool { plan === progress.firstPlan }

    mutating func begin(_ progress: RouteProgress) {
        plan = progress.firstPlan
        announced = [Int?](repeating: nil, count: progress.turns.count)
    }

    /// Next turn; nil if it is not within the first distance.
    mutating func next(_ progress: RouteProgress, settings: SceneSettings.Announcements) -> Near? {
        guard let along = progress.alongRoute, let index = Self.nextIndex(progress) else { return nil }
        let turn = progress.turns[index]
        let distance = max(0, turn.alongRoute - along)
        if Self.isAnew(distance, settings: settings) { announced[index] = nil }
        guard let grade = Self.grade(distance, settings: settings) else { return nil }
        return Near(index: index, turn: turn, distance: distance, grade: grade, announcedGrade: announced[index])
    }

    mutating func markAnnounced(_ near: Near) { announced[near.index] = max(near.grade, announced[near.index] ?? 0) }

    /// Index of the next turn that is announced; nil after the last such turn.
    static func nextIndex(_ progress: RouteProgress) -> Int? {
        progress.turnsAhead.firstIndex { $0.kind != .bend }
    }

    /// Whether the distance is so large that a turn counts as being approached anew.
    static func isAnew(_ distance: Double, settings: SceneSettings.Announcements) -> Bool {
        distance > anew * (settings.distancesMetres.max() ?? .infinity)
    }

    /// Index of the announcement distance that was reached, 0 for the farthest; nil if there is none.
    static func grade(_ distance: Double, settings: SceneSettings.Announcements) -> Int? {
        let reached = settings.distancesMetres.count { distance <= $0 }
        return reached > 0 ? reached - 1 : nil
    }
}
