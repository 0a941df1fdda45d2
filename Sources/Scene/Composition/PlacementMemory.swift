/// State of each placement between scenes: hysteresis of distance texts and bands.
struct PlacementMemory {
    private struct Entry {
        var distance = DistanceText()
        var along = DistanceText()
        var band = BandTracker()
        var lastUse = 0
    }

    private var entries: [String: Entry] = [:]
    private var scene = 0

    /// Sets the distance texts and the band; the many arrows and nodes have none.
    mutating func complete(_ placement: inout Placement, settings: SceneSettings.Places) {
        guard placement.kind != .arrow, placement.kind != .node else { return }
        var entry = entries[placement.id] ?? Entry()
        entry.lastUse = scene
        placement.distanceText = entry.distance.text(for: placement.distance)
        if let along = placement.alongRoute { placement.alongRouteText = entry.along.text(for: along) }
        if placement.kind == .place || placement.kind == .cluster || placement.kind == .anchor {
            placement.band = entry.band.update(distance: placement.distance, settings: settings)
        }
        entries[placement.id] = entry
    }

    /// Ends a scene; states of placements absent for a while are discarded.
    mutating func endScene() {
        scene += 1
        guard scene % Self.cleaning == 0 else { return }
        let (scene, oldest) = (scene, Self.cleaning)
        entries = entries.filter { scene - $0.value.lastUse < oldest }
    }

    /// Interval between two removals, and absence for which a state is kept. Unit: scenes.
    private static let cleaning = 600
}
