/// Keeps a scene within what a renderer can draw: what matters most stays, and nothing comes and goes at the border.
///
/// The route comes first, then anchors, then favourites, then everything else; within each the nearer. What was drawn counts
/// as nearer by a share, so that it takes more than a step to change places.
struct PlacementCap {
    private var shown: Set<String> = []

    /// Takes away what is too much; returns how many.
    mutating func apply(to placements: inout [Placement], settings: SceneSettings) -> Int {
        let most = max(0, settings.placements.mostPlacements)
        guard placements.count > most else {
            shown.removeAll(keepingCapacity: true)
            return 0
        }
        // Without a memory all of those that fit were drawn, whichever they were.
        let share = 1 - settings.places.capHysteresis
        let ranked = placements.indices.map { index in
            let placement = placements[index]
            let distance = placement.distance * (shown.contains(placement.id) ? share : 1)
            return (rank: Self.rank(placement), distance: distance, index: index)
        }.sorted {
            ($0.rank, $0.distance, placements[$0.index].id) < ($1.rank, $1.distance, placements[$1.index].id)
        }
        let left = placements.count - most
        placements = ranked.prefix(most).map { placements[$0.index] }
        shown = Set(placements.lazy.map(\.id))
        return left
    }

    private static func rank(_ placement: Placement) -> Int {
        switch placement.kind {
        case .destination, .turn, .route: 0
        case .arrow, .node, .start: 1
        case .anchor: 2
        case .place, .cluster: placement.isFavorite ? 3 : 4
        }
    }
}
