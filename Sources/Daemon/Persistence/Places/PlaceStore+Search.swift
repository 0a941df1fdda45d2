import Geometry
import Glibc
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

    /// Maximum number of matches that are listed. A query of one letter has more matches in a whole country. Unlisted
    /// places near the wearer are then considered too.
    private static let maximumMatchCount: Int64 = 30_000
    /// Maximum number of matches that are ranked; if there are more, the nearest ones are ranked.
    private static let maximumRankedCount = 800
    /// Number of matches up to which all distances are computed. If there are more, the nearest matches are found by a
    /// search around the position.
    private static let maximumMeasuredCount = 8000
    /// Radius of that search. Unit: metres.
    private static let reach = 100_000.0
    /// Maximum number of name matches that are ranked regardless of their distance. The same maximum applies to
    /// favourites.
    private static let maximumAnywhereCount: Int64 = 500

    /// Returns the places that have all words of a text in name, kind or address. A word may be whole, a prefix, or
    /// have a typo; accents and case are ignored.
    ///
    /// The best match comes first. A worse match costs as much as some doublings of the distance (`PlaceFit.Cost`), so
    /// that a near place precedes a slightly better match far away. A favourite counts as nearby, and precedes equal
    /// matches. A place whose id is the text precedes all others. If there are more than `maximumRankedCount` matches,
    /// only the favourites, the name matches and the nearest matches are ranked. Without a position, the matches that
    /// were stored first replace the nearest.
    package func search(
        _ text: SearchText, near position: GeodeticPosition?, limit: Int
    ) throws(DatabaseError) -> [Found] {
        try database.snapshot { () throws(DatabaseError) in
            let named = try number(of: text.text)
            let best = try best(text.words(splitter), near: position, limit: limit)
            return try found(Array((named + best.filter { !named.contains($0) }).prefix(limit)), from: position)
        }
    }

    private func best(
        _ words: [SearchWord], near position: GeodeticPosition?, limit: Int
    ) throws(DatabaseError) -> [Int64] {
        guard !words.isEmpty, let query = try SearchQuery(words, vocabulary) else { return [] }
        let matches = Matches(
            numbers: try numbers(query.everywhere, Self.maximumMatchCount), maximum: Int(Self.maximumMatchCount))
        let fit = PlaceFit(words, splitter)
        let circle = position.map { SearchCircle(center: $0, radius: .infinity) }
        var best = Best(limit: limit)
        for number in try candidates(matches, query, near: position) {
            if let match = try match(number, fit, circle) { best.consider(match) }
        }
        return best.sorted.map(\.number)
    }

    /// Returns the row numbers of the matches to rank, without duplicates.
    private func candidates(
        _ matches: Matches, _ query: SearchQuery, near position: GeodeticPosition?
    ) throws(DatabaseError) -> [Int64] {
        guard matches.numbers.count > Self.maximumRankedCount else { return matches.numbers }
        let anywhere = try numbers(query.name, Self.maximumAnywhereCount) + favorites().filter(matches.mayContain)
        guard let position else { return Array(Set(anywhere + matches.numbers.prefix(Self.maximumRankedCount))) }
        return Array(Set(anywhere + (try nearest(matches, position))))
    }

    /// Returns the row numbers of the nearest matches.
    private func nearest(_ matches: Matches, _ position: GeodeticPosition) throws(DatabaseError) -> [Int64] {
        guard matches.numbers.count <= Self.maximumMeasuredCount else {
            let near = try nearest(
                position, radius: Self.reach, limit: Self.maximumRankedCount, where: matches.mayContain
            ).found.map(\.number)
            // If few matches are nearby, the matches that were stored first are added.
            return near + matches.numbers.prefix(Self.maximumRankedCount - near.count)
        }
        let circle = SearchCircle(center: position, radius: .infinity)
        var found: [(number: Int64, distance: Double)] = []
        for number in matches.numbers {
            let row = statements.searched
            try row.bind(.integer(number))
            defer { row.reset() }
            guard try row.step() else { continue }
            found.append((number, circle.distance(latitudeDegrees: row.real(3), longitudeDegrees: row.real(4))))
        }
        found.sort { ($0.distance, $0.number) < ($1.distance, $1.number) }
        return found.prefix(Self.maximumRankedCount).map(\.number)
    }

    /// Returns the rank of a place; nil if it does not match or no longer exists.
    private func match(_ number: Int64, _ fit: PlaceFit, _ circle: SearchCircle?) throws(DatabaseError) -> Match? {
        let row = statements.searched
        try row.bind(.integer(number))
        defer { row.reset() }
        guard try row.step(), let cost = fit.cost(name: row.text(0), kind: row.text(1), tags: row.text(2)) else {
            return nil
        }
        return Match(
            number: number, isFavorite: row.integer(5) != 0, length: row.text(0).count, cost: cost,
            distance: circle?.distance(latitudeDegrees: row.real(3), longitudeDegrees: row.real(4)))
    }

    private func favorites() throws(DatabaseError) -> [Int64] {
        let rows = try database.prepare("SELECT number FROM place WHERE favorite = 1 ORDER BY number LIMIT ?")
        try rows.bind(.integer(Self.maximumAnywhereCount))
        return try numbers(rows)
    }

    /// Returns the row numbers that match an expression of the full-text index, in increasing order.
    private func numbers(_ expression: String, _ limit: Int64) throws(DatabaseError) -> [Int64] {
        let rows = try database.prepare("SELECT rowid FROM place_search WHERE place_search MATCH ? LIMIT ?")
        try rows.bind(.text(expression), .integer(limit))
        return try numbers(rows)
    }

    private func numbers(_ rows: Statement) throws(DatabaseError) -> [Int64] {
        var numbers: [Int64] = []
        while try rows.step() { numbers.append(rows.integer(0)) }
        return numbers
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

/// Row numbers of matching places, in increasing order.
private struct Matches {
    let numbers: [Int64]
    /// Maximum number of matches that are listed; a full list may lack matches with higher numbers.
    let maximum: Int

    func mayContain(_ number: Int64) -> Bool {
        if numbers.count >= maximum, number > numbers[numbers.count - 1] { return true }
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < numbers.count && numbers[low] == number
    }
}

/// Rank of a place among the matches.
private struct Match {
    let number: Int64
    private let isFavorite: Bool
    /// Length of the name in characters. Of two equal matches, the one with the shorter name comes first.
    private let length: Int
    /// Cost of the match. Unit: doublings of the distance.
    private let cost: Double

    /// Distance below which a doubling of the distance hardly counts. Unit: metres.
    private static let atHand = 100.0

    init(number: Int64, isFavorite: Bool, length: Int, cost: Double, distance: Double?) {
        self.number = number
        self.isFavorite = isFavorite
        self.length = length
        let metres = isFavorite ? 0 : distance ?? 0
        self.cost = cost + log2(1 + metres / Self.atHand)
    }

    /// Order of the results.
    static func < (left: Match, right: Match) -> Bool { left.key < right.key }

    private var key: (Double, Int, Int, Int64) { (cost, isFavorite ? 0 : 1, length, number) }
}

/// The best few of many matches.
private struct Best {
    private let limit: Int
    private var matches: [Match] = []

    init(limit: Int) { self.limit = limit }

    mutating func consider(_ match: Match) {
        matches.append(match)
        // Sorting only now and then spreads its cost over many matches.
        if matches.count >= 4 * limit + 64 { matches = sorted }
    }

    var sorted: [Match] { Array(matches.sorted { $0 < $1 }.prefix(limit)) }
}
