import Geometry
import Messages
import Persistence
import Scene
import WaymarkInterface

extension GeodeticPosition {
    /// Returns nil for a location that is not on the earth.
    init?(_ location: SceneInterface.Location) {
        self.init(
            latitudeDegrees: location.latitude, longitudeDegrees: location.longitude,
            ellipsoidalHeight: location.height ?? 0)
    }
}

extension PlaceStore.Found {
    var message: SceneInterface.Place {
        SceneInterface.Place(
            id: place.id, name: place.name, kind: place.kind,
            geo: SceneInterface.Location(
                latitude: place.position.latitudeDegrees, longitude: place.position.longitudeDegrees,
                height: place.height == .unstated ? nil : place.height.metres),
            heightKind: OpenWord(place.height.kind), favorite: place.isFavorite, distance: line?.distance,
            bearing: line?.bearing.map { $0 * 180 / .pi }, properties: place.tags.isEmpty ? nil : place.tags,
            details: PlaceDetails(tags: place.tags)?.message)
    }
}

extension PlaceFilter {
    /// - Parameter name: name under which the filter is saved.
    func message(name: String? = nil) -> SceneInterface.Filter {
        SceneInterface.Filter(name: name, kinds: kinds, radius: radiusMetres, favoritesOnly: favoritesOnly)
    }
}

extension PlaceTransfers.ImportProgress {
    var message: SceneInterface.ImportPlaces.Reply {
        SceneInterface.ImportPlaces.Reply(
            imported: counts.taken, added: counts.added, removed: counts.removed, flawed: counts.flawed,
            problems: counts.problems.map { SceneInterface.ImportProblem(path: $0.path, reason: $0.message) },
            bytes: Int(clamping: bytes))
    }
}

extension PlacementHeight {
    init(_ metres: Double, above kind: SceneInterface.HeightKind) {
        switch kind {
        case .eye: self = .eyeRelative(metres)
        case .ground: self = .groundRelative(metres)
        case .roof: self = .roofRelative(metres)
        case .ellipsoid: self = .ellipsoidal(metres)
        case .sea: self = .meanSeaLevel(metres)
        }
    }

    var kind: SceneInterface.HeightKind {
        switch self {
        case .unstated, .eyeRelative: .eye
        case .groundRelative: .ground
        case .roofRelative: .roof
        case .ellipsoidal: .ellipsoid
        case .meanSeaLevel: .sea
        }
    }

    var metres: Double {
        switch self {
        case .unstated: 0
        case .eyeRelative(let metres), .groundRelative(let metres), .roofRelative(let metres),
            .ellipsoidal(let metres), .meanSeaLevel(let metres):
            metres
        }
    }
}
