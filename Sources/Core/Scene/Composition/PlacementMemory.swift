/// State of each placement between scenes, for the hysteresis of shown distances and bands.
struct PlacementMemory {
    private struct Entry {
        var distance = SteadyDistance()
        var along = SteadyDistance()
        var band = BandTracker()
        var lastUse = 0
    }

    private var entries: [String: Entry] = [:]
    private var scene = 0

    /// Sets the shown distances and the band. The many arrows and nodes have neither.
    mutating func complete(_ placement: inout Placement, settings: SceneSettings.Places) {
        guard !placement.kind.liesOnTheGround else { return }
        var entry = entries[placement.id] ?? Entry()
        entry.lastUse = scene
        placement.shownDistance = entry.distance.metres(for: placement.distance)
        if let along = placement.alongRoute { placement.shownAlongRoute = entry.along.metres(for: along) }
        if placement.kind == .place || placement.kind == .cluster || placement.kind == .anchor {
            placement.band = entry.band.update(distance: placement.distance, settings: settings)
        }
        entries[placement.id] = entry
    }

    /// Ends a scene. Discards the states of placements that have been absent for a while.
    mutating func endScene() {
        scene += 1
        guard scene % Self.cleaning == 0 else { return }
        let (scene, oldest) = (scene, Self.cleaning)
        entries = entries.filter { scene - $0.value.lastUse < oldest }
    }

    /// Interval between two removals of states, which is also the absence for which a state is kept. Unit: scenes.
    private static let cleaning = 600
}

/// Limit on the number of placements, by importance and with hysteresis. The destination, turns and the way back to the
/// route come first, then the other elements of the route, anchors, favourites and other placements. Within each group,
/// nearer placements come first. A placement that was shown is ranked as if it were nearer by a fraction, so that small
/// movements do not exchange placements.
struct PlacementCap {
    private var shown: Set<String> = []

    /// Removes placements beyond the limit. Returns the number that were removed.
    mutating func apply(to placements: inout [Placement], settings: SceneSettings) -> Int {
        let maximum = max(0, settings.placements.maximumPlacementCount)
        guard placements.count > maximum else {
            shown.removeAll(keepingCapacity: true)
            return 0
        }
        // Up to the limit, all placements are shown, so the state is needed only above it.
        let share = 1 - settings.places.capHysteresis
        let ranked = placements.indices.map { index in
            let placement = placements[index]
            let distance = placement.distance * (shown.contains(placement.id) ? share : 1)
            return (rank: Self.rank(placement), distance: distance, index: index)
        }.sorted {
            ($0.rank, $0.distance, placements[$0.index].id) < ($1.rank, $1.distance, placements[$1.index].id)
        }
        let left = placements.count - maximum
        placements = ranked.prefix(maximum).map { placements[$0.index] }
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
