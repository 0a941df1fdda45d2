import Geometry
import SQLite

/// One search for places by words: lists matches of the full-text index, and ranks those that may be the best.
struct PlaceSearch {
    private let store: PlaceStore
    private let limits: SearchLimits
    private let position: GeodeticPosition?
    private let query: SearchQuery
    private var ranking: PlaceRanking

    /// Returns nil if no place can have all words.
    init?(
        _ words: [SearchWord], in store: PlaceStore, near position: GeodeticPosition?, limit: Int,
        _ limits: SearchLimits
    ) throws(DatabaseError) {
        guard !words.isEmpty, limit > 0, let query = try Self.query(words, store, position, limits) else { return nil }
        (self.store, self.limits, self.position, self.query) = (store, limits, position, query)
        ranking = PlaceRanking(
            PlaceFit(words, store.splitter), around: position.map { SearchCircle(center: $0, radius: .infinity) },
            limit: limit, row: store.statements.searched)
    }

    private static func query(
        _ words: [SearchWord], _ store: PlaceStore, _ position: GeodeticPosition?, _ limits: SearchLimits
    ) throws(DatabaseError) -> SearchQuery? {
        var pages = limits.prefixPageCount.all
        return try SearchQuery(words, store.vocabulary) { expression throws(DatabaseError) in
            // Without a position, no places could be compared instead of those that are listed.
            guard position != nil else { return true }
            let room = min(pages, limits.prefixPageCount.each)
            let read = try store.list(expression, limit: 1, pages: room, limits).pages
            pages -= read ?? room
            return read != nil
        }
    }

    /// Returns the row numbers of the best places, the best first.
    mutating func best() throws(DatabaseError) -> [Int64] {
        let matches = try matches()
        if matches.areComplete, matches.numbers.count <= limits.rankedCount {
            try ranking.add(matches.numbers)
            return ranking.numbers
        }
        try ranking.add(store.favorites(limit: limits.anywhereCount).filter(matches.mayContain))
        if let position {
            try addNear(matches, position)
        } else {
            try ranking.add(matches.numbers.prefix(limits.rankedCount))
            try ranking.add(list(query.name, limit: limits.anywhereCount).numbers)
        }
        return ranking.numbers
    }

    private func matches() throws(DatabaseError) -> Matches {
        guard let expression = query.quick else { return Matches(numbers: [], end: .min, areCertain: false) }
        var (numbers, pages) = try list(expression, limit: limits.matchCount)
        if pages == nil, numbers.count < limits.rankedCount {
            // Few places have all of several common words, so that a search around the position would find too few.
            (numbers, pages) = try store.list(expression, limit: limits.matchCount, pages: nil, limits)
        }
        let areAll = pages != nil && numbers.count < limits.matchCount
        return Matches(
            numbers: numbers, end: areAll ? .max : numbers.last ?? .min, areCertain: query.whole == nil)
    }

    private func list(_ expression: String, limit: Int) throws(DatabaseError) -> (numbers: [Int64], pages: Int?) {
        try store.list(expression, limit: limit, pages: position == nil ? nil : limits.pageCount, limits)
    }

    private mutating func addNear(_ matches: Matches, _ position: GeodeticPosition) throws(DatabaseError) {
        // The nearest ones first, so that most others need not be compared with the words.
        try ranking.add(nearestFirst: nearest(matches, position))
        try ranking.add(list(query.name, limit: limits.anywhereCount).numbers)
        // The nearest ones may lack a word that was left out.
        if let whole = query.whole {
            let matches = Matches(
                numbers: try list(whole, limit: limits.matchCount).numbers, end: .max, areCertain: true)
            try ranking.add(nearestFirst: nearest(matches, position))
        }
        if !ranking.isFull { try addFarther(matches, position) }
    }

    /// Adds matches at any distance, because too few are near.
    private mutating func addFarther(_ matches: Matches, _ position: GeodeticPosition) throws(DatabaseError) {
        if matches.areCertain || matches.areComplete && matches.numbers.count <= limits.scatteredCount {
            let places = try measured(matches.numbers, position)
            try ranking.add(nearestFirst: places.prefix(limits.rankedCount))
        }
        guard !ranking.isFull, !matches.areCertain else { return }
        // It takes long, but nothing else finds the other matches.
        let numbers = try store.list(query.everywhere, limit: limits.matchCount, pages: nil, limits).numbers
        try ranking.add(nearestFirst: measured(numbers, position).prefix(limits.rankedCount))
    }

    /// Returns the nearest matches, or places that may match, nearest first.
    private func nearest(
        _ matches: Matches, _ position: GeodeticPosition
    ) throws(DatabaseError) -> ArraySlice<PlaceRanking.Near> {
        if matches.areComplete, matches.numbers.count <= limits.measuredCount {
            return try measured(matches.numbers, position).prefix(limits.rankedCount)
        }
        let isCertain = matches.areComplete && matches.areCertain
        return try store.nearest(
            position, radius: limits.reach, limit: isCertain ? limits.certainCount : limits.rankedCount,
            maximumVisitCount: limits.visitCount, where: matches.mayContain
        ).found
    }

    /// Returns the places with their distances, nearest first. Of too many, places throughout the list are chosen,
    /// which are in any region in the proportion of all.
    private func measured(
        _ numbers: [Int64], _ position: GeodeticPosition
    ) throws(DatabaseError) -> [PlaceRanking.Near] {
        let count = numbers.count <= limits.scatteredCount ? numbers.count : limits.measuredCount
        let chosen = (0..<count).map { String(numbers[$0 * numbers.count / count]) }
        let circle = SearchCircle(center: position, radius: .infinity)
        var found: [PlaceRanking.Near] = []
        let row = store.statements.positions
        try row.bind(.text("[\(chosen.joined(separator: ","))]"))
        while try row.step() {
            let distance = circle.distance(latitudeDegrees: row.real(1), longitudeDegrees: row.real(2))
            found.append((row.integer(0), row.integer(3) != 0 ? 0 : distance))
        }
        return found.sorted { ($0.distance, $0.number) < ($1.distance, $1.number) }
    }
}

extension PlaceStore {
    /// Returns the row numbers that match an expression of the full-text index, in increasing order.
    ///
    /// - Parameter pages: maximum number of pages read beyond those that look up the words; nil for no maximum.
    /// - Returns: the row numbers, and that number of pages; nil if the list ends early because of the maximum.
    fileprivate func list(
        _ expression: String, limit: Int, pages: Int?, _ limits: SearchLimits
    ) throws(DatabaseError) -> (numbers: [Int64], pages: Int?) {
        let rows = try database.prepare("SELECT rowid FROM place_search WHERE place_search MATCH ? LIMIT ?")
        try rows.bind(.text(expression), .integer(Int64(limit)))
        guard let pages else { return (try rows.numbers(), 0) }
        let wordCount = expression.utf8.count { $0 == UInt8(ascii: "\"") } / 2
        let lookups = wordCount * limits.lookupPageCount
        var numbers: [Int64] = []
        let read = try database.read(atMost: pages + lookups) { () throws(DatabaseError) in
            while try rows.step() { numbers.append(rows.integer(0)) }
        }
        return (numbers, read.map { max(0, $0 - lookups) })
    }

    fileprivate func favorites(limit: Int) throws(DatabaseError) -> [Int64] {
        let rows = statements.favorites
        try rows.bind(.integer(Int64(limit)))
        return try rows.numbers()
    }
}

extension Statement {
    /// Returns the numbers in the first column of all rows.
    fileprivate func numbers() throws(DatabaseError) -> [Int64] {
        var numbers: [Int64] = []
        while try step() { numbers.append(integer(0)) }
        return numbers
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
