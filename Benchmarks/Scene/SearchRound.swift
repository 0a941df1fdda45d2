import Geometry
import Persistence

/// What searches among the places of the dense city take, near the wearer.
struct SearchRound {
    /// Kinds of search, and the median time of each text. Unit: nanoseconds.
    let kinds: [(name: String, times: [Double])]

    private static let rounds = 5
    private static let limit = 10
    /// Words that a tenth of the places have, single names, the beginnings that appear while a word is typed, typing
    /// errors, and words of which no place has all.
    private static let texts = [
        ("common", ["restaurant", "bicycle parking", "mill restaurant", "castle street"]),
        ("rare", ["777", "node/4000000777", "mill hotel 4321"]),
        ("begun", ["c", "ca", "caf", "res", "1", "12", "mill r", "b p"]),
        ("typo", ["restuarant", "muesum", "bicylce parking", "harbuor hotle"]),
        ("none", ["xylophone", "mill castle", "mill castle orchard", "m c o"]),
    ]

    init(_ store: PlaceStore, near position: GeodeticPosition) throws {
        kinds = try Self.texts.map { kind, texts in
            (kind, try texts.compactMap(SearchText.init).map { try Self.time($0, store, position) })
        }
    }

    private static func time(
        _ text: SearchText, _ store: PlaceStore, _ position: GeodeticPosition
    ) throws -> Double {
        let spans = try (0..<rounds).map { _ in
            let begin = ThreadClock.now
            _ = try store.search(text, near: position, limit: limit)
            return ThreadClock.now - begin
        }
        return spans.quantile(0.5)
    }

    /// JSON object with the median and the greatest time of each kind of search.
    var json: String {
        let members = kinds.map { "\"\($0.name)\": [\($0.times.quantile(0.5)), \($0.times.quantile(1))]" }
        return "{\(members.joined(separator: ", "))}"
    }
}
