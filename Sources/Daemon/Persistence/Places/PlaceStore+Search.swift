import Geometry
import Scene
import SQLite

/// Search for places by name, kind and address, with completion while typing and tolerance of typos.
extension PlaceStore {
    /// Place, with its distance and direction from the wearer if the wearer's position is known.
    package struct Found: Sendable {
        package let place: Place
        package let line: Geodesic?

        fileprivate var metres: Double { line?.distance ?? 0 }

        package init(_ place: Place, from position: GeodeticPosition?) {
            self.place = place
            line = position.map { Geodesic(from: $0, to: place.position) }
        }
    }

    /// Returns the places that have all words of a text in name, kind or address. A word may be whole, a prefix, or
    /// have a typo; accents and case are ignored.
    ///
    /// The best match comes first. A worse match costs as much as some doublings of the distance (`PlaceFit.Cost`), so
    /// that a near place precedes a slightly better match far away. A favourite counts as nearby, and precedes equal
    /// matches. A place whose id is the text precedes all others. If there are more than
    /// `SearchLimits.rankedCount` matches, only the favourites, the name matches and the nearest matches are ranked.
    /// Without a position, the matches that were stored first replace the nearest.
    package func search(
        _ text: SearchText, near position: GeodeticPosition?, limit: Int, limits: SearchLimits = SearchLimits()
    ) throws(DatabaseError) -> [Found] {
        try database.snapshot { () throws(DatabaseError) in
            let named = try number(of: text.text)
            var search = try PlaceSearch(text.words(splitter), in: self, near: position, limit: limit, limits)
            let best = try search?.best() ?? []
            return try found(Array((named + best.filter { !named.contains($0) }).prefix(limit)), from: position)
        }
    }

    /// Returns the `limit` nearest places within `radius` metres that pass the filter.
    package func near(
        _ center: GeodeticPosition, radius: Double, filter: PlaceFilter?, limit: Int
    ) throws(DatabaseError) -> [Found] {
        try around(center, radius: radius, filter: filter, limit: limit).map { Found($0, from: center) }
            .filter { $0.metres <= radius }.sorted { ($0.metres, $0.place.id) < ($1.metres, $1.place.id) }
    }

    private func found(_ numbers: [Int64], from position: GeodeticPosition?) throws(DatabaseError) -> [Found] {
        var found: [Found] = []
        for number in numbers {
            if let place = try place(number: number) { found.append(Found(place, from: position)) }
        }
        return found
    }

    /// Returns the row number of the place with this id; empty if there is none.
    private func number(of id: String) throws(DatabaseError) -> [Int64] {
        let rows = try database.prepare("SELECT number FROM place WHERE id = ?")
        try rows.bind(.text(id))
        return try rows.step() ? [rows.integer(0)] : []
    }
}
