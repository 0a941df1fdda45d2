import Geometry
import Scene

/// Cache of the places from which the scene selects. The store is queried again when the wearer has moved, or when the
/// filter, the settings or the store have changed.
///
/// Not thread-safe: for use on the reactor's thread.
package final class PlaceCandidates {
    private let repository: PlaceRepository
    private let deliver: ([Place]) -> Void
    /// Monotonic clock. Unit: nanoseconds.
    private let clock: () -> Int64
    private var isQuerying = false
    private var answered: Query?
    private var notBefore = Int64.min

    /// Places around the wearer's position at the last query, nearest first.
    package private(set) var places: [Place] = []
    /// Counter that grows whenever `places` change.
    package private(set) var revision: UInt64 = 0

    package var filter: PlaceFilter
    package private(set) var settings: SceneSettings.Places

    private struct Query {
        var center: GeodeticPosition
        var filter: PlaceFilter
        var settings: SceneSettings.Places
        var revision: UInt64
    }

    /// Distance that the wearer moves before the places are queried again. Unit: metres.
    package static let step = 10.0
    /// Ratio of queried to shown places. It is so large that the places that are now nearest to the wearer were found
    /// by the last query.
    package static let spare = 4
    /// Minimum interval between two queries, because an import changes the store continuously. Unit: nanoseconds.
    private static let pause: Int64 = 250_000_000
    private static let pauseAfterFailure: Int64 = 5_000_000_000

    /// - Parameter deliver: called with the places whenever they change.
    package init(
        _ repository: PlaceRepository, settings: SceneSettings.Places, clock: @escaping () -> Int64,
        deliver: @escaping ([Place]) -> Void = { _ in }
    ) {
        self.repository = repository
        self.deliver = deliver
        self.settings = settings
        self.clock = clock
        filter = PlaceFilter(settings: settings)
    }

    /// Applies changed settings: the limits of the radius, and the radius itself unless a client has chosen one.
    package func apply(_ settings: SceneSettings.Places) {
        if filter.radiusMetres == self.settings.radiusMetres { filter.radiusMetres = settings.radiusMetres }
        filter.radiusMetres = min(max(filter.radiusMetres, settings.minimumRadiusMetres), settings.maximumRadiusMetres)
        self.settings = settings
    }

    /// Queries the store if `places` are outdated for a wearer at `center`; cheap enough for every frame.
    package func update(around center: GeodeticPosition) {
        guard !isQuerying, clock() >= notBefore, isOutdated(center) else { return }
        isQuerying = true
        let query = Query(center: center, filter: filter, settings: settings, revision: repository.revision)
        // The margin covers the motion until the next query, and the hysteresis of the selection.
        let radius = filter.reach(settings) + 2 * Self.step
        let limit = settings.maximumShownCount * Self.spare
        repository.perform { store in
            try store.around(query.center, radius: radius, filter: query.filter, limit: limit)
        } then: { [weak self] result in
            self?.take(result, for: query)
        }
    }

    private func isOutdated(_ center: GeodeticPosition) -> Bool {
        guard let answered else { return true }
        return answered.revision != repository.revision || answered.filter != filter || answered.settings != settings
            || Self.distance(answered.center, center) > Self.step
    }

    private func take(_ result: Result<[Place], any Error>, for query: Query) {
        isQuerying = false
        guard case .success(let found) = result else {
            // The earlier places stay; the repository has logged the failure.
            notBefore = clock() + Self.pauseAfterFailure
            return
        }
        notBefore = clock() + Self.pause
        answered = query
        guard found != places else { return }
        places = found
        revision += 1
        deliver(found)
    }

    /// Returns the distance on a plane, accurate for differences of metres. Unit: metres.
    private static func distance(_ from: GeodeticPosition, _ to: GeodeticPosition) -> Double {
        let metresPerDegree = 111_320.0
        let north = (to.latitudeDegrees - from.latitudeDegrees) * metresPerDegree
        let turn = normalizedLongitude(to.longitudeDegrees - from.longitudeDegrees)
        let east = turn * metresPerDegree * cosineOfDegrees(to.latitudeDegrees)
        return (north * north + east * east).squareRoot()
    }
}
