/// Properties of a place by which a text can name it.
public protocol NamedPlace: Equatable, Sendable {
    /// Identifier given by the source; unique.
    var id: String { get }
    /// Name for display; empty if there is none.
    var name: String { get }
    /// Whether the wearer has marked the place as a favourite.
    var isFavorite: Bool { get }
}

extension Place: NamedPlace {}

/// Place that a text names, among the places that a search has found.
public enum PlaceChoice<Named: NamedPlace>: Equatable, Sendable {
    /// No place was found.
    case none
    /// The only place that the text can refer to.
    case one(Named)
    /// All places that the text may refer to, in the order of the search.
    case several([Named])

    /// Chooses a place by its identifier, else by its whole name, else by words that equal words of the name or begin
    /// them. Case and accents are ignored. If several places match equally, a single favourite among them is chosen. A
    /// place that was found in another way (by a typo, its kind or its address) is chosen only if no other place was
    /// found.
    public init(_ text: String, among found: [Named]) {
        let words = FoldedWords(text)
        let named = found.filter { words.fits(FoldedWords($0.name)) }
        let whole = found.filter { Self.isWhole(text, words, $0.name) }
        let candidates = [whole, named].first { !$0.isEmpty }
        let choices = [
            found.filter { $0.id == text }, candidates ?? found, candidates?.filter(\.isFavorite) ?? [],
        ]
        if let single = choices.first(where: { $0.count == 1 }) {
            self = .one(single[0])
        } else {
            self = found.isEmpty ? .none : .several(candidates ?? found)
        }
    }

    /// Whether a text is the whole name. Names without letters and digits are compared character by character.
    private static func isWhole(_ text: String, _ words: FoldedWords, _ name: String) -> Bool {
        words.isEmpty ? name == text : FoldedWords(name) == words
    }
}
