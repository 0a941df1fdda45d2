import Geodesy
import Linux
import Scene

/// Terrain around the wearer, kept at hand for the scene: read on the thread of the stored tiles when the wearer has
/// moved, or when tiles have been imported or removed.
///
/// Not thread-safe: for use on the reactor's thread.
package final class NearbyTerrain {
    private let repository: TerrainRepository
    private var isQuerying = false
    private var answered: (center: GeodeticPosition, revision: UInt64)?
    /// Whether the terrain passed last was one.
    private var hasTerrain = false

    /// Called with other terrain; nil where there is none.
    package var onChange: (Terrain?) -> Void = { _ in }

    /// Distance that the wearer moves before terrain is read again: there are always some kilometres of it ahead. Unit:
    /// metres.
    package static let step = 2000.0

    package init(_ repository: TerrainRepository) { self.repository = repository }

    /// Reads terrain if that at hand is outdated for a wearer at `center`; cheap enough for every heartbeat.
    package func update(around center: GeodeticPosition) {
        guard !isQuerying, isOutdated(center) else { return }
        isQuerying = true
        let revision = repository.revision
        repository.perform { store throws(Never) in
            defer { ProcessResources.returnFreeMemory() }
            return store.terrain(around: center)
        } then: { [weak self] (result: Result<Terrain?, Never>) in
            self?.take(result.get(), (center, revision))
        }
    }

    private func isOutdated(_ center: GeodeticPosition) -> Bool {
        guard let answered, answered.revision == repository.revision else { return true }
        return Geodesic(from: answered.center, to: center).distance > Self.step
    }

    private func take(_ terrain: Terrain?, _ query: (GeodeticPosition, UInt64)) {
        isQuerying = false
        answered = query
        guard terrain != nil || hasTerrain else { return }
        hasTerrain = terrain != nil
        onChange(terrain)
    }
}
