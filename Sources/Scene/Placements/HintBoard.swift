import Geometry
import Model

/// Something that the display does not show and that a hint may point to.
struct HintCandidate {
    /// Of its placement, in the order of the scene.
    let index: Int
    let id: String
    /// The least is the most important.
    let importance: Int
    /// From the wearer. Unit: metres.
    let distance: Double
    /// Where it belongs, by its own direction.
    let hint: OffscreenHint
    var memory: HintMemory
}

/// What is remembered of a placement from look to look, so that its hint does not come and go.
struct HintMemory: Sendable {
    /// Of its hint; nil while it has none.
    fileprivate var order: Int?
    /// The hint that stands for it.
    fileprivate var standIn: String?

    /// It needs no hint now.
    mutating func rest() {
        order = nil
        standIn = nil
    }
}

/// The hints on the border of one display: the most important ones, each in a place of its own; every other thing is counted
/// with the hint in its direction.
struct HintBoard: Sendable {
    private var ring = HintRing()
    private var lastTime: BootTime?

    /// Two hints change their order when the later one is nearer by this share.
    private static let swapShare = 0.1
    /// What has a hint keeps it until another is nearer by this share.
    private static let keepShare = 0.2
    /// A hint stands for what belongs this near to it on the border. Unit: half the display's height.
    private static let reach = 1.0
    /// And for what it has stood for up to this factor.
    private static let keepReach = 1.25

    /// The hints, each with the index of its placement, from the most important one on.
    ///
    /// - Parameters:
    ///   - candidates: in the order of their indices; their memories are brought up to date.
    ///   - most: hints.
    mutating func update(
        _ candidates: inout [HintCandidate], border: DisplayBorder, most: Int, spacing: Double, at time: BootTime
    ) -> [(index: Int, hint: OffscreenHint)] {
        let seconds = lastTime.map { time.seconds(since: $0) } ?? 0
        lastTime = time
        let ranked = Self.ranked(candidates)
        let shown = Self.inOrder(ranked.prefix(max(0, most)), of: candidates)
        let belongs = shown.map { number in
            (id: candidates[number].id, arc: border.arc(u: candidates[number].hint.u, v: candidates[number].hint.v))
        }
        let arcs = ring.place(belongs, on: border, spacing: spacing, seconds: seconds)
        var hints: [(index: Int, hint: OffscreenHint)] = []
        for (order, number) in shown.enumerated() {
            (candidates[number].memory.order, candidates[number].memory.standIn) = (order, nil)
            let point = border.point(at: arcs[order])
            let hint = OffscreenHint(u: point.u, v: point.v, turn: candidates[number].hint.turn, order: order)
            hints.append((candidates[number].index, hint))
        }
        for number in ranked.dropFirst(max(0, most)) {
            let candidate = candidates[number]
            let standIn = Self.standIn(
                for: border.arc(u: candidate.hint.u, v: candidate.hint.v), before: candidate.memory.standIn,
                among: belongs, border, spacing)
            (candidates[number].memory.order, candidates[number].memory.standIn) = (
                nil, standIn.map { belongs[$0].id }
            )
            if let standIn { hints[standIn].hint.count += 1 }
        }
        return hints
    }

    /// The numbers of the candidates, those first that are to have a hint.
    private static func ranked(_ candidates: [HintCandidate]) -> [Int] {
        candidates.indices.map { number in
            let share = candidates[number].memory.order == nil ? 1 : 1 - keepShare
            return (candidates[number].importance, candidates[number].distance * share, number)
        }.sorted(by: <).map(\.2)
    }

    /// In the order of last time, but where another one is clearly nearer.
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
        // Each exchange brings a nearer one forward, so that it comes to an end.
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

    /// The hint in whose direction something lies; nil where there is none.
    private static func standIn(
        for arc: Double, before: String?, among hints: [(id: String, arc: Double)], _ border: DisplayBorder,
        _ spacing: Double
    ) -> Int? {
        var nearest: (place: Int, way: Double)?
        for (place, hint) in hints.enumerated() {
            let isBefore = hint.id == before
            let way = border.way(from: hint.arc, to: arc).magnitude
            guard way <= reach * (isBefore ? keepReach : 1) else { continue }
            let compared = isBefore ? way - spacing / 2 : way
            if compared < nearest?.way ?? .infinity { nearest = (place, compared) }
        }
        return nearest?.place
    }
}
