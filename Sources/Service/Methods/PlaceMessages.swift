import Geodesy
import PlaceStore
import Scene
import Varlink

/// A position from outside, or for it: degrees, and metres above what is said beside it.
struct GeoMessage: Codable {
    let latitude: Double
    let longitude: Double
    let height: Double?

    /// Nil for one that is nowhere on the earth.
    var position: GeodeticPosition? {
        GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: height ?? 0)
    }
}

/// A place that was found.
struct FoundPlaceMessage: Encodable {
    let id: String
    let name: String
    let kind: String
    let geo: GeoMessage
    let heightKind: String
    let favorite: Bool
    let distance: Double?
    let bearing: Double?
    let properties: [String: String]?
    let details: DetailsMessage?

    init(_ found: PlaceStore.Found) {
        let place = found.place
        let (kind, metres) = place.height.words
        id = place.id
        name = place.name
        self.kind = place.kind
        geo = GeoMessage(
            latitude: place.position.latitudeDegrees, longitude: place.position.longitudeDegrees, height: metres)
        heightKind = kind
        favorite = place.isFavorite
        distance = found.line?.distance
        bearing = found.line?.bearing.map { $0 * 180 / .pi }
        properties = place.tags.isEmpty ? nil : place.tags
        details = DetailsMessage(place)
    }
}

/// A filter, and the name under which it is saved.
struct FilterMessage: Encodable {
    let name: String?
    let kinds: [String]
    let radius: Double
    let favoritesOnly: Bool

    init(_ filter: PlaceFilter, name: String? = nil) {
        self.name = name
        kinds = filter.kinds
        radius = filter.radiusMetres
        favoritesOnly = filter.favoritesOnly
    }
}

/// Progress or result of an import.
struct ImportMessage: Encodable {
    struct Problem: Encodable {
        let path: String
        let reason: String
    }

    let imported: Int
    let added: Int
    let removed: Int
    let flawed: Int
    let problems: [Problem]
    let bytes: UInt64

    init(_ progress: PlaceTransfers.ImportProgress) {
        imported = progress.counts.taken
        added = progress.counts.added
        removed = progress.counts.removed
        flawed = progress.counts.flawed
        problems = progress.counts.problems.map { Problem(path: $0.path, reason: $0.message) }
        bytes = progress.bytes
    }
}

extension PlacementHeight {
    /// Reference of the height as the interface names it; none at the eyes, which is the default.
    fileprivate var words: (kind: String, metres: Double?) {
        switch self {
        case .atEye: ("eye", nil)
        case .eyeRelative(let metres): ("eye", metres)
        case .groundRelative(let metres): ("ground", metres)
        case .ellipsoidal(let metres): ("ellipsoid", metres)
        case .meanSeaLevel(let metres): ("sea", metres)
        }
    }
}

extension VarlinkError {
    private struct Limit: Encodable {
        let limit: String
        let maximum: Int
    }

    static func limitExceeded(_ limit: String, _ maximum: Int) -> VarlinkError {
        VarlinkError(
            name: "org.waymark.Status.LimitExceeded", encoding: Limit(limit: limit, maximum: maximum))
    }

    /// Error of the place store in place of an outcome.
    init(desk error: any Error) {
        switch error {
        case let error as PlaceRepository.Full: self = .limitExceeded("placeRequests", error.maximum)
        case let error as DatabaseError: self.init(store: error)
        default: self = .cannotStore("\(error)")
        }
    }

    init(store error: DatabaseError) { self = .cannotStore("\(error)") }

    init(_ failure: PlaceImport.Failure) {
        switch failure {
        case .document(let problem):
            self.init(
                name: "org.waymark.Scene.InvalidDocument", ["path": problem.path, "reason": problem.message])
        case .store(let error): self.init(store: error)
        case .tooMany(let maximum): self = .limitExceeded("places", maximum)
        case .cancelled, .setAside: self = .cannotStore("\(failure)")
        }
    }

    init(_ failure: PlaceExport.Failure) {
        switch failure {
        case .file(let reason): self.init(name: "org.waymark.Scene.CannotExport", ["reason": reason])
        case .store(let error): self.init(store: error)
        case .cancelled: self.init(name: "org.waymark.Scene.CannotExport", ["reason": "the daemon is stopping"])
        }
    }

    private static func cannotStore(_ reason: String) -> VarlinkError {
        VarlinkError(name: "org.waymark.Scene.CannotStore", ["reason": reason])
    }
}
