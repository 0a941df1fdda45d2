/// What is remembered of each placement from scene to scene, so that digits and bands do not flicker.
struct PlacementMemory {
    private struct Entry {
        var distance = DistanceText()
        var along = DistanceText()
        var band = BandTracker()
        var lastUse = 0
    }

    private var entries: [String: Entry] = [:]
    private var scene = 0

    /// Writes the distances, and the band; arrows and nodes, of which there are many, are not written upon.
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

    /// A scene is composed; what has not been in one for a while is forgotten.
    mutating func endScene() {
        scene += 1
        guard scene % Self.cleaning == 0 else { return }
        let (scene, oldest) = (scene, Self.cleaning)
        entries = entries.filter { scene - $0.value.lastUse < oldest }
    }

    /// Between two clearings, and so long something may be away and still be remembered. Unit: scenes.
    private static let cleaning = 600
}
