import Glibc
import SQLite

/// Ranks places by how well they match the words of a search and by their distances, and keeps the best few.
struct PlaceRanking {
    /// Row number of a place, and its distance as it counts: 0 for a favourite. Unit: metres.
    typealias Near = (number: Int64, distance: Double)

    private let fit: PlaceFit
    /// Center of the distances; nil if they do not count.
    private let circle: SearchCircle?
    private let row: Statement
    private let limit: Int
    private var known: Set<Int64> = []
    /// The best match comes first.
    private var best: [Match] = []

    /// Distance below which a doubling of the distance hardly counts. Unit: metres.
    private static let atHand = 100.0

    /// - Parameter row: statement that reads a place by its row number, `PlaceStore.Statements.searched`.
    init(_ fit: PlaceFit, around circle: SearchCircle?, limit: Int, row: Statement) {
        (self.fit, self.circle, self.limit, self.row) = (fit, circle, limit, row)
    }

    /// Row numbers of the best places, the best first.
    var numbers: [Int64] { best.map(\.number) }

    var isFull: Bool { best.count >= limit }

    /// Adds places; those that do not match, no longer exist, or were added before are ignored.
    mutating func add(_ numbers: some Sequence<Int64>) throws(DatabaseError) {
        for number in numbers where known.insert(number).inserted {
            if let match = try match(number) { consider(match) }
        }
    }

    /// Adds places that are in the order of their distances, up to the first that is too far away for any match.
    mutating func add(nearestFirst places: some Sequence<Near>) throws(DatabaseError) {
        for place in places {
            guard travel(place.distance) <= worst else { return }
            try add(CollectionOfOne(place.number))
        }
    }

    /// Cost above which no further match is among the best.
    private var worst: Double { isFull ? best[limit - 1].cost : .infinity }

    /// Returns the cost of a distance.
    private func travel(_ metres: Double) -> Double { log2(1 + metres / Self.atHand) }

    /// Returns the rank of a place; nil if it does not match, no longer exists, or has a higher cost than `worst`.
    private func match(_ number: Int64) throws(DatabaseError) -> Match? {
        try row.bind(.integer(number))
        defer { row.reset() }
        guard try row.step() else { return nil }
        let isFavorite = row.integer(5) != 0
        let distance = circle?.distance(latitudeDegrees: row.real(3), longitudeDegrees: row.real(4))
        let travel = travel(isFavorite ? 0 : distance ?? 0)
        guard travel <= worst else { return nil }
        let name = row.text(0)
        guard let cost = fit.cost(name: name, kind: row.text(1), tags: row.text(2), maximum: worst - travel)
        else { return nil }
        return Match(number: number, isFavorite: isFavorite, length: name.count, cost: cost + travel)
    }

    private mutating func consider(_ match: Match) {
        guard !isFull || match < best[limit - 1] else { return }
        best.insert(match, at: best.firstIndex { match < $0 } ?? best.count)
        if best.count > limit { best.removeLast() }
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

    /// Order of the results.
    static func < (left: Match, right: Match) -> Bool { left.key < right.key }

    private var key: (Double, Int, Int, Int64) { (cost, isFavorite ? 0 : 1, length, number) }
}
