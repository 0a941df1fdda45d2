/// What a text can mean a place by.
public protocol NamedPlace: Equatable, Sendable {
    /// Identifier given by the source; unique.
    var id: String { get }
    /// Name for display; empty for none.
    var name: String { get }
    /// Whether the wearer has marked it as a favourite.
    var isFavorite: Bool { get }
}

extension Place: NamedPlace {}

/// The place that a text names, among those that a search has found.
public enum PlaceChoice<Named: NamedPlace>: Equatable, Sendable {
    /// None was found.
    case none
    /// The one that is meant.
    case one(Named)
    /// All that may be meant, in the order of the search.
    case several([Named])

    /// A place is meant by its identifier, else by its whole name, else by being the only one that the text fits. Among
    /// several of a kind a single favourite is meant.
    public init(_ text: String, among found: [Named]) {
        let named = found.filter { $0.name.lowercased() == text.lowercased() }
        let candidates = named.isEmpty ? found : named
        let choices = [found.filter { $0.id == text }, candidates, candidates.filter(\.isFavorite)]
        if let single = choices.first(where: { $0.count == 1 }) {
            self = .one(single[0])
        } else {
            self = found.isEmpty ? .none : .several(candidates)
        }
    }
}
