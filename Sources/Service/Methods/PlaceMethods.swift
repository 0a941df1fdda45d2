import Geodesy
import Linux
import PlaceStore
import Scene
import Varlink

/// The part of `org.waymark.Scene` that is about places: find, like, filter them, and bring them in and out.
final class PlaceMethods: MethodGroup {
    private let desk: PlaceRepository
    private let candidates: PlaceCandidates
    private let transferMethods: PlaceTransferMethods
    private let position: () -> GeodeticPosition?
    var authorization: Authorization
    var settings: SceneSettings.Places {
        didSet { candidates.apply(settings) }
    }

    /// Places in one answer.
    private static let limits = 1...100
    private static let defaultLimit = 10
    /// Metres around; that of a filter is narrower.
    private static let radii = 1.0...100_000
    /// UTF-8 bytes of the name of a filter.
    private static let longestName = 100

    /// - Parameter position: of the wearer; nil while it is not known.
    init(
        _ reactor: Reactor, desk: PlaceRepository, candidates: PlaceCandidates, transfers: PlaceTransfers,
        settings: SceneSettings.Places, authorization: Authorization, position: @escaping () -> GeodeticPosition?
    ) {
        self.desk = desk
        self.candidates = candidates
        self.settings = settings
        self.authorization = authorization
        self.position = position
        transferMethods = PlaceTransferMethods(reactor, desk: desk, transfers: transfers)
        desk.perform {
            try $0.filterInUse()
        } then: { [weak self] result in
            self?.begin(with: result)
        }
    }

    /// The filter that was in use when the daemon ended.
    private func begin(with kept: Result<PlaceFilter?, any Error>) {
        guard case .success(let filter?) = kept, filter.problem(settings) == nil else { return }
        candidates.filter = filter
    }

    func answer(_ call: Call) throws(VarlinkError) -> Bool {
        switch call.method {
        case "SearchPlaces": try search(call)
        case "NearPlaces": try near(call)
        case "GetPlace": try getPlace(call)
        case "GetFilter": call.reply(["filter": FilterMessage(candidates.filter)])
        case "ListFilters": listFilters(call)
        case "ExportPlaces": try transferMethods.export(call)
        case "SetFavorite", "SetFilter", "UseFilter", "RemoveFilter", "ImportPlaces":
            guard authorization.permitsChange(by: call.peer) else { throw .permissionDenied }
            try change(call)
        default: return false
        }
        return true
    }

    private func change(_ call: Call) throws(VarlinkError) {
        switch call.method {
        case "SetFavorite": try setFavorite(call)
        case "SetFilter": try setFilter(call)
        case "UseFilter": try useFilter(call)
        case "RemoveFilter": try removeFilter(call)
        default: try transferMethods.importPlaces(call)
        }
    }

    // MARK: finding

    private struct SearchRequest: Decodable {
        let text: String
        let limit: Int?
        let near: GeoMessage?
    }

    private struct NearRequest: Decodable {
        let radius: Double?
        let limit: Int?
        let kinds: [String]?
        let favoritesOnly: Bool?
        let near: GeoMessage?
    }

    private func search(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(SearchRequest.self)
        let limit = try checked(request.limit)
        guard let text = SearchText(request.text) else { throw .invalidParameter("text") }
        let position = try center(request.near)
        desk.perform { store in
            try store.search(text, near: position, limit: limit)
        } then: { result in
            Self.tell(result, to: call)
        }
    }

    private func near(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(NearRequest.self)
        let limit = try checked(request.limit)
        let radius = request.radius ?? settings.radiusMetres
        guard Self.radii.contains(radius) else { throw .invalidParameter("radius") }
        let filter = PlaceFilter(
            kinds: request.kinds ?? [], radiusMetres: settings.radiusMetres,
            favoritesOnly: request.favoritesOnly ?? false)
        try check(filter)
        guard let position = try center(request.near) else {
            throw VarlinkError(
                name: "NotLocalized",
                ["reason": "no position yet; give a position, or see `waymark status`"])
        }
        desk.perform { store in
            try store.near(position, radius: radius, filter: filter, limit: limit)
        } then: { result in
            Self.tell(result, to: call)
        }
    }

    private struct PlaceRequest: Decodable { let id: String }

    private func getPlace(_ call: Call) throws(VarlinkError) {
        let id = try call.decode(PlaceRequest.self).id
        let (stored, here) = (PlacementID.placeID(in: id) ?? id, position())
        desk.perform { store throws(DatabaseError) in
            // The id of a placement may be that of a place too.
            let place = if let found = try store.place(id: id) { found } else { try store.place(id: stored) }
            return place.map { PlaceStore.Found($0, from: here) }
        } then: { result in
            switch result {
            case .success(let found?): call.reply(["place": FoundPlaceMessage(found)])
            case .success(nil): call.fail(VarlinkError(name: "NoSuchPlace", ["id": id]))
            case .failure(let error): call.fail(VarlinkError(desk: error))
            }
        }
    }

    private static func tell(_ result: Result<[PlaceStore.Found], any Error>, to call: Call) {
        switch result {
        case .success(let found): call.reply(["places": found.map(FoundPlaceMessage.init)])
        case .failure(let error): call.fail(VarlinkError(desk: error))
        }
    }

    private func checked(_ limit: Int?) throws(VarlinkError) -> Int {
        let limit = limit ?? Self.defaultLimit
        guard Self.limits.contains(limit) else { throw .invalidParameter("limit") }
        return limit
    }

    /// Center of the request, else the wearer's position.
    private func center(_ request: GeoMessage?) throws(VarlinkError) -> GeodeticPosition? {
        guard let request else { return position() }
        guard let position = request.position else { throw .invalidParameter("near") }
        return position
    }

    // MARK: favourites

    private struct FavoriteRequest: Decodable {
        let id: String
        let favorite: Bool
    }

    private func setFavorite(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(FavoriteRequest.self)
        desk.perform { store in
            try store.setFavorite(request.id, request.favorite)
        } then: { result in
            switch result {
            case .success(true): call.reply()
            case .success(false): call.fail(VarlinkError(name: "NoSuchPlace", ["id": request.id]))
            case .failure(let error): call.fail(VarlinkError(desk: error))
            }
        }
    }

    // MARK: filters

    private struct FilterRequest: Decodable {
        let kinds: [String]?
        let radius: Double?
        let favoritesOnly: Bool?
        let name: String?
    }

    private struct NameRequest: Decodable {
        let name: String
    }

    private func setFilter(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(FilterRequest.self)
        let present = candidates.filter
        let filter = PlaceFilter(
            kinds: request.kinds ?? present.kinds, radiusMetres: request.radius ?? present.radiusMetres,
            favoritesOnly: request.favoritesOnly ?? present.favoritesOnly)
        try check(filter)
        if let name = request.name {
            guard (1...Self.longestName).contains(name.utf8.count) else { throw .invalidParameter("name") }
        }
        desk.perform { store in
            try store.use(filter, savingAs: request.name)
        } then: { [candidates] result in
            switch result {
            case .success(true):
                candidates.filter = filter
                call.reply(["filter": FilterMessage(filter)])
            case .success(false): call.fail(.limitExceeded("filters", PlaceStore.mostFilters))
            case .failure(let error): call.fail(VarlinkError(desk: error))
            }
        }
    }

    private func useFilter(_ call: Call) throws(VarlinkError) {
        let (name, settings) = (try call.decode(NameRequest.self).name, settings)
        desk.perform { store -> PlaceFilter? in
            guard let filter = try store.filter(named: name), filter.problem(settings) == nil else { return nil }
            return try store.use(filter) ? filter : nil
        } then: { [candidates] result in
            switch result {
            case .success(let filter?):
                candidates.filter = filter
                call.reply(["filter": FilterMessage(filter)])
            case .success(nil): call.fail(VarlinkError(name: "NoSuchFilter", ["name": name]))
            case .failure(let error): call.fail(VarlinkError(desk: error))
            }
        }
    }

    private func removeFilter(_ call: Call) throws(VarlinkError) {
        let name = try call.decode(NameRequest.self).name
        desk.perform { store in
            try store.removeFilter(named: name)
        } then: { result in
            switch result {
            case .success(true): call.reply()
            case .success(false): call.fail(VarlinkError(name: "NoSuchFilter", ["name": name]))
            case .failure(let error): call.fail(VarlinkError(desk: error))
            }
        }
    }

    private func listFilters(_ call: Call) {
        desk.perform {
            try $0.savedFilters()
        } then: { result in
            switch result {
            case .success(let saved):
                call.reply(["filters": saved.map { FilterMessage($0.filter, name: $0.name) }])
            case .failure(let error): call.fail(VarlinkError(desk: error))
            }
        }
    }

    private func check(_ filter: PlaceFilter) throws(VarlinkError) {
        guard let problem = filter.problem(settings) else { return }
        throw VarlinkError(name: "InvalidFilter", ["reason": "\(problem)"])
    }
}
