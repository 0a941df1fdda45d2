import Geodesy

/// Selection of the places that are shown, with hysteresis against position noise.
///
/// A place is added within the radius and while there is room. It stays until it is beyond the radius by a share of it,
/// or until the number of nearer places exceeds the limit by that share. If there is no room, a place well within the
/// limit replaces the farthest. Favourites have no precedence; there is a filter for them.
public struct PlaceSelection: Sendable {
    private var shown: Set<String> = []
    private var lastFilter: PlaceFilter?

    /// Selection without places.
    public init() {}

    /// Selected places, nearest first, at most `mostShown`; equal distances in order of identifiers.
    ///
    /// - Parameter candidates: at least every place within the filter's reach, in any order, with unique identifiers.
    public mutating func choose(
        _ candidates: [Place], around position: GeodeticPosition, filter: PlaceFilter,
        settings: SceneSettings.Places
    ) -> [NearbyPlace] {
        if filter != lastFilter {
            shown = []
            lastFilter = filter
        }
        let field = NearField(around: position)
        let ranked = rank(candidates, field, filter: filter, settings: settings)
        let chosen = seated(ranked, candidates, settings: settings)
        shown = Set(chosen.lazy.map { candidates[$0.index].id })
        return chosen.map {
            let place = candidates[$0.index]
            return NearbyPlace(place: place, distance: $0.distance, bearing: field.bearing(to: place.position))
        }
    }

    /// A candidate that may be shown.
    private struct Ranked {
        var index: Int
        /// Distance over ground. Unit: metres.
        var distance: Double
    }

    /// Candidates within the radius, or within its hysteresis if they are shown, nearest first.
    private func rank(
        _ candidates: [Place], _ field: NearField, filter: PlaceFilter, settings: SceneSettings.Places
    ) -> [Ranked] {
        let reach = filter.reach(settings)
        var ranked: [Ranked] = []
        ranked.reserveCapacity(candidates.count)
        for index in candidates.indices {
            let distance = field.distance(to: candidates[index].position)
            guard distance <= reach, filter.admits(candidates[index]) else { continue }
            guard distance <= filter.radiusMetres || shown.contains(candidates[index].id) else { continue }
            ranked.append(Ranked(index: index, distance: distance))
        }
        ranked.sort {
            $0.distance != $1.distance
                ? $0.distance < $1.distance : candidates[$0.index].id < candidates[$1.index].id
        }
        return ranked
    }

    /// Candidates within the limit on the number, nearest first.
    private func seated(_ ranked: [Ranked], _ candidates: [Place], settings: SceneSettings.Places) -> [Ranked] {
        let most = max(0, settings.mostShown)
        guard ranked.count > most else { return ranked }
        let margin = Int((Double(most) * settings.capHysteresis).rounded())
        var hasSeat = ranked.indices.map { rank in
            rank < most - margin || (rank < most + margin && shown.contains(candidates[ranked[rank].index].id))
        }
        var seats = hasSeat.count { $0 }
        for rank in ranked.indices.reversed() where seats > most && hasSeat[rank] {
            hasSeat[rank] = false
            seats -= 1
        }
        for rank in ranked.indices.prefix(most) where seats < most && !hasSeat[rank] {
            hasSeat[rank] = true
            seats += 1
        }
        return ranked.indices.filter { hasSeat[$0] }.map { ranked[$0] }
    }
}
