import Geometry
import Persistence
import Scene
import Varlink
import WaymarkInterface
import SQLite

/// The part of `org.waymark.Scene` that finds places and marks favourites.
struct PlaceMethods {
    let driver: EngineDriver
    let repository: PlaceRepository
    let candidates: PlaceCandidates

    /// Range of the number of places in one reply.
    private static let limits = 1...100
    private static let defaultLimit = 10
    /// Range of the radius of a search; the range for a filter is narrower. Unit: metres.
    private static let radii = 1.0...100_000

    /// Position of the wearer; nil while it is not known.
    private var position: GeodeticPosition? { driver.engine.pose?.geodetic }

    func search(_ request: SceneInterface.SearchPlaces, _ call: Call) throws(VarlinkError) {
        let limit = try checked(request.limit)
        guard let text = SearchText(request.text) else { throw .invalidParameter("text") }
        let position = try center(request.near)
        repository.perform { store in
            try store.search(text, near: position, limit: limit)
        } then: { result in
            call.reply(result, VarlinkError.init(store:)) {
                SceneInterface.SearchPlaces.Reply(places: $0.map(\.message))
            }
        }
    }

    func near(_ request: SceneInterface.NearPlaces, _ call: Call) throws(VarlinkError) {
        let (limit, settings) = (try checked(request.limit), candidates.settings)
        let radius = request.radius ?? settings.radiusMetres
        guard Self.radii.contains(radius) else { throw .invalidParameter("radius") }
        let filter = PlaceFilter(
            kinds: request.kinds ?? [], radiusMetres: settings.radiusMetres,
            favoritesOnly: request.favoritesOnly ?? false)
        try filter.check(settings)
        guard let position = try center(request.near) else {
            throw .notLocalized("no position yet; give a position, or see `waymark status`")
        }
        repository.perform { store in
            try store.near(position, radius: radius, filter: filter, limit: limit)
        } then: { result in
            call.reply(result, VarlinkError.init(store:)) { SceneInterface.NearPlaces.Reply(places: $0.map(\.message)) }
        }
    }

    func getPlace(_ request: SceneInterface.GetPlace, _ call: Call) {
        let id = request.id
        let here = position
        repository.perform { store throws(DatabaseError) in
            try store.place(placement: id).map { PlaceStore.Found($0, from: here) }
        } then: { result in
            call.reply(result, orElse: .noSuchPlace(id)) { SceneInterface.GetPlace.Reply(place: $0.message) }
        }
    }

    func setFavorite(_ request: SceneInterface.SetFavorite, _ call: Call) {
        repository.perform { store in
            try store.setFavorite(request.id, request.favorite)
        } then: { result in
            call.reply(result, orElse: .noSuchPlace(request.id))
        }
    }

    private func checked(_ limit: Int?) throws(VarlinkError) -> Int {
        let limit = limit ?? Self.defaultLimit
        guard Self.limits.contains(limit) else { throw .invalidParameter("limit") }
        return limit
    }

    /// Returns the centre that the request gives, or else the wearer's position.
    private func center(_ request: SceneInterface.Location?) throws(VarlinkError) -> GeodeticPosition? {
        guard let request else { return position }
        guard let position = GeodeticPosition(request) else { throw .invalidParameter("near") }
        return position
    }
}

extension PlaceFilter {
    func check(_ settings: SceneSettings.Places) throws(VarlinkError) {
        guard let problem = problem(settings) else { return }
        throw VarlinkError(SceneInterface.Failure.invalidFilter(reason: "\(problem)"))
    }
}
