import Model

/// State of one label between layouts.
struct LabelMemory: Sendable {
    /// Current slot; nil while the label is hidden.
    var slot: Int?
    /// Last slot in which the label was shown; nil if it has never been shown.
    var lastSlot: Int?
    /// Times of the label's recent moves between slots, in order.
    var moves: [BootTime] = []
    /// Time since which a better slot has been available.
    var waitingSince: BootTime?
    var seen: BootTime
    var isNew = true

    /// Whether the label may be shown in a slot other than the last one.
    var mayMove: Bool { lastSlot == nil || moves.count < LabelRules.maximumMoveCount }
}

/// Labels of one layout and the slots that they hold.
struct LabelTable {
    struct Label {
        var id: String
        var sight: LabelSight
        /// Distance of the label's placement. Unit: metres.
        var distance: Double
        var priority: Int
        /// Mark of its placement, which the label never covers.
        var mark: LabelMark
        var choice: LabelChoice
        var memory: LabelMemory
    }

    /// Mark so high that labels may cover it.
    private struct HighMark {
        var mark: LabelMark
        var sight: LabelSight
        var halfAzimuth: Double
        /// Index of the label of the same placement; nil if the placement has no label.
        var number: Int?
    }

    let rules: LabelRules
    let time: BootTime
    /// Velocity of the wearer. Unit: m/s.
    let velocity: (east: Double, north: Double)
    /// Labels in order of rank, highest first.
    private(set) var labels: [Label]
    /// Direction of each label, stored separately because every pair is compared.
    private let sights: [LabelSight]
    /// Indices of the labels in each slot.
    private(set) var holders: [[Int]]
    private var highMarks: [HighMark] = []

    /// - Parameter marks: marks in addition to those of the labels.
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

    /// Whether a label in a slot would cover part of the mark of another placement.
    func coversMark(_ number: Int, in slot: Int) -> Bool {
        let box = rules.places[slot].box
        return highMarks.contains { high in
            high.number != number && box.lowest < high.mark.highest && box.highest > high.mark.lowest
                && sights[number].gap(to: high.sight) < box.halfAzimuth + high.halfAzimuth
        }
    }

    func coversOwnMark(_ number: Int, in slot: Int) -> Bool {
        let mark = labels[number].mark
        return rules.places[slot].covers(elevation: mark.elevation, radius: mark.radius)
    }

    /// Returns the slots to which a label may move. A label whose own mark covers its last slot may move, however often
    /// it has moved before.
    func slots(for number: Int) -> some Sequence<Int> {
        let memory = labels[number].memory
        let (held, last) = (memory.slot, memory.lastSlot)
        let mayMove = memory.mayMove || last.map { coversOwnMark(number, in: $0) } ?? true
        return labels[number].choice.slots.lazy.filter { $0 != held && (mayMove || $0 == last) }
    }

    func slot(of number: Int) -> Int? { labels[number].memory.slot }

    /// Moves a label to a slot, or hides it if the slot is nil.
    mutating func move(_ number: Int, to slot: Int?) {
        if let old = labels[number].memory.slot { holders[old].removeAll { $0 == number } }
        labels[number].memory.slot = slot
        labels[number].memory.waitingSince = nil
        guard let slot else { return }
        holders[slot].append(number)
        if let last = labels[number].memory.lastSlot, last != slot { labels[number].memory.moves.append(time) }
        labels[number].memory.lastSlot = slot
    }

    /// Whether a label has waited long enough for a voluntary move. A new label need not wait.
    mutating func isPatient(_ number: Int) -> Bool {
        let memory = labels[number].memory
        guard !memory.isNew else { return true }
        guard let since = memory.waitingSince else {
            labels[number].memory.waitingSince = time
            return rules.patienceSeconds <= 0
        }
        return time.seconds(since: since) >= rules.patienceSeconds
    }

    mutating func endWait(_ number: Int) { labels[number].memory.waitingSince = nil }

    func gap(_ a: Int, _ b: Int) -> Double { sights[a].gap(to: sights[b]) }

    func isFree(_ slot: Int, for number: Int, room: Double) -> Bool {
        let sight = sights[number]
        for holder in holders[slot] where holder != number && sight.gap(to: sights[holder]) < room { return false }
        return true
    }

    /// Returns the time for which a label stays in a slot without overlap while the wearer walks straight on. Unit:
    /// seconds.
    func stay(of number: Int, in slot: Int, except: Int? = nil) -> Double {
        var first = Double.infinity
        for holder in holders[slot] where holder != number && holder != except {
            first = min(first, seconds(untilMeet: number, holder, in: slot))
        }
        return first
    }

    /// Returns the time until two labels overlap while the wearer walks straight on; 0 if they overlap now. Unit:
    /// seconds.
    func seconds(untilMeet a: Int, _ b: Int, in slot: Int) -> Double {
        sights[a].seconds(
            untilWithin: rules.widths[slot], of: sights[b], east: velocity.east, north: velocity.north)
    }

    /// Returns the best free slot for a label. It has a long stay, is preferably the last slot, and is low rather than
    /// high.
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
