import Geodesy
import Glibc
import Scene
import SQLite

/// Search for places by name, with completion while typing.
extension PlaceStore {
    /// Place, with distance and direction from the wearer if the position is known.
    package struct Found: Sendable {
        package let place: Place
        package let line: Geodesic?

        fileprivate var metres: Double { line?.distance ?? 0 }

        package init(_ place: Place, from position: GeodeticPosition?) {
            self.place = place
            line = position.map { Geodesic(from: $0, to: place.position) }
        }
    }

    /// Maximum number of ranked matches; a query of one letter in a whole country exceeds it.
    private static let mostMatches: Int64 = 50_000

    /// Places whose name contains all words, the last one as a prefix, regardless of accents and case.
    ///
    /// Best match first: a worse match of the name costs as much as one or two doublings of the distance, so that a
    /// near place precedes a slightly better match far away. Among about equal matches favourites come first. A place
    /// whose id is the text precedes all others.
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

    /// The `limit` nearest places within `radius` metres that pass the filter.
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

    /// Row number of the place with this id; empty if there is none.
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
    /// Length of the name in characters: of two equal matches the shorter name comes first.
    private let length: Int
    /// Cost of the match. Unit: doublings of the distance.
    private let cost: Double

    /// Costs of words that do not begin the name, and of a last word that is only a prefix.
    private static let notAtBeginning = 2.0
    private static let onlyPrefix = 1.0
    /// Distance below which doublings hardly count. Unit: metres.
    private static let atHand = 100.0

    init(number: Int64, isFavorite: Bool, length: Int, isAtBeginning: Bool, isWhole: Bool, distance: Double?) {
        self.number = number
        self.isFavorite = isFavorite
        self.length = length
        cost =
            (isAtBeginning ? 0 : Self.notAtBeginning) + (isWhole ? 0 : Self.onlyPrefix)
            + log2(1 + (distance ?? 0) / Self.atHand)
    }

    /// Order of the results.
    static func < (left: Match, right: Match) -> Bool { left.key < right.key }

    private var key: (Double, Int, Double, Int, Int64) {
        (cost.rounded(), isFavorite ? 0 : 1, cost, length, number)
    }
}

/// The best few of many matches.
private struct Best {
    private let limit: Int
    private var matches: [Match] = []

    init(limit: Int) { self.limit = limit }

    mutating func consider(_ match: Match) {
        matches.append(match)
        // Sorting rarely shares its cost among many matches.
        if matches.count >= 4 * limit + 64 { matches = sorted }
    }

    var sorted: [Match] { Array(matches.sorted { $0 < $1 }.prefix(limit)) }
}

/// Words of a search as expressions of the full-text index. The words are quoted, so that none acts as an operator.
package struct SearchText: Sendable {
    /// Quoted words; the last may be a prefix.
    private let words: [String]
    /// Text as typed, which may be the id of a place.
    package let id: String

    /// Maximum length of the text, that of a name. Unit: UTF-8 bytes.
    package static let longest = 500
    /// Maximum number of words; further ones are ignored, since they hardly narrow the search.
    private static let mostWords = 16

    /// Splits a text into words; nil for one that is too long.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        id = text
        words = text.unicodeScalars
            .split { $0.properties.isWhitespace || $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }
            .map { String(String.UnicodeScalarView($0)) }
            .filter { word in word.unicodeScalars.contains { $0.properties.isAlphabetic || Self.isNumeric($0) } }
            .prefix(Self.mostWords)
            .map { "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" }
    }

    /// Whether there are no words.
    package var isEmpty: Bool { words.isEmpty }

    /// All words anywhere in the name, the last as a prefix.
    package var anywhere: String { words.joined(separator: " ") + "*" }

    /// All words anywhere in the name, the last one whole.
    package var whole: String { words.joined(separator: " ") }

    /// The words in order at the beginning of the name, the last as a prefix.
    package var atBeginning: String { "^ " + words.joined(separator: " + ") + "*" }

    private static func isNumeric(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .decimalNumber, .letterNumber, .otherNumber: true
        default: false
        }
    }
}
