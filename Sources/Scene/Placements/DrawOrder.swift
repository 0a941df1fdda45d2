/// The order in which flat things are drawn so that the nearer one covers the farther one, and the same in each frame.
///
/// Each thing is ranked by a distance that it holds until the true one is a margin away from it. So two that are nearly
/// equally far do not swap back and forth, and two that differ by more than both margins are always in their true order.
public struct DrawOrder: Hashable, Sendable {
    private struct Held: Hashable {
        /// Unit: metres.
        var distance: Double
        var number: Int
    }

    /// Of a thing's distance.
    private static let marginShare = 0.01
    /// Unit: metres.
    private static let leastMargin = 0.25

    /// By id.
    private var held: [String: Held] = [:]

    public init() {}

    /// The number of each: what has the least is the farthest and is drawn first; what is equally far goes by its id. A thing
    /// keeps its number while others come, go and pass it, for the numbers have gaps; only where a gap is full some around it
    /// change. Things that are no longer named are forgotten.
    ///
    /// - Parameter distances: of the things in the order of `ids`, which are all different. Unit: metres.
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
