/// Turn that has come closer than the first announcement distance.
public struct TurnAhead: Hashable, Sendable {
    package var routeID: String
    /// Turn. Its side is relative to the route and does not depend on the wearer's heading.
    public var turn: RouteTurn
    /// Distance along the route to the turn. Unit: metres.
    public var distance: Double

    package init(routeID: String, turn: RouteTurn, distance: Double) {
        self.routeID = routeID
        self.turn = turn
        self.distance = distance
    }
}

/// Source of route events: one for each turn that comes near and one for each change of the route's state. These events
/// are for programs, whereas `Announcer` selects the announcements to the wearer.
public struct RouteWatch: Sendable {
    private var approach = TurnApproach()
    /// State that was last reported. A route starts in the state `following`.
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

/// State of the approach to each turn: the nearest distance at which the turn was announced. It keeps position noise
/// from repeating an announcement.
///
/// Bends of the route that its service does not report are not announced.
struct TurnApproach: Sendable {
    private var plan: RoutePlan?
    /// Index of the nearest announcement distance that was announced, for each turn; nil if there is none.
    private var announced: [Int?] = []

    /// Ratio to the first announcement distance beyond which a turn counts as being approached again.
    private static let anew = 1.5

    /// Next turn, if it is near enough to be announced.
    struct Near {
        var index: Int
        var turn: RouteTurn
        /// Distance along the route to the turn. Unit: metres.
        var distance: Double
        /// Index of the announcement distance that was reached. The farthest has index 0.
        var grade: Int
        /// Index of the nearest announcement distance that was announced in this approach; nil if there is none.
        var announcedGrade: Int?
    }

    /// Whether this state belongs to the route that is followed. A route counts as a different one if it is set again,
    /// but not if only its settings change.
    func isOf(_ progress: RouteProgress) -> Bool { plan === progress.firstPlan }

    mutating func begin(_ progress: RouteProgress) {
        plan = progress.firstPlan
        announced = [Int?](repeating: nil, count: progress.turns.count)
    }

    /// Returns the next turn; nil if it is not within the first announcement distance.
    mutating func next(_ progress: RouteProgress, settings: SceneSettings.Announcements) -> Near? {
        guard let along = progress.alongRoute, let index = Self.nextIndex(progress) else { return nil }
        let turn = progress.turns[index]
        let distance = max(0, turn.alongRoute - along)
        if Self.isAnew(distance, settings: settings) { announced[index] = nil }
        guard let grade = Self.grade(distance, settings: settings) else { return nil }
        return Near(index: index, turn: turn, distance: distance, grade: grade, announcedGrade: announced[index])
    }

    mutating func markAnnounced(_ near: Near) { announced[near.index] = max(near.grade, announced[near.index] ?? 0) }

    /// Returns the index of the next turn that is announced; nil after the last such turn.
    static func nextIndex(_ progress: RouteProgress) -> Int? {
        progress.turnsAhead.firstIndex { $0.kind != .bend }
    }

    /// Whether the distance is so large that a turn counts as being approached again.
    static func isAnew(_ distance: Double, settings: SceneSettings.Announcements) -> Bool {
        distance > anew * (settings.distancesMetres.max() ?? .infinity)
    }

    /// Returns the index of the announcement distance that was reached, 0 for the farthest; nil if there is none.
    static func grade(_ distance: Double, settings: SceneSettings.Announcements) -> Int? {
        let reached = settings.distancesMetres.count { distance <= $0 }
        return reached > 0 ? reached - 1 : nil
    }
}
