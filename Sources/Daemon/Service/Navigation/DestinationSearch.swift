import Documents
import Geometry
import Persistence
import SQLite
import Scene
import Varlink
import WaymarkInterface

/// Finds the destination that a request to navigate refers to.
struct DestinationSearch {
    let driver: EngineDriver
    let repository: PlaceRepository

    typealias Answer = (Result<RouteDestination, VarlinkError>) -> Void

    /// Maximum number of places that a search returns. It is large, because many nearby places whose names contain the
    /// text may come before a farther one that has exactly this name.
    private static let maximumFoundCount = 100
    /// Maximum number of candidates in an error.
    private static let maximumCandidateCount = 10

    /// - Parameter then: called on the reactor, immediately or later.
    /// - Throws: what is wrong with the parameters.
    func find(_ request: SceneInterface.NavigateTo, then: @escaping Answer) throws(VarlinkError) {
        let (name, profile) = (request.name, request.profile)
        func found(_ destination: RouteDestination) {
            var destination = destination
            destination.name = name ?? destination.name
            destination.profile = profile
            then(.success(destination))
        }
        switch (request.place, request.text, request.location, request.uri) {
        case (let id?, nil, nil, nil): findPlace(id, found, then)
        case (nil, let text?, nil, nil): try search(text, found, then)
        case (nil, nil, let location?, nil): found(RouteDestination(at: try position(location)))
        case (nil, nil, nil, let uri?): found(RouteDestination(at: try position(uri: uri)))
        case (nil, nil, nil, nil): throw .invalidDestination("place", "is missing: give it, text, location or uri")
        default: throw .invalidDestination("place", "text, location and uri exclude each other: give one of them")
        }
    }

    private func findPlace(_ id: String, _ found: @escaping (RouteDestination) -> Void, _ then: @escaping Answer) {
        // An anchor or a piece of the route takes precedence over a place that has the same text as its own ID.
        if PlacementID.placeID(in: id) == nil, let destination = driver.engine.destination(ofPlacement: id) {
            return found(destination)
        }
        repository.perform { store throws(DatabaseError) in
            try store.place(placement: id)
        } then: { result in
            switch result {
            case .success(let place?): found(RouteDestination(place))
            case .success(nil): then(.failure(.noSuchPlace(id)))
            case .failure(let error): then(.failure(VarlinkError(store: error)))
            }
        }
    }

    private func search(
        _ text: String, _ found: @escaping (RouteDestination) -> Void, _ then: @escaping Answer
    ) throws(VarlinkError) {
        guard let words = SearchText(text) else {
            throw .invalidDestination("text", "is longer than \(SearchText.maximumLength) bytes")
        }
        let here = driver.engine.pose?.geodetic
        repository.perform { store in
            try store.search(words, near: here, limit: Self.maximumFoundCount)
        } then: { result in
            switch result.map({ PlaceChoice(text, among: $0.map(\.place)) }) {
            case .success(.one(let place)): found(RouteDestination(place))
            case .success(.none): then(.failure(.noSuchPlace(text)))
            case .success(.several(let places)):
                let candidates = places.prefix(Self.maximumCandidateCount).map {
                    PlaceStore.Found($0, from: here).message
                }
                then(.failure(.ambiguousPlace(text, candidates)))
            case .failure(let error): then(.failure(VarlinkError(store: error)))
            }
        }
    }

    private func position(_ location: SceneInterface.Location) throws(VarlinkError) -> GeodeticPosition {
        guard let position = GeodeticPosition(location) else {
            throw .invalidDestination("location", "is not on the earth: latitude -90 to 90, longitude -540 to 540")
        }
        return position
    }

    private func position(uri: String) throws(VarlinkError) -> GeodeticPosition {
        do throws(GeoURIProblem) {
            if let position = try GeoURI(parsing: uri).position { return position }
        } catch {
            throw .invalidDestination("uri", "is not a valid geo: URI: \(error)")
        }
        throw .invalidDestination("uri", "is not on the earth")
    }
}

extension PlaceStore {
    /// Returns the place of the placement with this ID, or else the place that has this ID itself; nil if there is
    /// none.
    func place(placement id: String) throws(DatabaseError) -> Place? {
        if let stored = PlacementID.placeID(in: id), let place = try place(id: stored) { return place }
        return try place(id: id)
    }
}

extension RouteDestination {
    fileprivate init(_ place: Place) {
        self.init(name: place.name.isEmpty ? place.id : place.name, place: place.id, position: place.position)
    }

    /// Creates the destination at a position, and names it by its coordinates.
    init(at position: GeodeticPosition) {
        let degrees = [position.latitudeDegrees, position.longitudeDegrees].map { "\(($0 * 1e6).rounded() / 1e6)" }
        self.init(name: degrees.joined(separator: ", "), position: position)
    }
}
