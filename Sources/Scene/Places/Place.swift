import Geodesy

/// A named point on the earth.
public struct Place: Hashable, Sendable {
    /// Of the place as its source names it; unique.
    public var id: String
    public var name: String
    /// Such as `cafe` or `stop`; free text, what filters go by.
    public var kind: String
    public var position: GeodeticPosition
    /// What the position's height means; the others leave `ellipsoidalHeight` at 0.
    public var height: PlacementHeight
    /// What else its source says, by name. Of a place whose tags are text they are read anew each time.
    public var tags: [String: String] {
        get { said.table }
        set { said = PlaceTags(newValue) }
    }
    /// The same, read or not.
    private(set) var said: PlaceTags
    public var isFavorite: Bool

    public init(
        id: String, name: String, kind: String, position: GeodeticPosition, height: PlacementHeight = .atEye,
        tags: [String: String] = [:], isFavorite: Bool = false
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.position = position
        self.height = height
        said = PlaceTags(tags)
        self.isFavorite = isFavorite
    }

    /// Tags that are kept as text cost nothing until somebody asks for them.
    public mutating func setTags(text: String, read: @escaping @Sendable (String) -> [String: String]) {
        said = PlaceTags(text: text, read: read)
    }
}
