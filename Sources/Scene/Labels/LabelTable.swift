import Model

/// What is remembered of one label between compositions.
struct LabelMemory: Sendable {
    /// Nil while it is not shown.
    var slot: Int?
    /// In which it was shown last; nil before the first time.
    var lastSlot: Int?
    /// When it moved from one slot to another of late, in order.
    var moves: [BootTime] = []
    /// Since when there has been a better slot for it.
    var wishSince: BootTime?
    var seen: BootTime
    /// Whether this is its first composition.
    var isNew = true

    /// Whether it may be shown in another slot than the last time.
    var mayMove: Bool { lastSlot == nil || moves.count < LabelRules.mostMoves }
}

/// The labels of one composition and who holds which slot.
struct LabelTable {
    struct Label {
        var id: String
        var sight: LabelSight
        /// Unit: metres.
        var distance: Double
        var priority: Int
        /// Its own, which it never covers.
        var mark: LabelMark
        var choice: LabelChoice
        var memory: LabelMemory
    }

    /// A mark so high that labels may cover it.
    private struct HighMark {
        var mark: LabelMark
        var sight: LabelSight
        var halfAzimuth: Double
        /// Of the label that names it; nil where none does.
        var number: Int?
    }

    let rules: LabelRules
    let time: BootTime
    /// Of the wearer. Unit: m/s.
    let velocity: (east: Double, north: Double)
    /// In the order of rank, the one first that has its way.
    private(set) var labels: [Label]
    /// Of each label; by itself, as every pair is looked at.
    private let sights: [LabelSight]
    /// Of each slot, the numbers of the labels in it.
    private(set) var holders: [[Int]]
    private var highMarks: [HighMark] = []

    /// - Parameter marks: besides those of the labels.
    init(
        _ unordered: [Label], marks: [LabelMark], rules: LabelRules, velocity: (east: Double, north: Double),
        time: BootTime
    ) {
        self.rules = rules
        self.velocity = velocity
        self.time = time
        labels = unordered.sorted {
            if $0.priority != $1.priority { return $0.priority > $1.priority }
            return $0.distance != $1.distance ? $0.distance < $1.distance : $0.id < $1.id
        }
        sights = labels.map(\.sight)
        holders = [[Int]](repeating: [], count: rules.places.count)
        for (number, label) in labels.enumerated() {
            if let slot = label.memory.slot { holders[slot].append(number) }
        }
        guard let lowest = rules.places.first?.box.lowest else { return }
        for (number, label) in labels.enumerated() { add(label.mark, above: lowest, number) }
        for mark in marks { add(mark, above: lowest, nil) }
    }

    private mutating func add(_ mark: LabelMark, above lowest: Double, _ number: Int?) {
        guard mark.highest > lowest else { return }
        highMarks.append(
            HighMark(
                mark: mark, sight: LabelSight(azimuth: mark.azimuth, distance: 1), halfAzimuth: mark.halfAzimuth,
                number: number))
    }

    /// Whether a label would cover some of another's mark in a slot.
    func coversMark(_ number: Int, in slot: Int) -> Bool {
        let box = rules.places[slot].box
        return highMarks.contains { high in
            high.number != number && box.lowest < high.mark.highest && box.highest > high.mark.lowest
                && sights[number].gap(to: high.sight) < box.halfAzimuth + high.halfAzimuth
        }
    }

    /// Whether a label would cover its own mark in a slot.
    func coversOwnMark(_ number: Int, in slot: Int) -> Bool {
        let mark = labels[number].mark
        return rules.places[slot].covers(elevation: mark.elevation, radius: mark.radius)
    }

    /// The slots that a label may move to. One whose mark has come upon its last slot may move, however often it has.
    func slots(for number: Int) -> some Sequence<Int> {
        let memory = labels[number].memory
        let (held, last) = (memory.slot, memory.lastSlot)
        let mayMove = memory.mayMove || last.map { coversOwnMark(number, in: $0) } ?? true
        return labels[number].choice.slots.lazy.filter { $0 != held && (mayMove || $0 == last) }
    }

    func slot(of number: Int) -> Int? { labels[number].memory.slot }

    /// Nil takes the label's slot away.
    mutating func move(_ number: Int, to slot: Int?) {
        if let old = labels[number].memory.slot { holders[old].removeAll { $0 == number } }
        labels[number].memory.slot = slot
        labels[number].memory.wishSince = nil
        guard let slot else { return }
        holders[slot].append(number)
        if let last = labels[number].memory.lastSlot, last != slot { labels[number].memory.moves.append(time) }
        labels[number].memory.lastSlot = slot
    }

    /// Whether a label that wishes for something has done so for long enough; new ones have.
    mutating func isPatient(_ number: Int) -> Bool {
        let memory = labels[number].memory
        guard !memory.isNew else { return true }
        guard let since = memory.wishSince else {
            labels[number].memory.wishSince = time
            return rules.patienceSeconds <= 0
        }
        return time.seconds(since: since) >= rules.patienceSeconds
    }

    mutating func forgetWish(_ number: Int) { labels[number].memory.wishSince = nil }

    func gap(_ a: Int, _ b: Int) -> Double { sights[a].gap(to: sights[b]) }

    func isFree(_ slot: Int, for number: Int, room: Double) -> Bool {
        let sight = sights[number]
        for holder in holders[slot] where holder != number && sight.gap(to: sights[holder]) < room { return false }
        return true
    }

    /// For how many seconds a label will be alone in a slot while the wearer walks straight on.
    func stay(of number: Int, in slot: Int, except: Int? = nil) -> Double {
        var first = Double.infinity
        for holder in holders[slot] where holder != number && holder != except {
            first = min(first, seconds(untilMeet: number, holder, in: slot))
        }
        return first
    }

    /// While the wearer walks straight on; 0 when they overlap.
    func seconds(untilMeet a: Int, _ b: Int, in slot: Int) -> Double {
        sights[a].seconds(
            untilWithin: rules.widths[slot], of: sights[b], east: velocity.east, north: velocity.north)
    }

    /// The free slot in which a label will be alone for long, the last one rather than another, low rather than high.
    func best(for number: Int) -> (slot: Int, stay: Double)? {
        let memory = labels[number].memory
        var best: (slot: Int, stay: Double)?
        var bestScore = -Double.infinity
        for slot in slots(for: number) {
            guard isFree(slot, for: number, room: rules.room(slot)) else { continue }
            let stay = stay(of: number, in: slot)
            let score =
                min(stay, LabelRules.horizon) / LabelRules.horizon - LabelRules.slotCost * Double(slot)
                + (slot == memory.lastSlot ? LabelRules.returnGain : 0)
                - (coversMark(number, in: slot) ? LabelRules.coverCost : 0)
            if score > bestScore { (best, bestScore) = ((slot, stay), score) }
        }
        return best
    }
}
