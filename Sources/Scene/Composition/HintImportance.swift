/// Importance of placements when a display has fewer hints than placements out of view.
///
/// The way back to a route that was left comes first, then the destination, the next turn, anchors, favourites, other
/// places, later turns and the start; within each kind the nearest. Arrows and nodes have no hints because they form a
/// line, and head-locked placements because turning the head does not bring them into view.
struct HintImportance {
    /// Distance along the route to the next turn. Unit: metres.
    private let nextTurn: Double?

    init(_ placements: [Placement]) {
        nextTurn = placements.lazy.filter { $0.kind == .turn }.compactMap(\.alongRoute).min()
    }

    /// Rank of a placement, the least is the most important; nil for one that never has a hint.
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
