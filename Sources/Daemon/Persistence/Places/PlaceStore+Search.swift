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
    /// Maximum number of matches that are ranked; if there are more, the nearest ones are ranked. Also the maximum
    /// number of places near the wearer that are compared with the words because not all matches are listed.
    private static let maximumRankedCount = 400
    /// Number of these places after which no more are compared if none has matched.
    private static let maximumMissCount = 200
    /// Number of nearest matches that are ranked if there are more than `maximumRankedCount`.
    private static let maximumNearCount = 60
    /// Radius of the search for them around the position. Unit: metres.
    private static let reach = 100_000.0
    /// Maximum number of places that it reads.
    private static let maximumVisitCount = 20_000
    /// Maximum number of matches whose distances are computed if that search finds too few.
    private static let maximumMeasuredCount = 400
    /// Maximum number of name matches that are ranked regardless of their distance.
    private static let maximumNameCount = 100
    private static let maximumFavoriteCount = 500
    /// Maximum number of pages that are read to list matches, which bounds the search for common words of which few
    /// places have all. At a million places, reading these takes a few milliseconds.
    private static let maximumPageCount = 300
    /// Maximum number of pages that are read to try a prefix, and to try all of a text.
    private static let maximumPrefixPageCount = (each: 60, all: 120)
    /// Number of pages that are added to these for each word of an expression, since each is looked up in all segments
    /// of the index, and maximum number of words for which they are.
    private static let lookupPageCount = (each: 40, maximumWordCount: 20)

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
        guard !words.isEmpty, limit > 0, let query = try query(words) else { return [] }
        let matches = try matches(query, near: position)
        let fit = PlaceFit(words, splitter)
        let circle = position.map { SearchCircle(center: $0, radius: .infinity) }
        var best = Best(limit: limit)
        var known: Set<Int64> = []
        let nearCount = max(Self.maximumNearCount, limit)
        func rank(_ numbers: some Sequence<Int64>) throws(DatabaseError) {
            for number in numbers where known.insert(number).inserted {
                if let match = try match(number, fit, circle, below: best.worst) { best.consider(match) }
            }
        }
        func rank(nearestFirst places: some Sequence<Near>) throws(DatabaseError) {
            var (count, end) = (0, Self.maximumRankedCount)
            for place in places {
                guard count < end, count < Self.maximumMissCount || !best.matches.isEmpty,
                    Match.travel(place.distance) <= best.worst
                else { return }
                let wasFull = best.isFull
                try rank(CollectionOfOne(place.number))
                count += 1
                // If this many places have enough matches, more of them than `nearCount` hardly fit better.
                if !wasFull, best.isFull { end = min(end, count * nearCount / limit) }
            }
        }
        guard !matches.areComplete || matches.numbers.count > Self.maximumRankedCount else {
            try rank(matches.numbers)
            return best.matches.map(\.number)
        }
        if let position { try rank(nearestFirst: nearest(matches, position, nearCount)) }
        try rank(list(query.name, limit: Self.maximumNameCount, pages: Self.maximumPageCount).numbers)
        try rank(favorites().filter(matches.mayContain))
        if !best.isFull { try addFarther() }
        return best.matches.map(\.number)

        /// Few matches are nearby.
        func addFarther() throws(DatabaseError) {
            guard let position else { return try rank(matches.numbers.prefix(Self.maximumRankedCount)) }
            if let whole = query.whole {
                let numbers = try list(whole, limit: Self.maximumMatchCount, pages: Self.maximumPageCount).numbers
                try rank(nearestFirst: measured(numbers, position).prefix(nearCount))
            }
            try rank(nearestFirst: measured(matches.numbers, position).prefix(nearCount))
        }
    }

    /// Returns nil if no place can have all words. Prefixes that too many places have are left out.
    private func query(_ words: [SearchWord]) throws(DatabaseError) -> SearchQuery? {
        var pages = Self.maximumPrefixPageCount.all
        return try SearchQuery(words, vocabulary) { expression throws(DatabaseError) in
            let room = min(pages, Self.maximumPrefixPageCount.each)
            let read = try list(expression, limit: 1, pages: room).pages
            pages -= read ?? room
            return read != nil
        }
    }

    private func matches(_ query: SearchQuery, near position: GeodeticPosition?) throws(DatabaseError) -> Matches {
        // Without a position, no places can be compared instead of those that have a word that was left out.
        guard let expression = position == nil ? query.whole ?? query.everywhere : query.everywhere
        else { return Matches(numbers: [], end: 0, areCertain: false) }
        let (numbers, pages) = try list(expression, limit: Self.maximumMatchCount, pages: Self.maximumPageCount)
        let areAll = pages != nil && numbers.count < Self.maximumMatchCount
        if position == nil, query.whole != nil { return Matches(numbers: numbers, end: 0, areCertain: false) }
        return Matches(numbers: numbers, end: areAll ? .max : numbers.last ?? 0, areCertain: query.whole == nil)
    }

    private typealias Near = (number: Int64, distance: Double)

    /// Returns up to `count` matches around the position, or more places that may match, nearest first.
    private func nearest(
        _ matches: Matches, _ position: GeodeticPosition, _ count: Int
    ) throws(DatabaseError) -> ArraySlice<Near> {
        let limit = matches.areComplete && matches.areCertain ? count : Self.maximumRankedCount
        if matches.areComplete, matches.numbers.count <= Self.maximumMeasuredCount {
            return try measured(matches.numbers, position).prefix(limit)
        }
        return try nearest(
            position, radius: Self.reach, limit: limit, maximumVisitCount: Self.maximumVisitCount,
            where: matches.mayContain
        ).found
    }

    /// Returns the places with their distances, nearest first. Of more than `maximumMeasuredCount`, places throughout
    /// the list are chosen, which are in any region in the proportion of all.
    private func measured(_ numbers: [Int64], _ position: GeodeticPosition) throws(DatabaseError) -> [Near] {
        let count = min(numbers.count, Self.maximumMeasuredCount)
        let chosen = (0..<count).map { String(numbers[$0 * numbers.count / count]) }
        let circle = SearchCircle(center: position, radius: .infinity)
        var found: [Near] = []
        let row = statements.positions
        try row.bind(.text("[\(chosen.joined(separator: ","))]"))
        while try row.step() {
            let distance = circle.distance(latitudeDegrees: row.real(1), longitudeDegrees: row.real(2))
            found.append((row.integer(0), distance))
        }
        return found.sorted { ($0.distance, $0.number) < ($1.distance, $1.number) }
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
        let rows = statements.favorites
        try rows.bind(.integer(Int64(Self.maximumFavoriteCount)))
        var numbers: [Int64] = []
        while try rows.step() { numbers.append(rows.integer(0)) }
        return numbers
    }

    /// Returns the row numbers that match an expression of the full-text index, in increasing order.
    ///
    /// - Parameter pages: maximum number of pages read beyond those that look up the words.
    /// - Returns: the row numbers, and that number of pages; nil if the list ends early because of the maximum.
    private func list(
        _ expression: String, limit: Int, pages: Int
    ) throws(DatabaseError) -> (numbers: [Int64], pages: Int?) {
        let rows = try database.prepare("SELECT rowid FROM place_search WHERE place_search MATCH ? LIMIT ?")
        try rows.bind(.text(expression), .integer(Int64(limit)))
        var numbers: [Int64] = []
        let words = min(expression.utf8.count { $0 == UInt8(ascii: "\"") } / 2, Self.lookupPageCount.maximumWordCount)
        let lookups = words * Self.lookupPageCount.each
        let read = try database.read(atMost: pages + lookups) { () throws(DatabaseError) in
            while try rows.step() { numbers.append(rows.integer(0)) }
        }
        return (numbers, read.map { max(0, $0 - lookups) })
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
    /// Row number up to which all matches are listed; the highest number if all are.
    let end: Int64
    /// Whether each of them has all words of the text.
    let areCertain: Bool

    var areComplete: Bool { end == .max }

    func mayContain(_ number: Int64) -> Bool {
        if number > end { return true }
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

    var isFull: Bool { matches.count >= limit }

    /// Cost above which no further match is among the best.
    var worst: Double { isFull ? matches[limit - 1].cost : .infinity }

    mutating func consider(_ match: Match) {
        guard !isFull || match < matches[limit - 1] else { return }
        matches.insert(match, at: matches.firstIndex { match < $0 } ?? matches.count)
        if matches.count > limit { matches.removeLast() }
    }
}
