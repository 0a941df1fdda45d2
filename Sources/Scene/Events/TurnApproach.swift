/// Remembers of each turn of a route how near it has been told, so that noise of the position tells nothing twice.
///
/// Bends, of which the route's service says nothing, are not told either.
struct TurnApproach: Sendable {
    private var plan: RoutePlan?
    /// Of each turn, the nearest grade that was told; nil is none.
    private var told: [Int?] = []

    /// What is left behind by so many times the first distance is approached anew.
    private static let anew = 1.5

    /// The next turn, near enough to be told.
    struct Near {
        var index: Int
        var turn: RouteTurn
        /// Along the route. Unit: metres.
        var distance: Double
        /// 0 is the farthest of the distances.
        var grade: Int
        /// The nearest grade that was told in this approach.
        var told: Int?
    }

    /// A route that is set again, even the same, is another one; one with other settings is not.
    func isOf(_ progress: RouteProgress) -> Bool { plan === progress.firstPlan }

    mutating func begin(_ progress: RouteProgress) {
        plan = progress.firstPlan
        told = [Int?](repeating: nil, count: progress.turns.count)
    }

    /// Nil while no turn is within the first distance.
    mutating func next(_ progress: RouteProgress, settings: SceneSettings.Announcements) -> Near? {
        guard let along = progress.alongRoute, let index = Self.nextIndex(progress) else { return nil }
        let turn = progress.turns[index]
        let distance = max(0, turn.alongRoute - along)
        if Self.isAnew(distance, settings: settings) { told[index] = nil }
        guard let grade = Self.grade(distance, settings: settings) else { return nil }
        return Near(index: index, turn: turn, distance: distance, grade: grade, told: told[index])
    }

    mutating func tell(_ near: Near) { told[near.index] = max(near.grade, told[near.index] ?? 0) }

    /// Of the first turn ahead that is told; nil past the last.
    static func nextIndex(_ progress: RouteProgress) -> Int? {
        progress.turnsAhead.firstIndex { $0.kind != .bend }
    }

    /// From so far away what comes is another approach.
    static func isAnew(_ distance: Double, settings: SceneSettings.Announcements) -> Bool {
        distance > anew * (settings.distancesMetres.max() ?? .infinity)
    }

    /// Which of the distances has been reached, 0 is the farthest; nil is none.
    static func grade(_ distance: Double, settings: SceneSettings.Announcements) -> Int? {
        let reached = settings.distancesMetres.count { distance <= $0 }
        return reached > 0 ? reached - 1 : nil
    }
}
