/// Filter that selects which places are shown. The wearer chooses it.
public struct PlaceFilter: Hashable, Sendable {
    /// Kinds that are shown, sorted and unique; empty for every kind.
    public var kinds: [String]
    /// Radius around the wearer. Unit: metres.
    public var radiusMetres: Double
    package var favoritesOnly: Bool

    package init(kinds: [String] = [], radiusMetres: Double, favoritesOnly: Bool = false) {
        self.kinds = Set(kinds).sorted()
        self.radiusMetres = radiusMetres
        self.favoritesOnly = favoritesOnly
    }

    /// Makes a filter for every place within the radius of the settings.
    public init(settings: SceneSettings.Places) {
        self.init(radiusMetres: settings.radiusMetres)
    }

    /// Whether a place passes the filter, apart from its distance.
    public func admits(_ place: Place) -> Bool {
        (kinds.isEmpty || kinds.contains(place.kind)) && (!favoritesOnly || place.isFavorite)
    }

    /// Returns the radius within which candidates are needed, because a place that is shown may stay a little beyond
    /// the filter's radius. Unit: metres.
    public func reach(_ settings: SceneSettings.Places) -> Double {
        radiusMetres * (1 + settings.capHysteresis)
    }

    /// Returns the reason why a filter from a client is invalid; nil if it is valid.
    public func problem(_ settings: SceneSettings.Places) -> PlaceFilterProblem? {
        let radii = settings.minimumRadiusMetres...settings.maximumRadiusMetres
        if !radii.contains(radiusMetres) { return .radius(radiusMetres, allowed: radii) }
        if kinds.count > settings.maximumFilterCount {
            return .tooManyKinds(kinds.count, maximum: settings.maximumFilterCount)
        }
        if kinds.contains(where: { $0.isEmpty || $0.utf8.count > Self.maximumKindLength }) { return .kindLength }
        return nil
    }

    /// Maximum length of a kind in UTF-8. Unit: bytes.
    static let maximumKindLength = 100
}

/// Reason why a filter is refused. Its text contains the remedy.
public enum PlaceFilterProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Radius out of range. Unit: metres.
    case radius(Double, allowed: ClosedRange<Double>)
    case tooManyKinds(Int, maximum: Int)
    case kindLength

    /// Text of the problem with its remedy.
    public var description: String {
        switch self {
        case .radius(let radius, let allowed):
            "a radius of \(radius) m: choose one from \(allowed.lowerBound) to \(allowed.upperBound) m"
        case .tooManyKinds(let count, let maximum):
            "\(count) kinds in one filter: choose at most \(maximum), or none for every kind"
        case .kindLength:
            "a kind must have from 1 to \(PlaceFilter.maximumKindLength) bytes: leave the kinds out for every kind"
        }
    }
}
