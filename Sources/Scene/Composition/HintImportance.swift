/// Which placements of a scene matter more when a display has no room to point to all.
///
/// Who has left the route is led back to it first. Then come the destination, the next turn, what clients have placed,
/// favourites, other places, later turns and the start; of each kind the nearest. The small pieces of a route lead themselves,
/// and what moves with the head is not found by turning it.
struct HintImportance {
    /// On the route. Unit: metres.
    private let nextTurn: Double?

    init(_ placements: [Placement]) {
        nextTurn = placements.lazy.filter { $0.kind == .turn }.compactMap(\.alongRoute).min()
    }

    /// The least is the most important; nil for what is never pointed to.
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
