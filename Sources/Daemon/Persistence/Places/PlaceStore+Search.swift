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
    private static let maximumMatchCount = 30_000
    /// Maximum number of matches that are ranked; if there are more, the nearest ones are ranked.
    private static let maximumRankedCount = 800
    /// Number of matches up to which all distances are computed. If there are more, the nearest matches are found by a
    /// search around the position, and up to `maximumCertainCount` of them are ranked.
    private static let maximumMeasuredCount = 3000
    private static let maximumCertainCount = 100
    /// Radius of that search. Unit: metres.
    private static let reach = 100_000.0
    /// Maximum number of places that it visits.
    private static let maximumVisitCount = 60_000
    /// Number of matches up to which all distances are computed if that search finds too few.
    private static let maximumScatteredCount = 8000
    /// Maximum number of name matches that are ranked regardless of their distance. The same maximum applies to
    /// favourites.
    private static let maximumAnywhereCount = 500

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
        guard !words.isEmpty, limit > 0, let query = try SearchQuery(words, vocabulary, mayLeaveOut: position != nil)
        else { return [] }
        let matches = try matches(query)
        let fit = PlaceFit(words, splitter)
        let circle = position.map { SearchCircle(center: $0, radius: .infinity) }
        var best = Best(limit: limit)
        for number in try candidates(matches, query, near: position) {
            if let match = try match(number, fit, circle, below: best.worst) { best.consider(match) }
        }
        return best.matches.map(\.number)
    }

    private func matches(_ query: SearchQuery) throws(DatabaseError) -> Matches {
        guard let everywhere = query.everywhere else {
            return Matches(numbers: [], isComplete: false, isCertain: false)
        }
        let numbers = try numbers(everywhere, Self.maximumMatchCount)
        let isComplete = numbers.count < Self.maximumMatchCount
        return Matches(numbers: numbers, isComplete: isComplete, isCertain: isComplete && query.whole == nil)
    }

    /// Returns the row numbers of the matches to rank, without duplicates.
    private func candidates(
        _ matches: Matches, _ query: SearchQuery, near position: GeodeticPosition?
    ) throws(DatabaseError) -> [Int64] {
        guard !matches.isComplete || matches.numbers.count > Self.maximumRankedCount else { return matches.numbers }
        var candidates = Array(matches.numbers.prefix(Self.maximumRankedCount))
        // The nearest ones first, so that most others need not be compared with the words.
        if let position { candidates = try nearest(matches, position) }
        candidates += try numbers(query.name, Self.maximumAnywhereCount) + favorites().filter(matches.mayContain)
        // The nearest ones may lack a word that was left out, so that those with the whole word are looked up.
        if let position, let whole = query.whole {
            candidates += try measured(numbers(whole, Self.maximumScatteredCount), position)
        }
        var known: Set<Int64> = []
        return candidates.filter { known.insert($0).inserted }
    }

    /// Returns the row numbers of the nearest matches, nearest first.
    private func nearest(_ matches: Matches, _ position: GeodeticPosition) throws(DatabaseError) -> [Int64] {
        let numbers = matches.numbers
        if matches.isComplete, numbers.count <= Self.maximumMeasuredCount { return try measured(numbers, position) }
        let limit = matches.isCertain ? Self.maximumCertainCount : Self.maximumRankedCount
        let near = try nearest(
            position, radius: Self.reach, limit: limit, maximumVisitCount: Self.maximumVisitCount,
            where: matches.mayContain
        ).found.map(\.number)
        if near.count == limit { return near }
        if matches.isComplete, numbers.count <= Self.maximumScatteredCount { return try measured(numbers, position) }
        // If few matches are nearby, the matches that were stored first are added.
        return near + numbers.prefix(Self.maximumRankedCount - near.count)
    }

    /// Returns the row numbers in the order of the distances, as many as are ranked.
    private func measured(_ numbers: [Int64], _ position: GeodeticPosition) throws(DatabaseError) -> [Int64] {
        let circle = SearchCircle(center: position, radius: .infinity)
        var found: [(number: Int64, distance: Double)] = []
        let row = statements.positions
        try row.bind(.text("[\(numbers.map(String.init).joined(separator: ","))]"))
        while try row.step() {
            let distance = circle.distance(latitudeDegrees: row.real(1), longitudeDegrees: row.real(2))
            found.append((row.integer(0), distance))
        }
        found.sort { ($0.distance, $0.number) < ($1.distance, $1.number) }
        return found.prefix(Self.maximumRankedCount).map(\.number)
    }

    /// Returns the rank of a place; nil if it does not match, no longer exists, or has a higher cost than `worst`.
    private func match(
        _ number: Int64, _ fit: PlaceFit, _ circle: SearchCircle?, below worst: Double
    ) throws(DatabaseError) -> Match? {
        let row = statements.searched
        try row.bind(.integer(number))
        defer { row.reset() }
        guard try row.step() else { return nil }
        let isFavorite = row.integer(5) != 0
        let distance = circle?.distance(latitudeDegrees: row.real(3), longitudeDegrees: row.real(4))
        let travel = Match.travel(isFavorite ? 0 : distance ?? 0)
        guard travel <= worst else { return nil }
        let name = row.text(0)
        guard let cost = fit.cost(name: name, kind: row.text(1), tags: row.text(2), maximum: worst - travel)
        else { return nil }
        return Match(number: number, isFavorite: isFavorite, length: name.count, cost: cost + travel)
    }

    private func favorites() throws(DatabaseError) -> [Int64] {
        let rows = try database.prepare("SELECT number FROM place WHERE favorite = 1 ORDER BY number LIMIT ?")
        try rows.bind(.integer(Int64(Self.maximumAnywhereCount)))
        return try numbers(rows)
    }

    /// Returns the row numbers that match an expression of the full-text index, in increasing order.
    private func numbers(_ expression: String, _ limit: Int) throws(DatabaseError) -> [Int64] {
        let rows = try database.prepare("SELECT rowid FROM place_search WHERE place_search MATCH ? LIMIT ?")
        try rows.bind(.text(expression), .integer(Int64(limit)))
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
    /// Whether all matches are listed; otherwise the list lacks those with higher numbers.
    let isComplete: Bool
    /// Whether each of them has all words of the text, and all matches are listed.
    let isCertain: Bool

    func mayContain(_ number: Int64) -> Bool {
        if !isComplete, numbers.last.map({ number > $0 }) ?? true { return true }
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
    let isFavorite: Bool
    /// Length of the name in characters. Of two equal matches, the one with the shorter name comes first.
    let length: Int
    /// Cost of the match and of the distance. Unit: doublings of the distance.
    let cost: Double

    /// Distance below which a doubling of the distance hardly counts. Unit: metres.
    private static let atHand = 100.0

    /// Returns the cost of a distance.
    static func travel(_ metres: Double) -> Double { log2(1 + metres / Self.atHand) }

    /// Order of the results.
    static func < (left: Match, right: Match) -> Bool { left.key < right.key }

    private var key: (Double, Int, Int, Int64) { (cost, isFavorite ? 0 : 1, length, number) }
}

/// The best few of many matches, the best first.
private struct Best {
    let limit: Int
    private(set) var matches: [Match] = []

    init(limit: Int) { self.limit = limit }

    /// Cost above which no further match is among the best.
    var worst: Double { matches.count < limit ? .infinity : matches[limit - 1].cost }

    mutating func consider(_ match: Match) {
        guard matches.count < limit || match < matches[limit - 1] else { return }
        matches.insert(match, at: matches.firstIndex { match < $0 } ?? matches.count)
        if matches.count > limit { matches.removeLast() }
    }
}
