import Geometry
import Glibc

/// Positions of hints on the border of a display. Each is as near to its ideal position as the other hints allow.
/// `HintLimits` decides which hints there are, and how far they may be moved.
///
/// Crowded hints are moved apart to both sides, in order along the border. Three mechanisms keep them from jumping:
/// - Two hints that pass each other exchange their order only when each is half of the spacing past the other.
/// - A hint that appears or jumps yields to the others. Within half a second, its weight grows to theirs.
/// - The gap of a hint that disappeared closes over half a second.
struct HintRing {
    private struct Entry {
        /// Identifier; empty for the gap of a hint that has jumped elsewhere.
        var id: String
        /// Ideal arc. Unit: half the display's height, as for all other arcs.
        var arc: Double
        /// Arc that determines the order. It follows the ideal arc with a dead band of half the spacing.
        var held: Double
        /// Weight in the least-squares placement, from 0 for a new hint to 1.
        var weight: Double
        var isShown: Bool
    }

    private var entries: [Entry] = []
    /// Whether any hint has been placed before. The first hints have full weight from the start.
    private var hasBegun = false

    /// Time in which a weight changes between 0 and 1. Unit: seconds.
    private static let settling = 0.5
    /// Least weight, which gives new and disappearing hints a defined position.
    private static let minimumWeight = 0.02
    /// Movement between two frames that counts as a jump, in spacings, and its least value, in units of half the
    /// display's height.
    private static let jump = 2.0
    private static let minimumJump = 0.2

    /// Returns the arcs of hints, in their order. They are at least `spacing` apart if the border has enough room.
    ///
    /// - Parameters:
    ///   - hints: unique identifiers with the ideal arc of each.
    ///   - seconds: time since the last call.
    mutating func place(
        _ hints: [(id: String, arc: Double)], on border: DisplayBorder, spacing: Double, seconds: Double
    ) -> [Double] {
        let step = max(0, seconds) / Self.settling
        for index in entries.indices { entries[index].isShown = false }
        for hint in hints { take(hint.id, hint.arc, on: border, spacing, step) }
        for index in entries.indices where !entries[index].isShown { entries[index].weight -= step }
        entries.removeAll { !$0.isShown && $0.weight <= 0 }
        forgetSurplus(hints.count)
        hasBegun = true
        let arcs = spread(on: border, spacing)
        return hints.map { hint in
            entries.firstIndex { $0.id == hint.id }.map { arcs[$0] } ?? hint.arc
        }
    }

    private mutating func take(_ id: String, _ arc: Double, on border: DisplayBorder, _ spacing: Double, _ step: Double)
    {
        guard let index = entries.firstIndex(where: { $0.id == id }) else {
            entries.append(Entry(id: id, arc: arc, held: arc, weight: hasBegun ? 0 : 1, isShown: true))
            return
        }
        let hasJumped =
            border.distance(from: entries[index].arc, to: arc).magnitude > max(Self.minimumJump, Self.jump * spacing)
        entries[index].isShown = true
        if hasJumped {
            // The gap that the hint leaves closes as if the hint had disappeared.
            var left = entries[index]
            (left.id, left.isShown) = ("", false)
            (entries[index].arc, entries[index].held, entries[index].weight) = (arc, arc, 0)
            entries.append(left)
        } else {
            entries[index].arc = arc
            let behind = border.distance(from: arc, to: entries[index].held)
            entries[index].held = arc + min(max(behind, -spacing / 2), spacing / 2)
            entries[index].weight = min(1, entries[index].weight + step)
        }
    }

    /// Removes gaps until there are no more gaps than hints.
    private mutating func forgetSurplus(_ shown: Int) {
        while entries.count > 2 * shown, let gone = entries.firstIndex(where: { !$0.isShown }) {
            entries.remove(at: gone)
        }
    }

    private mutating func spread(on border: DisplayBorder, _ spacing: Double) -> [Double] {
        if let arcs = spread(border, spacing) { return arcs }
        // Entries that are passing each other need too much room, so they exchange their order now.
        for index in entries.indices { entries[index].held = entries[index].arc }
        let (count, perimeter) = (Double(entries.count), border.perimeter)
        // If k of the n gaps are narrower than the spacing s, the widest gap stays free if perimeter > k·s + (k + 1)·(n
        // − k)·s. The smaller spacing that is used here satisfies this for every k.
        return spread(border, spacing) ?? spread(border, perimeter / (count * count / 4 + 2 * count))
            ?? entries.map(\.arc)
    }

    /// Returns the arcs with the least weighted sum of squared displacements; nil if the border is too short.
    ///
    /// Let s be the arc of the hint with index i in clockwise order, and z = s − i·spacing. The arcs are at least the
    /// spacing apart if z does not decrease. The solution is therefore an isotonic regression (pool adjacent
    /// violators).
    private func spread(_ border: DisplayBorder, _ spacing: Double) -> [Double]? {
        guard entries.count > 1 else { return entries.map(\.arc) }
        let order = order(on: border)
        let start = entries[order[0]].held
        var blocks: [(sum: Double, weight: Double, count: Int)] = []
        for (place, index) in order.enumerated() {
            let entry = entries[index]
            let held = start + border.clockwise(from: start, to: entry.held)
            let weight = max(Self.minimumWeight, entry.weight)
            let target = held + border.distance(from: held, to: entry.arc) - Double(place) * spacing
            blocks.append((target * weight, weight, 1))
            while blocks.count > 1, let last = blocks.last,
                blocks[blocks.count - 2].sum / blocks[blocks.count - 2].weight > last.sum / last.weight
            {
                blocks.removeLast()
                blocks[blocks.count - 1].sum += last.sum
                blocks[blocks.count - 1].weight += last.weight
                blocks[blocks.count - 1].count += last.count
            }
        }
        var places: [Double] = []
        for block in blocks {
            for _ in 0..<block.count { places.append(block.sum / block.weight + Double(places.count) * spacing) }
        }
        guard places[0] + border.perimeter - places[places.count - 1] >= spacing else { return nil }
        var arcs = [Double](repeating: 0, count: entries.count)
        for (place, index) in order.enumerated() { arcs[index] = places[place] }
        return arcs
    }

    /// Returns the entries clockwise, beginning after the widest gap.
    private func order(on border: DisplayBorder) -> [Int] {
        let round = entries.map { border.clockwise(from: 0, to: $0.held) }
        let sorted = entries.indices.sorted { (round[$0], entries[$0].id) < (round[$1], entries[$1].id) }
        var (first, widest) = (0, -Double.infinity)
        for place in sorted.indices {
            let before = round[sorted[place == 0 ? sorted.count - 1 : place - 1]]
            let gap = round[sorted[place]] - before + (place == 0 ? border.perimeter : 0)
            if gap > widest { (first, widest) = (place, gap) }
        }
        return Array(sorted[first...] + sorted[..<first])
    }
}
