import Geometry
import Model

/// Placement out of view to which a hint may point.
struct HintCandidate {
    let index: Int
    let id: String
    /// Rank of the candidate; the least number is the most important.
    let importance: Int
    /// Distance from the wearer. Unit: metres.
    let distance: Double
    /// Ideal hint, which is in the placement's own direction.
    let hint: OffscreenHint
    var memory: HintMemory
}

/// State of a placement's hint between frames. It provides hysteresis.
struct HintMemory: Sendable {
    /// Order of the placement's hint; nil if the placement has no hint.
    fileprivate var order: Int?
    /// Identifier of the hint that represents the placement.
    fileprivate var standIn: String?
}

/// Layout of the hints on the border of one display. It shows the most important hints without overlap, each near its
/// ideal position. A placement without a hint is counted with the hint in its direction.
struct HintLayout: Sendable {
    private var ring = HintRing()
    private var lastTime: BootTime?

    /// Fraction of the distance by which the later of two hints must be nearer before the two exchange their order.
    private static let swapShare = 0.1
    /// Fraction of the distance by which another placement must be nearer before it takes over a hint.
    private static let keepShare = 0.2
    /// Distance along the border within which a hint represents other placements. Unit: half the display's height.
    private static let reach = 1.0
    /// Greatest displacement of a hint: 2.5 % of the display's height, or 18 of 720 pixels. A hint is then within 25
    /// pixels of its exact position, including changes that are too small to be sent (`PlacementChange.hint`). Unit:
    /// half the display's height.
    private static let maximumOffset = 0.05
    /// Additional distance from its neighbours that a hint needs before it appears, so that it does not flicker among
    /// them. Unit: half the display's height.
    private static let entry = 0.06
    /// Multiple of `reach` up to which a placement stays with the hint that represents it.
    private static let keepReach = 1.25

    /// Returns the hints with the indices of their placements, most important first.
    ///
    /// - Parameters:
    ///   - candidates: candidates in order of their indices. Their states are updated.
    ///   - maximum: maximum number of hints.
    mutating func update(
        _ candidates: inout [HintCandidate], border: DisplayBorder, maximum: Int, spacing: Double, at time: BootTime
    ) -> [(index: Int, hint: OffscreenHint)] {
        let seconds = lastTime.map { time.seconds(since: $0) } ?? 0
        lastTime = time
        let ranked = Self.ranked(candidates)
        let chosen = Self.chosen(ranked, of: candidates, border: border, maximum: maximum, spacing: spacing)
        let shown = Self.inOrder(chosen, of: candidates)
        let belongs = shown.map { number in
            (id: candidates[number].id, arc: border.arc(u: candidates[number].hint.u, v: candidates[number].hint.v))
        }
        let limits = HintLimits(
            belongs.map { HintLimits.Claim(arc: $0.arc) }, on: border, spacing: spacing, reach: Self.maximumOffset)
        var arcs = ring.place(belongs, on: border, spacing: spacing, seconds: seconds)
        if let limits { arcs = limits.clamped(arcs, on: border) }
        var hints: [(index: Int, hint: OffscreenHint)] = []
        for (order, number) in shown.enumerated() {
            candidates[number].memory = HintMemory(order: order)
            let point = border.point(at: arcs[order])
            let hint = OffscreenHint(u: point.u, v: point.v, turn: candidates[number].hint.turn, order: order)
            hints.append((candidates[number].index, hint))
        }
        let hinted = Set(shown)
        for number in ranked where !hinted.contains(number) {
            let candidate = candidates[number]
            let standIn = Self.standIn(
                for: border.arc(u: candidate.hint.u, v: candidate.hint.v), before: candidate.memory.standIn,
                among: belongs, border, spacing)
            candidates[number].memory = HintMemory(standIn: standIn.map { belongs[$0].id })
            if let standIn { hints[standIn].hint.count += 1 }
        }
        return hints
    }

    private static func ranked(_ candidates: [HintCandidate]) -> [Int] {
        candidates.indices.map { number in
            let share = candidates[number].memory.order == nil ? 1 : 1 - keepShare
            return (candidates[number].importance, candidates[number].distance * share, number)
        }.sorted(by: <).map(\.2)
    }

    /// Returns the most important candidates for which there is room on the border.
    private static func chosen(
        _ ranked: [Int], of candidates: [HintCandidate], border: DisplayBorder, maximum: Int, spacing: Double
    ) -> [Int] {
        var chosen: [Int] = []
        var claims: [HintLimits.Claim] = []
        for number in ranked {
            guard chosen.count < maximum else { break }
            let hint = candidates[number].hint
            claims.append(
                HintLimits.Claim(
                    arc: border.arc(u: hint.u, v: hint.v), margin: candidates[number].memory.order == nil ? entry : 0))
            if HintLimits(claims, on: border, spacing: spacing, reach: maximumOffset) == nil {
                claims.removeLast()
            } else {
                chosen.append(number)
            }
        }
        return chosen
    }

    /// Returns the previous order, changed only where another hint is clearly nearer.
    private static func inOrder(_ shown: some Sequence<Int>, of candidates: [HintCandidate]) -> [Int] {
        func isBefore(_ a: Int, _ b: Int, margin: Double) -> Bool {
            let (a, b) = (candidates[a], candidates[b])
            return (a.importance, a.distance) < (b.importance, b.distance * (1 - margin))
        }
        let (known, new) = (
            shown.filter { candidates[$0].memory.order != nil }, shown.filter { candidates[$0].memory.order == nil }
        )
        var order = known.sorted { (candidates[$0].memory.order ?? 0) < (candidates[$1].memory.order ?? 0) }
        for number in new {
            order.insert(number, at: order.firstIndex { isBefore(number, $0, margin: 0) } ?? order.count)
        }
        // The loop terminates, because each exchange moves a nearer hint forward.
        var place = 1
        while place < order.count {
            if isBefore(order[place], order[place - 1], margin: swapShare) {
                order.swapAt(place, place - 1)
                place = max(1, place - 1)
            } else {
                place += 1
            }
        }
        return order
    }

    /// Returns the index of the hint in the direction of a placement; nil if there is none.
    private static func standIn(
        for arc: Double, before: String?, among hints: [(id: String, arc: Double)], _ border: DisplayBorder,
        _ spacing: Double
    ) -> Int? {
        var nearest: (place: Int, distance: Double)?
        for (place, hint) in hints.enumerated() {
            let isBefore = hint.id == before
            let distance = border.distance(from: hint.arc, to: arc).magnitude
            guard distance <= reach * (isBefore ? keepReach : 1) else { continue }
            let compared = isBefore ? distance - spacing / 2 : distance
            if compared < nearest?.distance ?? .infinity { nearest = (place, compared) }
        }
        return nearest?.place
    }
}

/// Importance of placements, used when more placements are out of view than a display has hints.
///
/// The way back to a route that was left comes first, then the destination, the next turn, anchors, favourites, other
/// places, later turns and the start. Within each kind, the nearest comes first. Arrows and nodes have no hints because
/// they form a line. Head-locked placements have none because turning the head does not bring them into view.
struct HintImportance {
    /// Distance along the route to the next turn. Unit: metres.
    private let nextTurn: Double?

    init(_ placements: [Placement]) {
        nextTurn = placements.lazy.filter { $0.kind == .turn }.compactMap(\.alongRoute).min()
    }

    /// Returns the rank of a placement, where the least number is the most important; nil for a placement that never
    /// has a hint.
    func of(_ placement: Placement) -> Int? {
        guard placement.lock == .scene else { return nil }
        return switch placement.kind {
        case .route: 0
        case .destination: 1
        case .turn: placement.alongRoute == nextTurn ? 2 : 6
        case .anchor: 3
        case .place, .cluster: placement.isFavorite ? 4 : 5
        case .start: 7
        case .arrow, .node: nil
        }
    }
}
