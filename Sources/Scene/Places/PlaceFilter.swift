/// Which places are shown, and within how far: what the wearer chooses.
public struct PlaceFilter: Hashable, Sendable {
    /// Kinds that are shown, each once and in order; empty is every kind.
    public var kinds: [String]
    /// Unit: metres.
    public var radiusMetres: Double
    public var favoritesOnly: Bool

    public init(kinds: [String] = [], radiusMetres: Double, favoritesOnly: Bool = false) {
        self.kinds = Set(kinds).sorted()
        self.radiusMetres = radiusMetres
        self.favoritesOnly = favoritesOnly
    }

    /// Every place within the radius of the settings.
    public init(settings: SceneSettings.Places) {
        self.init(radiusMetres: settings.radiusMetres)
    }

    /// The distance does not enter.
    public func admits(_ place: Place) -> Bool {
        (kinds.isEmpty || kinds.contains(place.kind)) && (!favoritesOnly || place.isFavorite)
    }

    /// Candidates from so far around are enough: one that is shown stays a little beyond the radius. Unit: metres.
    public func reach(_ settings: SceneSettings.Places) -> Double {
        radiusMetres * (1 + settings.capHysteresis)
    }

    /// What is wrong with a filter from outside; nil for one that can be used.
    public func problem(_ settings: SceneSettings.Places) -> PlaceFilterProblem? {
        let radii = settings.leastRadiusMetres...settings.mostRadiusMetres
        if !radii.contains(radiusMetres) { return .radius(radiusMetres, allowed: radii) }
        if kinds.count > settings.mostFilters { return .tooManyKinds(kinds.count, most: settings.mostFilters) }
        if kinds.contains(where: { $0.isEmpty || $0.utf8.count > Self.longestKind }) { return .kindLength }
        return nil
    }

    /// In UTF-8. Unit: bytes.
    static let longestKind = 100
}

/// Why a filter is refused; its text says what to do.
public enum PlaceFilterProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Unit: metres.
    case radius(Double, allowed: ClosedRange<Double>)
    case tooManyKinds(Int, most: Int)
    case kindLength

    public var description: String {
        switch self {
        case .radius(let radius, let allowed):
            "a radius of \(radius) m: choose one from \(allowed.lowerBound) to \(allowed.upperBound) m"
        case .tooManyKinds(let count, let most):
            "\(count) kinds in one filter: choose at most \(most), or none for every kind"
        case .kindLength:
            "a kind must have from 1 to \(PlaceFilter.longestKind) bytes: leave the kinds out for every kind"
        }
    }
}
