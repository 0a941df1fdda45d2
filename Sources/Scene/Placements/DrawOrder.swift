/// The order in which flat things are drawn so that the nearer one covers the farther one, and the same in each frame.
///
/// Each thing is ranked by a distance that it holds until the true one is a margin away from it. So two that are nearly
/// equally far do not swap back and forth, and two that differ by more than both margins are always in their true order.
public struct DrawOrder: Hashable, Sendable {
    /// Of a thing's distance.
    private static let marginShare = 0.01
    /// Unit: metres.
    private static let leastMargin = 0.25

    /// By id.
    private var held: [String: Double] = [:]

    public init() {}

    /// The rank of each, 0 for the farthest, which is drawn first; what is equally far goes by its id.
    ///
    /// - Parameter distances: of the things in the order of `ids`. Unit: metres.
    public static func ranks(distances: [Double], ids: [String]) -> [Int] {
        precondition(distances.count == ids.count, "each thing has one distance and one id")
        let order = distances.indices.sorted { (-distances[$0], ids[$0]) < (-distances[$1], ids[$1]) }
        var ranks = [Int](repeating: 0, count: order.count)
        for (rank, index) in order.enumerated() { ranks[index] = rank }
        return ranks
    }

    /// As the static one, with what was drawn before in mind; things that are no longer named are forgotten.
    public mutating func ranks(distances: [Double], ids: [String]) -> [Int] {
        precondition(distances.count == ids.count, "each thing has one distance and one id")
        var next: [String: Double] = [:]
        next.reserveCapacity(ids.count)
        var steady = distances
        for (index, id) in ids.enumerated() {
            if let before = held[id], (before - distances[index]).magnitude <= Self.margin(before) {
                steady[index] = before
            }
            next[id] = steady[index]
        }
        held = next
        return Self.ranks(distances: steady, ids: ids)
    }

    private static func margin(_ distance: Double) -> Double { max(leastMargin, marginShare * distance) }
}
