import Geometry
import Linux
import Scene

/// Receives the terrain and the buildings around the wearer whenever they change; nil if there are none.
package protocol NearbyHeightsObserver: AnyObject {
    func nearbyTerrainChanged(_ terrain: Terrain?)
    func nearbyBuildingsChanged(_ buildings: Buildings?)
}

/// Terrain or buildings around the wearer, kept at hand for the scene. They are read on the thread of the stored
/// terrain when the wearer has moved, or when tiles or buildings have been imported or removed.
///
/// Not thread-safe: for use on the reactor's thread.
package final class NearbyHeights<Content: Sendable> {
    private let repository: TerrainRepository
    /// Distance that the wearer moves before the content is read again. Unit: metres.
    private let step: Double
    private let read: @Sendable (inout TerrainStore, GeodeticPosition) throws(TerrainStore.Failure) -> Content?
    private let deliver: (Content?) -> Void
    private var isQuerying = false
    private var answered: (center: GeodeticPosition, revision: UInt64)?
    /// Whether the last reading found content.
    private var hasContent = false

    private init(
        _ repository: TerrainRepository, step: Double,
        _ read: @escaping @Sendable (inout TerrainStore, GeodeticPosition) throws(TerrainStore.Failure) -> Content?,
        deliver: @escaping (Content?) -> Void
    ) {
        self.repository = repository
        self.step = step
        self.read = read
        self.deliver = deliver
    }

    /// Reads the content again if it is outdated for a wearer at `center`; cheap enough for every heartbeat.
    package func update(around center: GeodeticPosition) {
        guard !isQuerying, isOutdated(center) else { return }
        isQuerying = true
        let revision = repository.revision
        repository.perform { [read] store throws(TerrainStore.Failure) in
            defer { ProcessResources.returnFreeMemory() }
            return try read(&store, center)
        } then: { [weak self] (result: Result<Content?, TerrainStore.Failure>) in
            self?.take(result, (center, revision))
        }
    }

    private func isOutdated(_ center: GeodeticPosition) -> Bool {
        guard let answered, answered.revision == repository.revision else { return true }
        return Geodesic(from: answered.center, to: center).distance > step
    }

    private func take(_ result: Result<Content?, TerrainStore.Failure>, _ query: (GeodeticPosition, UInt64)) {
        isQuerying = false
        answered = query
        // After a failure the present content stays.
        guard case .success(let content) = result else { return }
        guard content != nil || hasContent else { return }
        hasContent = content != nil
        deliver(content)
    }
}

extension NearbyHeights<Terrain> {
    /// Terrain around the wearer, which extends some kilometres ahead at any time.
    package static func terrain(
        _ repository: TerrainRepository, observer: any NearbyHeightsObserver
    ) -> NearbyHeights {
        NearbyHeights(repository, step: Terrain.step) { store, center throws(TerrainStore.Failure) in
            store.terrain(around: center)
        } deliver: { [weak observer] in
            observer?.nearbyTerrainChanged($0)
        }
    }
}

extension NearbyHeights<Buildings> {
    package static func buildings(
        _ repository: TerrainRepository, observer: any NearbyHeightsObserver
    ) -> NearbyHeights {
        NearbyHeights(repository, step: BuildingStore.step) { store, center throws(TerrainStore.Failure) in
            try store.buildings.buildings(around: center)
        } deliver: { [weak observer] in
            observer?.nearbyBuildingsChanged($0)
        }
    }
}
