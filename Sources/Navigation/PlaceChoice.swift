import WaymarkInterface

/// The place that a text names, among those that a search has found.
public enum PlaceChoice: Equatable, Sendable {
    /// None was found.
    case none
    /// The one that is meant.
    case one(SceneInterface.Place)
    /// All that may be meant, in the order of the search.
    case several([SceneInterface.Place])

    /// A place is meant by its identifier, else by its whole name, else by being the only one that the text fits. Among
    /// several of a kind a single favourite is meant.
    public init(_ text: String, among found: [SceneInterface.Place]) {
        let named = found.filter { $0.name.lowercased() == text.lowercased() }
        let candidates = named.isEmpty ? found : named
        let choices = [found.filter { $0.id == text }, candidates, candidates.filter(\.favorite)]
        if let single = choices.first(where: { $0.count == 1 }) {
            self = .one(single[0])
        } else {
            self = found.isEmpty ? .none : .several(candidates)
        }
    }
}
