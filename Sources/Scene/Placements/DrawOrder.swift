/// Drawing order of flat objects, far to near, with hysteresis between frames.
///
/// Each object is ranked by a held distance, which is updated when the true one differs by a margin. Two objects at
/// nearly equal distances therefore do not swap back and forth, and two that differ by more than both margins are
/// always in true order.
public struct DrawOrder: Hashable, Sendable {
    private struct Held: Hashable {
        /// Held distance. Unit: metres.
        var distance: Double
        var number: Int
    }

    /// Margin as a share of the distance.
    private static let marginShare = 0.01
    /// Least margin. Unit: metres.
    private static let leastMargin = 0.25

    /// Held distances and numbers by identifier.
    private var held: [String: Held] = [:]

    /// Order without objects.
    public init() {}

    /// Drawing number of each object: the least is the farthest and drawn first; equal distances are ordered by
    /// identifier. An object keeps its number while others appear, disappear and pass it, because the numbers have
    /// gaps; only where a gap is full some neighbours are renumbered. Objects that are absent are forgotten.
    ///
    /// - Parameter distances: distances of the objects in the order of `ids`, which are unique. Unit: metres.
    public mutating func numbers(distances: [Double], ids: [String]) -> [Int] {
        precondition(distances.count == ids.count, "each thing has one distance and one id")
        let steady = zip(distances, ids).map { distance, id in
            guard let before = held[id]?.distance, (before - distance).magnitude <= Self.margin(before) else {
                return distance
            }
            return before
        }
        let order = ids.indices.sorted { (-steady[$0], ids[$0]) < (-steady[$1], ids[$1]) }
        let inOrder = OrderNumbers.assign(order.map { held[ids[$0]]?.number })
        var numbers = [Int](repeating: 0, count: ids.count)
        var next: [String: Held] = [:]
        next.reserveCapacity(ids.count)
        for (index, number) in zip(order, inOrder) {
            numbers[index] = number
            next[ids[index]] = Held(distance: steady[index], number: number)
        }
        held = next
        return numbers
    }

    private static func margin(_ distance: Double) -> Double { max(leastMargin, marginShare * distance) }
}
