import Geometry
import Linux
import PlanMatching
import Scene

/// Cache of what is stored around the wearer. The content is read again, on the store's thread, when the wearer has
/// moved or the store has been changed.
///
/// Not thread-safe: for use on the reactor's thread.
package final class Nearby<Store: FileStore, Content: Sendable> {
    /// Reads the content around a position; returns nil if it equals `present`.
    private typealias Read =
        @Sendable (inout Store, GeodeticPosition, _ present: Content) throws(Store.Failure) -> Content?

    private let repository: FolderRepository<Store>
    /// Distance that the wearer moves before the content is read again. Unit: metres.
    private let step: Double
    private let read: Read
    private let deliver: (Content) -> Void
    private var isQuerying = false
    private var answered: (center: GeodeticPosition, revision: UInt64)?
    package private(set) var content: Content

    /// - Parameter deliver: called with the content whenever it changes.
    private init(
        _ repository: FolderRepository<Store>, step: Double, _ content: Content, deliver: @escaping (Content) -> Void,
        read: @escaping Read
    ) {
        self.repository = repository
        self.step = step
        self.content = content
        self.deliver = deliver
        self.read = read
    }

    /// Reads the content again if it is outdated for a wearer at `center`; cheap enough for every heartbeat.
    package func update(around center: GeodeticPosition) {
        guard !isQuerying, isOutdated(center) else { return }
        isQuerying = true
        let (revision, present) = (repository.revision, content)
        repository.perform { [read] store throws(Store.Failure) in
            try read(&store, center, present)
        } then: { [weak self] result in
            self?.take(result, (center, revision))
        }
    }

    private func isOutdated(_ center: GeodeticPosition) -> Bool {
        guard let answered, answered.revision == repository.revision else { return true }
        return Geodesic(from: answered.center, to: center).distance > step
    }

    private func take(_ result: Result<Content?, Store.Failure>, _ query: (GeodeticPosition, UInt64)) {
        isQuerying = false
        answered = query
        // After a failure the present content stays.
        guard case .success(let found?) = result else { return }
        content = found
        deliver(found)
    }
}

/// Distance from the wearer within which a plan may matter, and distance that the wearer moves before the store is read
/// again. Unit: metres.
private let planMargin = 200.0
private let planStep = 20.0

extension Nearby<PlanStore, PlanLibrary> {
    /// Caches the plans whose bounding box, enlarged by the margin, contains the wearer's position at the last update,
    /// nearest first. A few plans farther away may be among them.
    package convenience init(_ repository: PlanRepository, deliver: @escaping (PlanLibrary) -> Void) {
        self.init(repository, step: planStep, PlanLibrary(), deliver: deliver) {
            store, center, present throws(PlanStore.Failure) in
            let found = PlanLibrary(
                store.plans(around: center, radius: planMargin + planStep), reusing: present)
            return found.plans.map(\.plan) == present.plans.map(\.plan) ? nil : found
        }
    }
}

extension Nearby<TerrainStore, Terrain?> {
    /// Caches the terrain around the wearer, which always extends some kilometres beyond the wearer's position. The
    /// content is nil if no terrain is stored there.
    package convenience init(_ repository: TerrainRepository, deliver: @escaping (Terrain?) -> Void) {
        self.init(repository, step: Terrain.step, nil, deliver: deliver) {
            store, center, present throws(TerrainStore.Failure) in
            defer { ProcessResources.returnFreeMemory() }
            let found = store.terrain(around: center)
            return found == nil && present == nil ? nil : .some(found)
        }
    }
}

extension Nearby<TerrainStore, Buildings?> {
    /// Caches the buildings around the wearer; nil if there are none.
    package convenience init(_ repository: TerrainRepository, deliver: @escaping (Buildings?) -> Void) {
        self.init(repository, step: BuildingStore.step, nil, deliver: deliver) {
            store, center, present throws(TerrainStore.Failure) in
            defer { ProcessResources.returnFreeMemory() }
            let found = try store.buildings.buildings(around: center)
            return found == nil && present == nil ? nil : .some(found)
        }
    }
}
