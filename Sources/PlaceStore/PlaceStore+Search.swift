import Geodesy
import Glibc
import Scene

/// Finding places by name, completed as it is typed.
extension PlaceStore {
    /// A place, and how to get there as far as anybody knows from where.
    package struct Found: Sendable {
        package let place: Place
        package let line: Geodesic?

        fileprivate var metres: Double { line?.distance ?? 0 }

        package init(_ place: Place, from position: GeodeticPosition?) {
            self.place = place
            line = position.map { Geodesic(from: $0, to: place.position) }
        }
    }

    /// Maximum number of matches that are ranked; a query of one letter in a whole country gets some of them.
    private static let mostMatches: Int64 = 50_000

    /// Places in whose name all words stand, the last one perhaps only begun; accents and case make no difference.
    ///
    /// The best first: how well the name fits counts as much as some doublings of the distance, so that what is near comes
    /// before what fits a little better far away. Among about equals favourites come first. A place whose id is the text
    /// comes before all others.
    package func search(
        _ text: SearchText, near position: GeodeticPosition?, limit: Int
    ) throws(DatabaseError) -> [Found] {
        guard !text.isEmpty else { return [] }
        let circle = position.map { SearchCircle(center: $0, radius: .infinity) }
        let (beginning, whole) = (try matches(text.atBeginning), try matches(text.whole))
        let rows = try database.prepare(
            """
            SELECT number, latitude, longitude, favorite, length(place.name)
            FROM (SELECT rowid AS number FROM place_name WHERE place_name MATCH ? LIMIT ?) JOIN place USING (number)
            """)
        try rows.bind(.text(text.anywhere), .integer(Self.mostMatches))
        var best = Best(limit: limit)
        while try rows.step() {
            let number = rows.integer(0)
            let match = Match(
                number: number, isFavorite: rows.integer(3) != 0, length: Int(rows.integer(4)),
                isAtBeginning: beginning.contains(number), isWhole: whole.contains(number),
                distance: circle?.distance(latitudeDegrees: rows.real(1), longitudeDegrees: rows.real(2)))
            best.consider(match)
        }
        let named = try number(of: text.id)
        let numbers = named + best.sorted.map(\.number).filter { !named.contains($0) }
        return try found(Array(numbers.prefix(limit)), from: position)
    }

    /// The `limit` nearest places within `radius` metres that the filter lets through.
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

    /// Number of the place with this id; empty where there is none.
    private func number(of id: String) throws(DatabaseError) -> [Int64] {
        let rows = try database.prepare("SELECT number FROM place WHERE id = ?")
        try rows.bind(.text(id))
        return try rows.step() ? [rows.integer(0)] : []
    }

    private func matches(_ expression: String) throws(DatabaseError) -> Set<Int64> {
        let rows = try database.prepare("SELECT rowid FROM place_name WHERE place_name MATCH ? LIMIT ?")
        try rows.bind(.text(expression), .integer(Self.mostMatches))
        var numbers: Set<Int64> = []
        while try rows.step() { numbers.insert(rows.integer(0)) }
        return numbers
    }
}

/// Rank of a place among the matches.
private struct Match {
    let number: Int64
    private let isFavorite: Bool
    /// Length of the name in characters: of two equal matches, the shorter name is more of what was typed.
    private let length: Int
    /// Cost in doublings of the distance.
    private let cost: Double

    /// Costs of words that do not begin the name, and of a last word that is only begun.
    private static let notAtBeginning = 2.0
    private static let onlyBegun = 1.0
    /// Distance within which doublings are not counted. Unit: metres.
    private static let atHand = 100.0

    init(number: Int64, isFavorite: Bool, length: Int, isAtBeginning: Bool, isWhole: Bool, distance: Double?) {
        self.number = number
        self.isFavorite = isFavorite
        self.length = length
        cost =
            (isAtBeginning ? 0 : Self.notAtBeginning) + (isWhole ? 0 : Self.onlyBegun)
            + log2(1 + (distance ?? 0) / Self.atHand)
    }

    /// The order in which they are shown.
    static func < (left: Match, right: Match) -> Bool { left.key < right.key }

    private var key: (Double, Int, Double, Int, Int64) {
        (cost.rounded(), isFavorite ? 0 : 1, cost, length, number)
    }
}

/// The first few of many.
private struct Best {
    private let limit: Int
    private var matches: [Match] = []

    init(limit: Int) { self.limit = limit }

    mutating func consider(_ match: Match) {
        matches.append(match)
        // Now and then is enough: the cost of sorting is shared by many.
        if matches.count >= 4 * limit + 64 { matches = sorted }
    }

    var sorted: [Match] { Array(matches.sorted { $0 < $1 }.prefix(limit)) }
}
